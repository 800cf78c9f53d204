import { aroundHalves, lastHalves } from "./half-units.ts";
import { aloneAmong, spelledNumber, type TimeLanguage } from "./time-language.ts";
import {
  around,
  back,
  calendarUnit,
  dayIn,
  daysBack,
  given,
  lastWeekday,
  monthIn,
  monthOfYear,
  weekdayBefore,
  weekend,
} from "./time-spans.ts";

/* Times in Spanish: ayer, la semana pasada, hace 3 días, en marzo, el 3 de marzo, el lunes, los últimos tres días. */

const letter = "\\wà-öø-ÿ";
const alone = aloneAmong(letter);

const months = "ene feb mar abr may jun jul ago sep oct nov dic".split(" ");
const month = "(enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre)";
const weekdays = "domingo lunes martes miercoles jueves viernes sabado".split(" ");
const weekday = "(domingo|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado)";
const numbers =
  "un|una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte".split(
    " ",
  );
const count = `(\\d{1,3}|un par de|un[oa]s|${numbers.join("|")})`;
const unit = "(minuto|hora|d[íi]a|semana|mes|año)(?:e?s)?";
const halfUnit = "medi[oa] (hora|d[íi]a|semana|mes|año)";
const partOfDay = "(?: por la (?:mañana|tarde|noche))?";

export const spanishTimes: TimeLanguage = {
  signs: new RegExp(
    `(?<![${letter}])(?:ayer|anteayer|antier|anoche|hoy|esta (?:mañana|tarde)|hace|semanas?|mes(?:es)?|años?|d[íi]as?|horas?|minutos|recientemente|últimamente|${weekday}|${month})(?![${letter}])`,
  ),
  ranges: {
    form: (first, last) => `(?:del?|desde|entre) (?:el )?${first} (?:al?|y|hasta) (?:el )?${last}`,
    dates: `\\d{4}-\\d{2}-\\d{2}|(?:\\d{1,2}|primero|1º) de ${month}(?:(?: del?)? \\d{4})?|${month}(?:(?: del?)? \\d{4})?`,
    days: `${weekday}(?: pasado)?|ayer|anteayer|hoy`,
    alone,
  },
  phrases: [
    {
      pattern: alone(`(\\d{1,2}|primero|1º) de ${month}(?:(?: del?)? (\\d{4}))?`),
      span: ([, day = "", name, year], now) =>
        dayIn(given(year), monthOf(name), day === "primero" ? 1 : Number.parseInt(day, 10), now),
      isText: true,
    },
    {
      pattern: alone(
        `(?:(?:en|durante|(?:principios|mediados|finales) de) |(?<=(?:desde|hasta|antes de|después de) ))${month}(?:(?: del?)? (\\d{4}))?|${month} pasado`,
      ),
      span: ([, name, year, other], now) => monthIn(given(year), monthOf(name ?? other), now),
      isText: true,
    },
    { pattern: alone("anteayer|antes de ayer|antier"), span: (_, now) => daysBack(now, 2, 2) },
    { pattern: alone(`ayer${partOfDay}|anoche`), span: (_, now) => daysBack(now, 1, 1) },
    { pattern: alone("hoy|esta (?:mañana|tarde)"), span: (_, now) => daysBack(now, 0, 0) },
    // `Quince días` are two weeks.
    {
      pattern: alone("hace (?:(?:quince|15) d[íi]as|una quincena)"),
      span: (_, now) => around(now, 2, "week"),
    },
    {
      pattern: alone(`hace (?:${halfUnit}|(?:${count} )?${unit} y medi[oa])`),
      span: ([, half, many, of], now) =>
        half === undefined
          ? aroundHalves(now, 2 * numberOf(many) + 1, unitOf(of))
          : aroundHalves(now, 1, unitOf(half)),
    },
    {
      pattern: alone(`(?:(?:en|durante) )?(?:del|el|la) [úu]ltim[oa] ${halfUnit}`),
      span: ([, of], now) => lastHalves(now, 1, unitOf(of)),
    },
    {
      pattern: alone(`hace ${count} ${unit}`),
      span: ([, many, of], now) => around(now, numberOf(many), unitOf(of)),
    },
    {
      pattern: alone(
        `(?:(?:en|durante) )?l[oa]s (?:[úu]ltim[oa]s ${count}|${count} [úu]ltim[oa]s) ${unit}|(?:(?:en|durante) )?(?:del|el|la) [úu]ltim[oa] ${unit}`,
      ),
      span: ([, many, other, of, one], now) => ({
        since: back(now, numberOf(many ?? other), unitOf(of ?? one)).getTime(),
        until: daysBack(now, 0, 0).until,
      }),
    },
    {
      pattern: alone("(?:el |la )?(?<!fin de )(semana|mes|año) (?:pasad[oa]|anterior)"),
      span: ([, of], now) => calendarUnit(now, 1, unitOf(of)),
    },
    {
      pattern: alone("est[ea] (semana|mes|año)"),
      span: ([, of], now) => calendarUnit(now, 0, unitOf(of)),
    },
    {
      pattern: alone(`(?:el |del )?${weekday} pasado|(?:el|del) pasado ${weekday}`),
      span: ([, name, other], now) => weekdayBefore(now, dayOf(name ?? other)),
    },
    {
      pattern: alone(`(?:el|del|este) ${weekday}${partOfDay}(?! (?:que viene|próximo|siguiente))`),
      span: ([, name], now) => lastWeekday(now, dayOf(name)),
    },
    {
      pattern: alone("(?:el|del) fin de semana pasado|(este|el) fin de semana"),
      span: ([, current], now) => weekend(now, current === undefined ? 1 : 0),
      mayBeContent: true,
    },
    {
      pattern: alone("recientemente|últimamente|hace poco|(?:en )?(?:los últimos|estos) días"),
      span: (_, now) => daysBack(now, 7, 0),
    },
    {
      pattern: alone(`${month}(?:(?: del?)?) ((?:19|20)\\d{2})`),
      span: ([, name, year], now) => monthOfYear(year, monthOf(name), now),
      isText: true,
    },
  ],
  sayNothing:
    /(?<![\wà-ÿ])(?:qué|que|se|hemos|he|hizo|hicimos|hice|hecho|ha|había|fue|pasó|pasado|cambió|cambi(?:os|ado|amos)|trabaj(?:é|amos|ado)|en|el|la|los|las|de|del|lo|y|todo|muestra|lista|resume|resumen|nuevo|mañana|tarde|noche)(?![\wà-ÿ])/gi,
  directionBefore:
    /(?<=^|\s)(?:(?<since>desde|a partir)|(?<after>despu[ée]s|tras)|(?<before>antes|hasta))(?: del?)?\s+(?:el\s+|la\s+)?$/,
};

function monthOf(name = ""): number {
  return months.indexOf(name.replace("set", "sep").slice(0, 3));
}

function dayOf(name = ""): number {
  return weekdays.indexOf(name.replace("é", "e").replace("á", "a"));
}

function unitOf(word = ""): string {
  return { minuto: "minute", hora: "hour", semana: "week", mes: "month", año: "year" }[word] ?? "day";
}

function numberOf(text = "un"): number {
  if (text === "un par de") return 2;
  return /^un[oa]s$/.test(text) ? 3 : spelledNumber(text, numbers);
}
