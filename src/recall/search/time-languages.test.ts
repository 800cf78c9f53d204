import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { timeMeant } from "./time-words.ts";
import { timeTold } from "./told-time.ts";

/** A Sunday. */
const now = new Date(2026, 2, 15, 18, 30).getTime();
const march = (day: number) => new Date(2026, 2, day).getTime();

/** First and last day that are meant. */
function days(query: string): string | undefined {
  const meant = timeMeant(query, now);
  if (meant === undefined) return undefined;
  const shown = (time: number) => new Date(time).toLocaleDateString("sv");
  return `${shown(meant.since)} to ${shown(meant.until)}`.replaceAll("2026-", "");
}

test.each([
  ["Что сломалось вчера?", "03-14 to 03-14"],
  ["Вчера вечером упал деплой", "03-14 to 03-14"],
  ["вчерашняя ошибка", "03-14 to 03-14"],
  ["ошибка позавчера", "03-13 to 03-13"],
  ["что мы решили сегодня", "03-15 to 03-15"],
  ["сбой на прошлой неделе", "03-02 to 03-08"],
  ["сбой на этой неделе", "03-09 to 03-15"],
  ["сбой на позапрошлой неделе", "02-23 to 03-01"],
  ["решения в прошлом месяце", "02-01 to 02-28"],
  ["решения прошлого года", "2025-01-01 to 2025-12-31"],
  ["что упало в понедельник", "03-09 to 03-09"],
  ["что упало во вторник", "03-10 to 03-10"],
  ["что упало в среду", "03-11 to 03-11"],
  ["что упало в прошлую пятницу", "03-13 to 03-13"],
  ["что упало в прошлое воскресенье", "03-08 to 03-08"],
  ["деплой в прошлые выходные", "03-07 to 03-08"],
  ["тест упал 3 дня назад", "03-12 to 03-12"],
  ["тест упал три дня назад", "03-12 to 03-12"],
  ["сбой неделю назад", "03-05 to 03-11"],
  ["релиз в январе", "01-01 to 01-31"],
  ["релиз в ноябре 2024 года", "2024-11-01 to 2024-11-30"],
  ["счета, май 2025", "2025-05-01 to 2025-05-31"],
  ["встреча 3 марта", "03-03 to 03-03"],
  ["встреча 24 декабря", "2025-12-24 to 2025-12-24"],
  ["ошибки за последние три дня", "03-12 to 03-15"],
  ["что мы делали за последние дни", "03-08 to 03-15"],
  ["ошибки за последнюю неделю", "03-08 to 03-15"],
  ["что менялось недавно", "03-08 to 03-15"],
  ["Що зламалося вчора?", "03-14 to 03-14"],
  ["вчорашня помилка", "03-14 to 03-14"],
  ["помилка позавчора", "03-13 to 03-13"],
  ["що ми вирішили сьогодні", "03-15 to 03-15"],
  ["збій минулого тижня", "03-02 to 03-08"],
  ["збій на минулому тижні", "03-02 to 03-08"],
  ["збій на цьому тижні", "03-09 to 03-15"],
  ["рішення минулого місяця", "02-01 to 02-28"],
  ["рішення в минулому році", "2025-01-01 to 2025-12-31"],
  ["що впало в понеділок", "03-09 to 03-09"],
  ["що впало у вівторок", "03-10 to 03-10"],
  ["що впало в середу", "03-11 to 03-11"],
  ["що впало минулої п'ятниці", "03-13 to 03-13"],
  ["що впало у п’ятницю", "03-13 to 03-13"],
  ["що впало учора", "03-14 to 03-14"],
  ["що впало до середи", "1970-01-01 to 03-11"],
  ["що впало цього року", "01-01 to 12-31"],
  ["що впало попереднього року", "2025-01-01 to 2025-12-31"],
  ["що впало протягом останнього тижня", "03-08 to 03-15"],
  ["що впало з понеділка по п'ятницю", "03-09 to 03-13"],
  ["що впало між вівторком і середою", "03-10 to 03-11"],
  ["баг 24 листопада", "2025-11-24 to 2025-11-24"],
  ["що впало минулої неділі", "03-08 to 03-08"],
  ["деплой минулими вихідними", "03-07 to 03-08"],
  ["тест упав 3 дні тому", "03-12 to 03-12"],
  ["тест упав три дні тому", "03-12 to 03-12"],
  ["збій тиждень тому", "03-05 to 03-11"],
  ["реліз у січні", "01-01 to 01-31"],
  ["реліз у листопаді 2024 року", "2024-11-01 to 2024-11-30"],
  ["рахунки, травень 2025", "2025-05-01 to 2025-05-31"],
  ["зустріч 3 березня", "03-03 to 03-03"],
  ["зустріч 24 грудня", "2025-12-24 to 2025-12-24"],
  ["помилки за останні три дні", "03-12 to 03-15"],
  ["що ми робили за останні дні", "03-08 to 03-15"],
  ["що змінювалося нещодавно", "03-08 to 03-15"],
  ["ce qui a cassé hier", "03-14 to 03-14"],
  ["Hier", "03-14 to 03-14"],
  ["on a fait quoi hier", "03-14 to 03-14"],
  ["la panne d'hier", "03-14 to 03-14"],
  ["la panne d’avant-hier", "03-13 to 03-13"],
  ["ce que nous avons décidé aujourd’hui", "03-15 to 03-15"],
  ["la panne de la semaine dernière", "03-02 to 03-08"],
  ["les décisions du mois dernier", "02-01 to 02-28"],
  ["les décisions de l'année dernière", "2025-01-01 to 2025-12-31"],
  ["cette semaine", "03-09 to 03-15"],
  ["ce qui a cassé lundi", "03-09 to 03-09"],
  ["la panne de dimanche dernier", "03-08 to 03-08"],
  ["déployé le week-end dernier", "03-07 to 03-08"],
  ["le test a échoué il y a 3 jours", "03-12 to 03-12"],
  ["la panne il y a une semaine", "03-05 to 03-11"],
  ["la version en janvier", "01-01 to 01-31"],
  ["la version en mars", "03-01 to 03-31"],
  ["la réunion du 3 mars", "03-03 to 03-03"],
  ["la réunion du 1er février", "02-01 to 02-01"],
  ["la réunion du 24 décembre 2024", "2024-12-24 to 2024-12-24"],
  ["DÉPLOYÉ EN FÉVRIER", "02-01 to 02-28"],
  ["factures, août 2025", "2025-08-01 to 2025-08-31"],
  ["les erreurs des trois derniers jours", "03-12 to 03-15"],
  ["les erreurs au cours des derniers jours", "03-08 to 03-15"],
  ["qué falló ayer", "03-14 to 03-14"],
  ["el error de anteayer", "03-13 to 03-13"],
  ["qué cambiamos hoy", "03-15 to 03-15"],
  ["la caída de la semana pasada", "03-02 to 03-08"],
  ["decisiones del mes pasado", "02-01 to 02-28"],
  ["decisiones de este año", "01-01 to 12-31"],
  ["qué falló el lunes", "03-09 to 03-09"],
  ["el fallo del miércoles", "03-11 to 03-11"],
  ["qué falló el domingo pasado", "03-08 to 03-08"],
  ["los despliegues del fin de semana pasado", "03-07 to 03-08"],
  ["la prueba falló hace 3 días", "03-12 to 03-12"],
  ["la caída hace una semana", "03-05 to 03-11"],
  ["la versión en enero", "01-01 to 01-31"],
  ["la reunión del 3 de marzo", "03-03 to 03-03"],
  ["la reunión del 24 de diciembre de 2024", "2024-12-24 to 2024-12-24"],
  ["facturas, mayo de 2025", "2025-05-01 to 2025-05-31"],
  ["errores en los últimos tres días", "03-12 to 03-15"],
  ["errores de la última semana", "03-08 to 03-15"],
  ["昨日のエラー", "03-14 to 03-14"],
  ["一昨日のエラー", "03-13 to 03-13"],
  ["今日決めたこと", "03-15 to 03-15"],
  ["先週の月曜日から水曜日までの変更", "03-02 to 03-04"],
  ["上周一到周三的修改", "03-02 to 03-04"],
  ["上个星期一到星期三", "03-02 to 03-04"],
  ["上周五到周一", "03-06 to 03-09"],
  ["30分前", "03-15 to 03-15"],
  ["障害 数日前", "03-12 to 03-12"],
  ["過去24時間", "03-14 to 03-15"],
  ["先週のデプロイ", "03-02 to 03-08"],
  ["先々週のデプロイ", "02-23 to 03-01"],
  ["今週の変更", "03-09 to 03-15"],
  ["先月の決定", "02-01 to 02-28"],
  ["昨年の決定", "2025-01-01 to 2025-12-31"],
  ["3日前のエラー", "03-12 to 03-12"],
  ["三日前のエラー", "03-12 to 03-12"],
  ["2週間前の障害", "02-26 to 03-04"],
  ["月曜日に壊れたもの", "03-09 to 03-09"],
  ["日曜のデプロイ", "03-15 to 03-15"],
  ["先週日曜日のデプロイ", "03-08 to 03-08"],
  ["先週の水曜日の会議", "03-04 to 03-04"],
  ["先週末のデプロイ", "03-07 to 03-08"],
  ["過去3日間のエラー", "03-12 to 03-15"],
  ["3月3日のテスト", "03-03 to 03-03"],
])("of %j is %s", (query, span) => {
  expect(days(query)).toBe(span);
});

