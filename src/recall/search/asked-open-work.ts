import { lowerCase } from "../../text/lower-case.ts";
import { slavicLetters } from "../../text/slavic-words.ts";
import { indexTokens } from "../../text/tokens.ts";

/*
 * Whether a query asks for nothing but what is left to do: "which todo is open", "what's next", "offene Punkte". With
 * a word more, such as "open items of the parser", its words are searched for.
 */

/** In English, German, Spanish, French, Russian and Ukrainian. */
const names = [
  "to-?dos?(?: (?:list|items?))?|(?:open|pending|remaining|outstanding|unfinished|unresolved|next) (?:to-?dos?|items?|points?|tasks?|work|issues?|problems?|bugs?|questions?|ends?|threads?|things|steps?)",
  "left (?:to do|undone|open|over)|(?:not|un)(?: yet)? ?(?:done|finished)(?: yet)?|to be done|still (?:(?:have|need) )?to do",
  "offene[nrs]? (?:punkte?|aufgaben?|to-?dos?|fragen?|themen|arbeit(?:en)?|sachen|dinge|probleme)|nächste[nr]? schritte?|als nächstes",
  "noch (?:offen|zu (?:tun|erledigen|machen)|nicht (?:fertig|erledigt|gemacht))|rest(?:arbeiten|liche[nr]? (?:arbeit(?:en)?|aufgaben?))",
  "(?:tareas |temas |puntos )?pendientes?|próximos? pasos?|(?:qued|falt)an? por hacer|por hacer|(?:puntos|tareas|temas) abiert[oa]s",
  "rest(?:e|ent|e-t-il) (?:encore )?à faire|à faire|prochaines? étapes?|(?:tâches?|points?|questions?) (?:ouverte?s?|restante?s?|en attente)",
  "следующи[ей] шаги?|(?:открытые|незаверш[её]нные) (?:задачи|вопросы|пункты|дела)|не (?:сделано|доделано|закончено)",
  "наступн(?:і кроки|ий крок)|(?:відкриті|незавершені) (?:завдання|задачі|питання|пункти|справи)|не (?:зроблено|закінчено)",
];
const unspacedNames =
  "待[办辦](?:事[项項])?|未完成|[没沒]有?(?:做完?|完成)|剩下|下一步|やること|やり残し|未完了|未対応|未着手|残り|残って|残(?:作業|タスク|課題)|次のステップ";

/** Words that mean it only in a question, because alone they may name something: `open`, `next`. */
const cues = [
  "open|left|pending|remain(?:s|ing)?|outstanding|unfinished|unresolved|next",
  "offen(?:e[nrs]?)?|übrig|ausstehend|unerledigt(?:e[sn]?)?|fehlt|fehlen",
  "quedan?|faltan?|abiert[oa]s?|restent?|reste|ouverte?s?",
  "остал(?:ось|ись|ся|ась)|открыт[оаы]|зали(?:шилося|шилось|шається)|відкрито",
];

const asking = [
  "which|what|any(?:thing)?|list|show|tell|still|is|are",
  "was|welche[rsnm]?|gibt|ist|sind|noch|zeige?|liste",
  "qu[ée]|cu[áa]l(?:es)?|hay|muestra|lista|qu['’]est-ce|quoi|quel(?:le)?s?|liste|montre",
  "что|какие|какой|покажи|список|що|які|який",
];

const beside = [
  "s|re|there|have|has|had|need(?:s|ed)?|must|should|done|do|did|finish(?:ed)?|leave|left|behind|tasks?|items?|things?|points?|work|something|everything|all|me|my|our|project|repo(?:sitory)?|now|currently|yet|today",
  "es|haben?|hat|hatten|wir|ich|müssen|muss|sollen?|zu|tun|machen|erledigen|alle[rns]?|mir|uns|die|der|das|den|dem|hier|im|in|an|projekt|gerade|jetzt|dinge|sachen|aufgaben?|punkte?|arbeit|steht|stehen|bleibt|blieb|habe|nicht",
  "está|están|tareas?|temas?|puntos|por|hacer|todavía|aún|nos|me|las?|los?|es|son|el|en|este|proyecto",
  "que|ce|qu|qui|il|est|sont|y|a-t-il|encore|à|faire|tâches?|points?|les?|des?|nous|ce|projet",
  "какая|ещё|еще|нужно|надо|сделать|доделать|у|нас|меня|есть|задачи|задач|вопросы|пункты|дела|все|мне|по|в|проекте",
  "яка|ще|треба|потрібно|зробити|у|нас|мене|є|завдання|задачі|питання|пункти|справи|всі|мені|по|в|проєкті",
];
const unspacedBeside =
  /什么|什麼|哪些|哪[个個]|[还還]|有|是|的|要|做|工作|任[务務]|事情|[吗嗎]|[没沒]|列出|所有|需要|呢|我们|我們|何|どれ|どの|です|[がはのにをでか]|あり?|ます|いる|い|作業|タスク|課題|まだ|する|こと|すべて|全て/g;

/** Letters and what joins words to a name, such as `open-file`, `next.js` or `todo/main`. */
const joins = `a-z0-9_ß-ÿœ${slavicLetters}`;

function wholeWords(words: readonly string[]): RegExp {
  return new RegExp(
    `(?<![${joins}]|[${joins}][./\\\\-])(?:${words.join("|")})(?![${joins}(]|[./\\\\-][${joins}])`,
    "g",
  );
}

interface Patterns {
  readonly names: RegExp;
  readonly cues: RegExp;
  readonly asking: RegExp;
  readonly beside: RegExp;
}

let made: Patterns | undefined;

function patterns(): Patterns {
  made ??= {
    names: new RegExp(`${wholeWords(names).source}|${unspacedNames}`, "g"),
    cues: wholeWords(cues),
    asking: wholeWords(asking),
    beside: wholeWords(beside),
  };
  return made;
}

/** Longer queries say more. */
const longestAsked = 100;

/** Whether a query has words for what is left to do, alone or among others. */
export function namesOpenWork(query: string): boolean {
  const words = lowerCase(query);
  const { names: named, cues: cued } = patterns();
  return words.search(named) >= 0 || words.search(cued) >= 0;
}

/** `besideTime`: the words stand beside a time, which makes a question of them. */
export function asksOpenWork(query: string, { besideTime = false } = {}): boolean {
  if (query.length > longestAsked) return false;
  const words = lowerCase(query);
  const { names: named, cues: cued, asking: asks, beside: others } = patterns();
  const withoutNames = words.replace(named, " ");
  const withoutCues = withoutNames.replace(cued, " ");
  if (withoutCues === words) return false;
  const isNamed = withoutNames !== words;
  const withoutAsking = withoutCues.replace(asks, " ");
  if (!isNamed && !besideTime && withoutAsking === withoutCues) return false;
  return indexTokens(withoutAsking.replace(others, " ").replace(unspacedBeside, " ")).length === 0;
}
