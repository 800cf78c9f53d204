import { matchesElsewhere } from "./foreign-findings.ts";

/* Whether a sentence says what was done about the cause that the sentence before it names. In lower case. */

const done =
  "fix(?:ed|es)?|solved|resolved|mended|corrected|patched|repaired|moved|added|changed|switched|replaced|removed|dropped|raised|lowered|increased|reduced|set|pinned|bumped|upgraded|downgraded|wrapped|deduplicated|disabled|enabled|closed|rewrote|reverted|split|renamed|cached|awaited|sorted|excluded|included|restored|reset|made|turned|put|stopped|now";
const fix = new RegExp(
  [
    String.raw`^(?:(?:so|and|therefore|instead|for now),? )?(?:i|we)(?:['’]ve| have)? (?:now |also |therefore |just )?(?:${done})\b`,
    String.raw`^(?:${done})\b`,
    String.raw`^(?:the |a |my )?(?:fix|solution|remedy|workaround|cure)\b`,
    String.raw`\b(?:fix(?:ed|es)|solves|solved|resolves|resolved|cures|helped|helps|did the trick|makes? it (?:pass|work))\b`,
    String.raw`^(?:it|this|that|they|the \w+) (?:is|are|now) (?:now )?\w+`,
    String.raw`\bnow\b`,
  ].join("|"),
);
/** Says in so many words that what came before was wrong. */
const mends =
  /^(?:i(?:['’]ve| have)? )?(?:now )?(?:fixed|solved|resolved|corrected)\b|\b(?:fix(?:es|ed)|solve[sd]|resolve[sd]) (?:it|this|that)\b/;

export function tellsMending(words: string): boolean {
  return mends.test(words) && !status.test(words);
}

/** Not about the cause: `All tests pass now.` */
const status = /\b(?:pass(?:es|ed|ing)?|green|committed|pushed|merged|done|finished|verified)\b/;

export function tellsFix(words: string): boolean {
  return (fix.test(words) && !status.test(words)) || matchesElsewhere(words, "fix");
}
