import { slavicLetters } from "../../text/slavic-words.ts";
import { indexTokens } from "../../text/tokens.ts";

/*
 * For what a sentence turns away from something. `Webhooks use REST instead of GraphQL` is about webhooks and leaves
 * GraphQL to everything else; `Use REST instead of GraphQL` is about everything.
 */

const opening =
  /^(?:(?:from now on|now|so|ok(?:ay)?|and|then)[,:]? )?(?:(?:we|i|let['’]s|let us)(?:['’](?:ll|ve|re|d))?(?= ) ?)?(?:(?:will|shall|have|are|now|(?:decided?|agreed?) (?:to|on)|going to|want to|should|must|always) )*(?:(?:the|an?|our|any) )?/i;
/** Verbs whose object is the thing, or what takes its place. */
const takes =
  /^(?:us(?:e|es|ed|ing)|choo?se|chosen?|pick(?:ed)?|go|take|prefer|replac\w+|stop\w*|abandon\w*|ditch\w*|do(?: not|n['’]t) use|no longer)\b/i;
/** The same in Chinese. */
const takesInChinese = /^(?:我[们們])?(?:[决決]定)?(?:使用|[采採]用|改用|用|不再)/;
/** Verbs whose object is what the sentence is about. */
const places =
  /^(?:switch|mov|migrat|chang)\w* (?<about>.*?)(?:\baway )?\bfrom\b|^(?:keep|kept|store|put|save|hold|cache|serve|run|write|build|send|храним|держим|пишем|зберігаємо) (?<object>.+?) (?:in|on|with|by|at|as|from|to|via|over|во?|на|у)(?![\wа-яёіїєґ])/i;
const subjectEnd =
  /(?:^| )(?:is|are|was|were|will|must|should|shall|can|now|no longer|use[sd]?|go(?:es)?|run|runs|lives?|keeps?|gets?|returns?|comes?|stores?|needs?|takes?)\b|:/i;
/** After a place that begins a sentence: `For sessions use Postgres`. */
const usesThere = `(?:us(?:e|es|ed|ing|amos|ar|iamo|are)|utilis(?:e|ons|er|ez)|verwenden|benutzen|nutzen|nehmen|используем|используй|применяем|бер[её]м|беремо|ставим|використовуємо|застосовуємо)(?![\\wà-ÿ${slavicLetters}])`;
/** Up to three words after a preposition, without the reason. */
const where = `(?<where>[^\\s,.;:!?()]+(?: (?!${usesThere})[^\\s,.;:!?()]+){0,2})`;
/** In Portuguese, what takes the thing's place may follow `para`. */
const towards = "(?<!\\b(?:pass|mud|migr)(?:ar|amos) d[eo] [^\\s,.;:!?()]{1,40} )";
const purpose = new RegExp(
  `(?:\\b(?:for|when|during|while|inside|within|under|für|bei|pour|${towards}para)|(?<![${slavicLetters}])(?:для|при)) ${where}`,
  "gi",
);
/** In French, `on` is who decides. */
const weInFrench =
  "on (?:n['’]|(?:ne|va|utilise|remplace|passe|migre|prend|part|garde|choisit|abandonne|a (?:décidé|choisi|convenu)) )";
const opensWithPlace = new RegExp(`^(?!${weInFrench})(?:in|on|at) ${where}`, "i");
const followingPlace = new RegExp(`^ (?:in|on|at|of) ${where}`, "i");
/** `Para as` is Portuguese. */
const reason = /(?:[;(—–]|(?<!\b[Pp]ara),? \b(?:because|since|so that|as)\b).*$/s;
/** What is shown may differ from what is kept. */
const showing = /\b(?:show(?:s|n|ed|ing)?|display\w*|render\w*|print(?:s|ed|ing)?|format(?:s|ted|ting)?)\b/gi;

/** Terms of what the sentence is about, and of where its turn from the thing holds; none if it holds everywhere. */
export function scopeOfTurn(sentence: string, thing: string): string[] {
  const unexplained = sentence.replace(reason, "");
  const at = Math.max(0, unexplained.toLowerCase().lastIndexOf(thing.toLowerCase()));
  // A colon after the thing begins a reason, too; one before it follows the subject.
  const [after = ""] = unexplained.slice(at + thing.length).split(":", 1);
  const said = `${unexplained.slice(0, at + thing.length)}${after}`;
  const named = [
    subjectIn(said.slice(said.lastIndexOf(", ", at) + 1).trimStart(), thing),
    ...[...said.matchAll(purpose)].map(({ groups }) => groups?.where ?? ""),
    opensWithPlace.exec(said)?.groups?.where ?? "",
    followingPlace.exec(after)?.groups?.where ?? "",
    ...[...said.matchAll(showing)].map(([verb]) => verb),
  ];
  return [...new Set(named.flatMap(indexTokens))];
}

/** The subject of a clause, or the object of its verb if that is what it is about; "" if it has none. */
function subjectIn(clause: string, thing: string): string {
  const told = clause.replace(opening, "");
  if (takes.test(told) || takesInChinese.test(told) || told.toLowerCase().startsWith(thing.toLowerCase()))
    return "";
  const { about, object } = places.exec(told)?.groups ?? {};
  if (about !== undefined || object !== undefined) return about ?? object ?? "";
  const end = told.search(subjectEnd);
  // Without a known verb, only the first word surely belongs to the subject, or is the verb.
  return end < 0 ? (told.split(" ", 1)[0] ?? "") : told.slice(0, end);
}
