import { indexTokens } from "../../text/tokens.ts";

/*
 * Names with a number, such as `SHOP-1423`, `issue 482`, `#482`, `port 8443`, `version 1.2`. In such a name even a
 * short number is significant; and if the number occurs in no document, the rest of the name, which others share, tells
 * little.
 */

const ticket = /^([a-z]+)[-_]\d+$/;
const kinds =
  "issue|pr|mr|pull request|merge request|bug|ticket|port|error|exit code|code|status|http|version|rfc|release|migration|sprint";
const called = new RegExp(`(?:#|\\b(${kinds})(?: no\\.?| number)?:? #?)(\\d+(?:\\.\\d+)*)(?![\\w-])`, "gi");

interface NumberedNames {
  /** Index tokens of the numbers in such names. */
  readonly numbers: ReadonlySet<string>;
  /** Index tokens of names that occur in the query only with numbers that no document contains. */
  readonly series: ReadonlySet<string>;
}

export function readNumberedNames(
  query: string,
  sequence: readonly string[],
  isKnown: (term: string) => boolean,
): NumberedNames {
  const found = (/\d/.test(query) ? [...query.matchAll(called)] : []).map(([, kind = "", number = ""]) => ({
    names: indexTokens(kind),
    // The whole number only, not its parts (`12` of `3.12`).
    numbers: indexTokens(number).slice(0, 1),
  }));
  const tickets = sequence.filter((term) => ticket.test(term) && !isKnown(term));
  const beginnings = [
    ...tickets.flatMap((term) => indexTokens(ticket.exec(term)?.[1] ?? "")),
    ...found.flatMap(({ names, numbers }) => (numbers.some(isKnown) ? [] : names)),
  ];
  const times = (words: readonly string[], word: string) => words.filter((one) => one === word).length;
  return {
    numbers: new Set(found.flatMap(({ numbers }) => numbers)),
    series: new Set(beginnings.filter((word) => times(sequence, word) === times(beginnings, word))),
  };
}
