/*
 * British and American spellings of the same word. Works on words, not stems, because `normalise` and `normalize` have
 * different stems. Wrong results for other words (`error`, `promise`) do no harm: nobody writes them, so they find
 * nothing.
 */

const rules: readonly (readonly [RegExp, string])[] = [
  [/is(?=(?:e[drs]?|ers|ing|ations?)$)/, "iz"],
  [/iz(?=(?:e[drs]?|ers|ing|ations?)$)/, "is"],
  [/ys(?=(?:e[drs]?|ers|ing)$)/, "yz"],
  [/yz(?=(?:e[drs]?|ers|ing)$)/, "ys"],
  [/our(?=(?:s|ed|ing|ful|al|able|ites?|less)?$)/, "or"],
  [/or(?=(?:s|ed|ing|ful|al|able|ites?|less)?$)/, "our"],
  [/(?<=^(?:cent|calib|fib|lit|met|spect|theat))re(?=s?$)/, "er"],
  [/(?<=^(?:cent|calib|fib|lit|met|spect|theat))er(?=s?$)/, "re"],
  [/(?<=^(?:defen|licen|offen|preten))ce(?=[ds]?$)/, "se"],
  [/(?<=^(?:defen|licen|offen|preten))se(?=[ds]?$)/, "ce"],
  [/(?<=^(?:anal|catal|dial))ogue(?=s?$)/, "og"],
  [/(?<=^(?:anal|catal|dial))og(?=s?$)/, "ogue"],
  [/^artefact/, "artifact"],
  [/^artifact/, "artefact"],
  [/^grey/, "gray"],
  [/^gray/, "grey"],
];

const shortest = 4;

/** The other spelling of a lower-case word, if it may have one. */
export function regionalSpelling(word: string): string | undefined {
  if (word.length < shortest) return undefined;
  const rule = rules.find(([written]) => written.test(word));
  return rule === undefined ? undefined : word.replace(rule[0], rule[1]);
}
