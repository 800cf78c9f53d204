import { indexTokens } from "../../text/tokens.ts";
import { ownWordsOf } from "./finding-cues.ts";

/*
 * What a finding says was not the cause after all: `It was not the pool; the cause was DNS`, `nicht am Proxy, sondern
 * am Cache`.
 */

const thing = "(?<thing>[^,;:.!?—–]{2,80}?)";
const ended = "(?= after all| at all| as (?:i|we) | but |[,;:.!?—–]|$)";
const of = "(?:(?:actually |really )?(?:caused by|due to|because of|down to|in|with|about) )?";
const phrases = [
  `\\b(?:was|were|is|are)(?:n['’]t| not) ${of}${thing}${ended}`,
  `\\b(?:rather than|instead of|and not|, not) ${of}${thing}${ended}`,
  `\\b(?:wrong about|nothing to do with|ruled out|blamed) ${thing}${ended}`,
  `(?:lag|liegt|war|waren|ist|kam) (?:es )?(?:doch )?nicht (?:an |am |der |die |das |vom )?${thing}(?=,? sondern|[,;:.!?—–]|$)`,
  `\\bno (?:era|fue|estaba en|se debía a) ${thing}(?=,? sino|[,;:.!?—–]|$)`,
  `\\bnão (?:era|foi|estava em) ${thing}(?=,? mas|[,;:.!?—–]|$)`,
  `(?:n['’]était|ne venait|n['’]est) pas (?:du |de la |de l['’]|le |la |l['’])?${thing}(?=,? mais|[,;:.!?—–]|$)`,
  `(?:не|дело не в|справа не в) ${thing}(?=, (?:а|але)(?: |$))`,
  `不是${thing}(?=[,,、]?而是)`,
  `${thing}ではなく`,
].map((phrase) => new RegExp(phrase, "g"));

/** The terms of each thing that the sentences turn away from. */
export function turnedAway(sentences: readonly string[]): (readonly string[])[] {
  return sentences
    .map(ownWordsOf)
    .flatMap((words) => phrases.flatMap((phrase) => [...words.matchAll(phrase)]))
    .map(({ groups }) => termsOf(groups?.thing ?? ""))
    .filter((terms) => terms.length > 0);
}

export function termsOf(text: string): string[] {
  return [...new Set(indexTokens(text))];
}