test.each([
  ["ошибки с понедельника", march(9), now],
  ["ошибки с прошлой недели", march(2), now],
  ["как было до 10 марта", 0, march(10)],
  ["что изменилось после 2026-03-10", march(11) - 1, now],
  ["помилки з понеділка", march(9), now],
  ["помилки з минулого тижня", march(2), now],
  ["як було до 10 березня", 0, march(10)],
  ["erreurs depuis lundi", march(9), now],
  ["erreurs depuis la semaine dernière", march(2), now],
  ["comment c'était avant le 10 mars", 0, march(10)],
  ["erreurs à partir d'hier", march(14), now],
  ["errores desde el lunes", march(9), now],
  ["errores desde ayer", march(14), now],
  ["cómo era antes del 10 de marzo", 0, march(10)],
  ["cómo era antes del lunes", 0, march(9)],
  ["月曜日からのエラー", march(9), now],
  ["3月10日以降の変更", march(10), now],
  ["先週より前の設定", 0, march(2)],
  ["先週の前半の設定", march(2), march(9) - 1],
])("of %j begins or ends at the time it names", (query, since, until) => {
  expect(timeMeant(query, now)).toMatchObject({ since, until });
});

/* `now` is a Sunday, so the last Monday is the ninth. */
test.each([
  ["ошибки с понедельника по среду", "03-09 to 03-11"],
  ["ошибки с пятницы по понедельник", "03-06 to 03-09"],
  ["между вторником и четвергом", "03-10 to 03-12"],
  ["деплои с 3 по 5 марта", "03-03 to 03-05"],
  ["деплои с 27 февраля по 3 марта", "02-27 to 03-03"],
  ["решения с ноября по январь", "2025-11-01 to 2026-01-31"],
  ["помилки з понеділка по середу", "03-09 to 03-11"],
  ["з 27 лютого до 3 березня", "02-27 to 03-03"],
  ["du lundi au mercredi", "03-09 to 03-11"],
  ["les pannes de vendredi à lundi", "03-06 to 03-09"],
  ["entre mardi et jeudi", "03-10 to 03-12"],
  ["du 3 au 5 mars", "03-03 to 03-05"],
  ["les erreurs du 27 février au 3 mars", "02-27 to 03-03"],
  ["de novembre à janvier", "2025-11-01 to 2026-01-31"],
  ["errores de lunes a miércoles", "03-09 to 03-11"],
  ["errores desde el viernes hasta el lunes", "03-06 to 03-09"],
  ["entre el martes y el jueves", "03-10 to 03-12"],
  ["del 3 al 5 de marzo", "03-03 to 03-05"],
  ["月曜から水曜のエラー", "03-09 to 03-11"],
  ["金曜日から月曜日まで", "03-06 to 03-09"],
  ["3月3日から3月5日までの変更", "03-03 to 03-05"],
  ["从周一到周三的错误", "03-09 to 03-11"],
  ["週五至週一的錯誤", "03-06 to 03-09"],
  ["3月3日至3月5日", "03-03 to 03-05"],
  ["Fehler vom 3. bis 5. März", "03-03 to 03-05"],
  ["deploys from 3 to 5 March", "03-03 to 03-05"],
])("the range %j is %s", (query, span) => {
  expect(days(query)?.replace("2026-", "")).toBe(span.replace("to 2026-", "to "));
});

