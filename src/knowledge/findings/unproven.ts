import { matchesElsewhere } from "./foreign-findings.ts";

/* Sentences with the words of a finding that only suppose a cause, deny one, or still look for it. */

const cause = "(?:root cause|cause|culprit|reason|explanation|problem|issue|bug|failure)";

const supposed = [
  "probably|possibly|perhaps|maybe|might|presumabl[ye]|supposedly|apparently|allegedly|conceivably|hypothes[ei]s|theory",
  "suspects?|suspected|guess(?:ing)?|speculat\\w+|assum(?:e|ing|ption)|unsure|not sure|not certain|i (?:think|believe|doubt|wonder)|we (?:think|believe)",
  "seems?|seemed|appears? to|looks? (?:like|as (?:if|though))|looked like|could (?:be|have been|also|well|explain)|may (?:be|have|also|well|not|explain)",
  `(?:likely|possible|potential|plausible|candidate|suspected|presumed|other|common|typical|usual|frequent) (?:root )?${cause}s?`,
  "(?:most |very |quite )?likely|it(?:['’]s| is) (?:possible|plausible|conceivable)|would (?:explain|be)",
  "(?:not|n['’]t) (?:yet )?(?:been )?(?:verified|confirmed|proven|reproduced)|(?:need|have|want|still) to (?:confirm|verify|check|find|understand|investigate)|unconfirmed|unverified",
];
const sought = [
  `(?:is|are|was|remains?|stays?) (?:still |yet |as yet )?(?:unknown|unclear|open|uncertain|a mystery|(?:not|n['’]t) (?:yet )?(?:known|clear|understood|found))`,
  `no (?:obvious |clear |single |root |real )*(?:cause|culprit|reason|explanation)`,
  `(?:could|did|was|can|have)(?:n['’]t| not|not)(?: yet)? (?:able to )?(?:find|found|determined?|identif(?:y|ied)|figured?|pin|tell|establish|reproduced?)(?: (?:out|down|the (?:root |real |actual )?(?:cause|culprit|reason|problem|bug|source)|an? (?:cause|reason|explanation)|any|why|what|how|it|this)\\b|$|[.,;])`,
  "(?:look(?:ing)?|search(?:ing)?) (?:for|into)|investigat(?:e|ing)|find(?:ing)? (?:out|the cause)|dig(?:ging)? into|figure out",
];
const denied = [
  `${cause} (?:is|was|were)(?: not|n['’]t)(?!.*\\b(?:but|rather|it was|it is|it['’]s)\\b)`,
  "(?:is|was|were|are)(?: not|n['’]t) (?:actually |really )?(?:caused|triggered|because|due|down to)(?!.*\\bbut\\b)",
  "nothing to do with|unrelated to|not related to|has nothing|rul(?:ed|es|ing) out",
];
const unproven = new RegExp(String.raw`\b(?:${[...supposed, ...sought, ...denied].join("|")})\b`);

/** At the beginning: a condition, a plan, a proposal. */
const opens =
  /^(?:(?:and|but|so|or|now|next|first|then|ok(?:ay)?|also|finally|instead),? )*(?:if|in case|when(?:ever)? (?:the|an?|it|this|you|your|we)\b[^,.]{0,60}\b(?:fails?|breaks?|is|are|does|crash(?:es)?|hangs?)|unless|let me|let['’]s|i['’]ll|i will|i need|i should|i want|i['’]m going|we (?:should|need|have to|could|will)|to (?:find|see|check|understand|avoid|reproduce|debug)|still (?:to do|open)|to-?do|please|check (?:if|whether)|whether|make sure|ensure|imagine|suppose|say|e\.g\.|for example|for instance|example:|symptom:)(?![\w'’])/;
/** What will or would happen. */
const tobe =
  /\b(?:will|would|['’]ll|could|should)(?: (?:still|then|also|always|never|otherwise))? (?:fail|break|crash|hang|be|have|cause|result|time out|lead|throw|leak|return)\b[^.!?]*\b(?:because|since|due to|as)\b|\b(?:cause|reason|problem|issue) (?:should|would|will|must|can) be\b/;
/** What somebody else says. */
const reported =
  /\baccording to\b|\b(?:docs?|documentation|readme|manual|report|logs?|output|article|thread|ticket|changelog|comment|spec|rfc|faq|guide|tutorial|reviewer|user|message|text|trace|warning|error|exception|blog(?: post)?|wiki)\b(?:['’]s)?(?: [^\s.!?;:]{1,20}){0,2} (?:says?|said|states?|stated|claims?|claimed|reads?|mentions?|mentioned|explains?|describes?|tells?|told|suggests?|lists?|notes?)\b|^(?:you|the user) (?:said|told|mentioned|wrote|asked)|^quote\b/;
/** A line of an output. */
const printed =
  /^(?:(?:npm|pnpm|yarn|pip|cargo) )?(?:err!|error:|fatal:|warn(?:ing)?:|panic:|traceback|error\[|at \S+ \()|^\[?\d{4}-\d\d-\d\d[t ]|^output:|^\|/;
const question = /[?？]["'”’»)*_]{0,3}$/;

/** Whether a sentence in lower case leaves open whether it is so. */
export function isUnproven(words: string): boolean {
  return (
    question.test(words) ||
    [unproven, opens, tobe, reported, printed].some((pattern) => pattern.test(words)) ||
    matchesElsewhere(words, "unproven")
  );
}
