import { lowerCase } from "../../text/lower-case.ts";
import { within } from "./finding-patterns.ts";
import { matchesElsewhere } from "./foreign-findings.ts";
import { namesTrouble, tellsMishap, tellsTrouble } from "./trouble.ts";
import { isUnproven } from "./unproven.ts";

/*
 * Whether a sentence tells what an agent found out: why something failed, or what turned out. `because` alone does not
 * count, because most sentences with it explain what code does or why something was chosen: what stands before it must
 * have gone wrong.
 */

const wrong =
  "(?:problem|issue|bug|error|fault|mistake|failure|trouble|flake|crash|leak|regression|discrepancy|slowdown)";
const surely = "(?:actually |really |simply |just |indeed |in fact |in the end |all |mainly |ultimately )?";
const is = `(?:was|were|is|are|turn(?:s|ed) out to be) ${surely}`;
/** `The issue is a duplicate`, `the bug is in progress`. */
const isElse =
  "(?!in (?:progress|review|triage|the (?:backlog|logs?|output|milestone|sprint))|(?:an? |the )?(?:duplicate|same|blocker|known|feature|minor|low)\\b)";

/** Phrases that name a cause by themselves. */
const named = new RegExp(
  [
    String.raw`\b(?:cause|culprit|root of (?:the|this|that) ${wrong})(?: (?:of|for|behind|here|found)\b${within(120)})? ${is}`,
    String.raw`\breason (?:was|turned out to be|is that)\b`,
    String.raw`\bexplanation(?: for\b${within(80)})? (?:is|was)(?: \w+)?(?: that\b|:)`,
    String.raw`\bwhat (?:actually |really )?(?:happened|went wrong) (?:was|is) that\b`,
    String.raw`\bwhat (?:actually |really )?(?:caused|broke|triggered|made|killed|blocked)\b${within(100)} (?:was|is|were)\b`,
    String.raw`(?:^|[;:,] )(?:it|this|that|they) (?:all )?(?:came|stemmed|came down) (?:from|to) (?!the same\b)`,
    String.raw`\b${wrong}(?: (?:here|there|itself))?(?: (?:with|in) [^.!?;:]{1,60}?)? (?:was|were|turned out to be|lay) ${surely}(?:that|in|with|because|due|caused|how|the|an?|two|three|code|lack|missing|not enough|on)\b`,
    String.raw`\b${wrong}(?: (?:here|there))? (?:is|lies) ${surely}${isElse}(?:that|in|because|due|how)\b`,
    String.raw`\b(?:was|were|been|being|got|(?:this|it|that|which) is|${wrong}s? (?:is|are)) ${surely}caused by\b`,
    String.raw`\b(?:this|it|that) (?:only )?(?:happen(?:s|ed)|occur(?:s|red)) (?:only )?because\b|\b(?:this|it|that) was because\b`,
    String.raw`\b(?:track|trace|pin|narrow)(?:d|ed|ned)?(?: (?:(?:it|this|that|them|the [^.!?;:]{1,60}?)(?: (?:back|down))?|back|down))? to\b(?<!\b(?:track|trace|pin|narrow)(?:d|ed|ned)? to)|\bboil(?:s|ed) down to\b`,
    String.raw`[;,—–] ${within(80)}\b(?:fix(?:es|ed)|solve[sd]|resolve[sd]|cure[sd]) (?:it|this|that)\b`,
    String.raw`\b(?:broke|killed) (?:[\w-]+ ){0,3}[\w-]+:`,
    String.raw`, which (?:then |in turn |silently )?(?:crashed|broke|killed|blocked|hid|swallowed|overwrote|dropped|busted|corrupted|caused|(?:made|let|left)${within(60)} (?:fail|crash|hang|slow|empty|wrong|stuck|broken))\b`,
    String.raw`\bbrok?e(?:n)? (?:when|after|once|with) [^.!?;:]{3,80}[:;—–]`,
  ].join("|"),
);
/** The cause follows the label. */
const label =
  /^(?:the )?(?:(?:actual|real|likeliest|underlying|root) )?(?:cause|culprit|diagnosis|findings?|what (?:went wrong|happened)|why [^.!?;:]{5,80}|bug|mistake|problem|issue)(?: found)?(?: of [^.!?;:]{1,80})?:|^(?:(?:i|we)(?:['’]ve| have)? )?(?:finally )?(?:found|tracked down|pinned down|located|identified|understood) (?:it|(?:the|this|that|our) [^.:]{1,60}):|^(?:here(?:['’]s| is) )?what happened(?: here)?:|^(?:the )?(?:reason|explanation)(?: (?:for|why) [^.:]{1,80})?:/;