test.each([
  "the hierarchy of Hier, the layer of the player",
  "Was ist hier kaputt?",
  "Fehler hier",
  "life on mars, 3 mars rovers, the Mars lander",
  "hold the mayo, 12 monkeys",
  "the mes protocol and the año column",
  "mardi gras, le job du lundi, chaque lundi, lundi prochain",
  "los lunes, el lunes que viene, por mayo",
  "настройки среды, в среду разработки, перенос в среду staging",
  "сегодняшность, вчера.ts, src/вчера, по понедельникам, последний запуск",
  "налаштування середи, у середу розробки, тому що, минулий реліз, щопонеділка",
  "hier.ts, ayer(), src/ayer, lundi_job",
  "毎週月曜日のジョブ, 第三日前, 来週の月曜日",
])("no time is in %j", (query) => {
  expect(timeMeant(query, now)).toBeUndefined();
});

test("A query that only asks what happened then means all of it", () => {
  for (const all of [
    "Что мы делали вчера?",
    "что изменилось на прошлой неделе",
    "что мы сделали с понедельника",
    "Що ми робили вчора?",
    "що змінилося минулого тижня",
    "Qu'est-ce qu'on a fait hier ?",
    "qu'avons-nous fait la semaine dernière",
    "¿Qué hicimos ayer?",
    "qué cambió desde el lunes",
    "昨日は何をしましたか？",
    "先週の変更",
  ])
    expect(timeMeant(all, now), all).toMatchObject({ isAll: true });
  expect(timeMeant("ошибки на прошлой неделе", now)).toMatchObject({ rest: "ошибки  ", isAll: false });
  expect(timeMeant("errores de ayer", now)).toMatchObject({ rest: "errores de  ", isAll: false });
  expect(timeMeant("erreurs depuis lundi", now)?.rest.trim()).toBe("erreurs");
  expect(timeMeant("встреча 3 марта", now)?.rest).toBe("встреча 3 марта");
});