/** Only the label: the cause is the next sentence. */
const labelOnly =
  /^(?:the )?(?:(?:actual|real|underlying|root) )?(?:cause|culprit|diagnosis|what went wrong|why (?:it|this) (?:happened|failed|broke))(?: of [^.!?;:]{1,80})?:?$|^mystery solved[.!:]?$|^here(?:['’]s| is) (?:what happened|why)[.:]?$|^(?:(?:i|we)(?:['’]ve| have)? )?(?:finally )?found (?:it|the (?:[\w-]+ )?(?:bug|problem|issue|cause|culprit|reason|leak|error|mistake|race))(?: in [^.:]{1,60})?[.!:]?$/;

const turnsOut = /\bturn(?:s|ed) out\b(?<rest>.*)/;
/** `It turns out fine`, `turns out you were right`, `turns out all tests pass`. */
const turnsOutWell =
  /^,? (?:that |to be )?(?:(?:quite |pretty |very |just |perfectly )?(?:fine|ok(?:ay)?|well|good|great|nice(?:ly)?|correct|right|green|unnecessary|harmless|eas(?:y|ier)|simple[r]?)\b|you(?:['’]re| were| are)\b|(?:that )?(?:(?:we|i) (?:do not|don['’]t) need|(?:all|everything|every)\b.*\b(?:pass(?:es)?|works?|fine|green)\b))/;

/** What goes wrong stands before these, its cause behind. */
const connective =
  /\b(?:because(?: of)?|due to|owing to|(?:the |a )?(?:result|consequence) of|caused by|triggered by|introduced by|down to|(?:came|comes|stem(?:s|med)|result(?:s|ed)|arises?|arose|originat(?:es|ed)) from)\b|(?<!\b(?:have|has|had|ever) (?:[^.!?;]{1,60} )?)\bsince (?!yesterday|last|this|then|monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|january|february|march|april|may|june|july|august|\d|v\d|version|commit|(?:the|our|that) (?:[\w-]+ )?(?:upgrade|update|release|merge|migration|deploy\w*|switch|last)\b)|, as (?=the|it|its|this|that|both|each|every|an?|no|code)\b| as (?=(?:the|its?|this|both|our|no|code) (?:[\w-]+ ){0,4}(?:was|were|is|are|had|has|did|does|could|cannot|never)\b)/;
/** Behind anything that happened, and did so by mistake. */
const cause = /\bbecause\b|\bdue to\b|\bowing to\b/;
const hence = /\b(?:hence|because|so|therefore|which)\b/;
/** The cause stands before, what goes wrong behind. */
const noWonder = /\bno wonder\b(?<effect>[^.!?;:]{3,120})[:;,—–]/;
const therefore = /\b(?:which|that|this)(?:['’]s| is| was| explains)? why\b|\bwhich explains\b/;
/** `The reason the page hangs is that …`. */
const reasonOf = new RegExp(
  String.raw`\breason (?:for|why|that|the|it|this)\b(?<effect>${within(120)}) (?:is|was)\b`,
);
/** `The failing assertion was a time zone problem`. */
const happens = /\b(?:happen(?:s|ed)?|occur(?:s|red)?|not|only|never|no longer|differs?)\b|n['’]t\b/;
const kindOf =
  /(?<effect>.*) (?:was|turned out to be) (?:just |simply |really )?an? (?:[\w-]+ ){0,3}(?:problem|issue|bug|mismatch|race(?: condition)?|typo|deadlock|leftover)\b/;
const foundThat = /\b(?:i|we) (?:found|discovered|figured)(?: out)? (?:that|why|how)\b(?<effect>.*)/;

/** What somebody did, or left undone, for a reason. */
const ownAct =
  /^(?:(?:so|and|but|then|also|instead|therefore|for now),? )?(?:i|we|you|let['’]s)(?:['’]ve| have|['’]ll)? (?!(?:were|got|hit|saw|had|lost|ran into|kept) )|^(?:swapped|switched|moved|added|dropped|replaced|removed|renamed|picked|chose|kept|used|made|put|set|went|took|left|changed|migrated|disabled|enabled|rewrote|split|merged|reverted|bumped|upgraded|downgraded|deleted|introduced|updated|refactored|extracted)\b/;

/** Code says nothing by its words, and a quotation is not the agent's. */
export function ownWordsOf(sentence: string): string {
  return lowerCase(sentence)
    .replace(/`[^`]*`/g, "code")
    .replace(/"[^"]{15,}"|“[^”]{15,}”|„[^“”]{15,}[“”]|«[^»]{15,}»/g, "quote")
    .replace(/\*\*|__/g, "")
    .trim();
}

/** Whether a sentence, in the agent's own words, names the cause of something. */
export function tellsFinding(words: string): boolean {
  return (namesCause(words) || matchesElsewhere(words, "cause")) && !isUnproven(words);
}

/** Whether a sentence is only a label for the cause in the next one. */
export function announcesFinding(words: string): boolean {
  return labelOnly.test(words.replace(/^#+ /, ""));
}

function namesCause(words: string): boolean {
  return (
    label.test(words) ||
    named.test(words) ||
    turnsOutBadly(words) ||
    explainsTrouble(words) ||
    tellsWhy(words)
  );
}

function turnsOutBadly(words: string): boolean {
  const rest = turnsOut.exec(words)?.groups?.rest;
  return rest !== undefined && rest.trim().split(" ").length > 2 && !turnsOutWell.test(rest);
}

function explainsTrouble(words: string): boolean {
  const told = cause.exec(words);
  if (told !== null && isMishap(lastPart(words.slice(0, told.index)))) return true;
  const found = connective.exec(words);
  if (found === null) return false;
  const effect = lastPart(words.slice(0, found.index));
  if (/\b(?:is|are) $/.test(effect) && /\b(?:if|when(?:ever)?)\b/.test(words)) return false;
  return tellsTrouble(effect) && !ownAct.test(effect);
}

/** `I looked at the dump: the leak comes from …` */
function lastPart(clause: string): string {
  return clause.slice(clause.search(/[:;—–] [^:;—–]*$/) + 1).trimStart();
}

function isMishap(clause: string): boolean {
  return tellsMishap(clause) && !ownAct.test(clause);
}

/** Whether a sentence tells why something is so, which is a finding if a remedy for it follows. */
export function explains(words: string): boolean {
  return cause.test(words) && !ownAct.test(words) && !isUnproven(words);
}

function tellsWhy(words: string): boolean {
  const why = therefore.exec(words);
  if (why !== null) {
    const effect = words.slice(why.index + why[0].length).trim();
    if (tellsTrouble(effect) || isMishap(effect)) return true;
  }
  return [reasonOf, kindOf, foundThat, noWonder].some((pattern) => {
    const effect = pattern.exec(words)?.groups?.effect;
    if (effect === undefined) return false;
    return namesTrouble(effect) || happens.test(effect) || (pattern === foundThat && hence.test(effect));
  });
}