test.each([
  ["вчера", march(14)],
  ["Понедельник", march(9)],
  ["среда", march(11)],
  ["март", march(1)],
  ["вчора", march(14)],
  ["понеділок", march(9)],
  ["hier", march(14)],
  ["lundi", march(9)],
  ["mars", march(1)],
  ["il y a 3 jours", march(12)],
  ["ayer", march(14)],
  ["lunes", march(9)],
  ["marzo", march(1)],
  ["昨日", march(14)],
  ["月曜日", march(9)],
  ["3日前", march(12)],
])("%s alone is a time", (text, since) => {
  expect(timeTold(text, now)).toMatchObject({ since });
});

test.each([
  "вчера",
  "вчора ",
  "з 3 ",
  "du 3 ",
  "hier ",
  "quoi hie ",
  "ayer",
  "en los últimos ",
  "за последние ",
  "昨",
  "一",
])("reads 64 KiB of %j in linear time", (unit) => {
  const spent = processorTimer();
  timeMeant(`x${unit.repeat(65_536 / unit.length)}x`, now);
  expect(spent()).toBeLessThan(1_000);
});

/** The words of a language in their order: months after their preposition, weekdays from Monday, numbers from three. */
const vocabularies = [
  {
    name: "Russian",
    months: "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    inMonth: "в %",
    weekdays: "в понедельник,во вторник,в среду,в четверг,в пятницу,в субботу,в воскресенье",
    numbers: "три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    ago: "% назад",
    units: "минут часов дней недели месяца года",
    few: "пару дней,несколько дней",
  },
  {
    name: "Ukrainian",
    months: "січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні",
    inMonth: "у %",
    weekdays: "у понеділок,у вівторок,у середу,у четвер,у п'ятницю,у суботу,у неділю",
    numbers: "три чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять",
    ago: "% тому",
    units: "хвилин годин днів тижні місяці роки",
    few: "пару днів,кілька днів",
  },
  {
    name: "French",
    months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    inMonth: "en %",
    weekdays: "lundi,mardi,mercredi,jeudi,vendredi,samedi,dimanche",
    numbers: "trois quatre cinq six sept huit neuf dix onze douze",
    ago: "il y a %",
    units: "minutes heures jours semaines mois ans",
    few: ",quelques jours",
  },
  {
    name: "Spanish",
    months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    inMonth: "en %",
    weekdays: "el lunes,el martes,el miércoles,el jueves,el viernes,el sábado,el domingo",
    numbers: "tres cuatro cinco seis siete ocho nueve diez once doce",
    ago: "hace %",
    units: "minutos horas días semanas meses años",
    few: "un par de días,unos días",
  },
];

test.each(vocabularies)("every month, weekday, number and unit in $name is known", (words) => {
  const { months, inMonth, weekdays, numbers, ago, units, few } = words;
  const [minutes, hours, inDays, weeks, ofMonths, years] = units.split(" ");
  const since = (query: string) => days(query)?.split(" to ")[0];
  const two = (number: number) => String(number).padStart(2, "0");
  expect(months.split(" ").map((month) => since(inMonth.replace("%", month)))).toEqual(
    Array.from({ length: 12 }, (_, month) => `${month > 2 ? "2025-" : ""}${two(month + 1)}-01`),
  );
  expect(weekdays.split(",").map(since)).toEqual(Array.from({ length: 7 }, (_, day) => `03-${two(9 + day)}`));
  expect(numbers.split(" ").map((number) => since(ago.replace("%", `${number} ${inDays}`)))).toEqual(
    Array.from({ length: 10 }, (_, number) => `03-${two(12 - number)}`),
  );
  const [couple = "", some = ""] = few.split(",");
  if (couple !== "") expect(since(ago.replace("%", couple))).toBe("03-13");
  expect(since(ago.replace("%", some))).toBe("03-12");
  expect(since(ago.replace("%", `90 ${minutes}`))).toBe("03-15");
  expect(since(ago.replace("%", `20 ${hours}`))).toBe("03-14");
  expect(since(ago.replace("%", `3 ${weeks}`))).toBe("02-19");
  expect(since(ago.replace("%", `3 ${ofMonths}`))).toBe("2025-11-30");
  expect(since(ago.replace("%", `3 ${years}`))).toBe("2022-09-16");
});
