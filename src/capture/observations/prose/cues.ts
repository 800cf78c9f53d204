import { lowerCase } from "../../../text/lower-case.ts";
import { sentencesOf } from "../../../text/sentences.ts";
import { hasForeignDecisionCue, hasForeignPreferenceCue, isForeignForGood } from "./foreign-cues.ts";
import { withoutIdleCues } from "./idle-cues.ts";
import { isStandingOrder } from "./standing-orders.ts";

// The first cue words are those of the contract on observations ("decision cue", "preference cue"). In French
// `chose` means thing.
const decisionCue =
  /\b(?:decided (?:to|on|against|for)|we will|we['’]ll use|let['’]s (?:use|take|keep|stick)|go(?:ing)? with|instead of|switch to|(?<!(?:quelque|autre|grand|même|de|la|une|cette|peu de) )chose|choose|agreed|from now on|must|never|always|stick (?:to|with)|on second thoughts?|changed (?:my|our) minds?|reverse (?:the|that|our) decision|we no longer (?:use|keep|run|need|want|support)|we(?:['’]ve| have|['’]re| are)? (?:(?:now|just) )?(?:moved to(?! the)|moving to(?! the)|migrated to|migrating to|standardi[sz](?:ed|ing) on|settled on)|let['’]s not (?:use|add)|switch(?:ed|ing)? (?:\S{1,40} ){0,3}from \S{1,40} (?:\S{1,40} ){0,2}to)\b/i;
/** `Replace Celery with arq.`, but not `replace tabs with spaces in cart.ts`, which changes a text. */
const replaces =
  /(?:^|[.!?,;:]\s|\b(?:let['’]s|we|we['’]ll|please) )replace (?:\S{1,40} ){1,3}(?:with|by) \S{1,40}(?: \S{1,40})?(?=\s*$|[.!](?:\s|$))/im;
/** `ok, fastify it is`. */
const settled =
  /(?:^|[.!?,;:]\s)(?!(?:here|there|as|now|what|so|this|that|how|if|maybe) )[\w@/.+-]{2,40}(?: [\w@/.+-]{1,20})? it is(?=\s*(?:[.!,;]|$))/im;
/** What happens, as opposed to what shall: `never ran`, `always returns`, `must have been`, `we will get SMS later`. */
const happens =
  /\b(?<!\b(?:is|are|be) )(?:never|always) (?:(?!(?:need|feed|seed|speed|embed|exceed|proceed|succeed)\b)[a-z]+ed|[a-z]{2,}[^\Wsuia]s|has|ran|got|had|was|were|did|came|saw|went|took)\b|\bmust(?: not|n['’]t)? have\b|\bwe will (?:(?:soon|later|then|also|probably) )?(?:get|see|need)\b/gi;
/** A result: `40 ms instead of 900 ms`, but not `wait 60 s instead of 30 s`. */
const measured =
  /(?<!\b(?:to|of|at|after|every|for|with|by|use|wait|allow|keep|set|limit|take) )(?<![\d.,])\d[\d.,]{0,12} ?(?:[mµn]?s|secs?|seconds?|min|minutes?|h|hours?|%|[kmg]i?b) instead of \d/gi;
/** A fault: `the cause was local time instead of UTC`, `it returned null instead of []`. */
const faulty =
  /\b(?:cause|reason|bug|problem|fault|mistake|issue|culprit) (?:was|is)\b[^.!?;]{0,200}?\binstead of\b|\b(?:returned|gave|received|yielded|printed)(?: [^\s.!?;,]{1,40}){1,4}? instead of\b/gi;
/** What a program complained about: `TypeError: callback must be a function`. */
const complaint = /\b\w{0,40}(?:Error|Exception|Violation)(?: \[?\w{1,12}\]?)?: .*/gs;
/** How things are. A user who says so may set a rule (`amounts are always cents`), an agent describes. */
const describes =
  /\b(?:is|are|was|were|been|has|have|had|it|this|that|which|who|could|would|did|does)(?:n['’]t)? (?:(?:also|now|then|still|almost|nearly) )?(?:never|always)\b/gi;
const languages =
  "english|german|french|spanish|portuguese|italian|dutch|russian|ukrainian|polish|czech|turkish|chinese|japanese|korean";
/** `Please answer in German`, but not `the bot should reply in German`. */
const answerIn = `(?<=(?:^|[.!?;:,]\\s|\\b(?:please|always|and)\\s))(?:answer|reply|respond|speak|talk|write)(?: (?:to )?me)?(?: (?:only|always))? in (?:${languages})`;
const lastingCues =
  "prefer(?:s|red)?|please use|don['’]t use|do not use|we (?:only |always |all )?use|we (?:don['’]t|do not|never) use|use [^.,;!?\\n]{1,40},? not|in general|as a rule|in (?:the )?future|(?:without )?ask(?:ing)? me (?:first|before)|without asking";
const lastingCue = new RegExp(String.raw`\b(?:${lastingCues}|${answerIn})\b`, "i");
/** Those that a question has, too, when it says what somebody wants. */
const wishCue = /\b(?:prefer(?:s|red)?|please use|don['’]t use|do not use|I like|I want)\b/i;

/** Whether the text states a decision or a lasting rule. */
export function hasDecisionCue(text: string): boolean {
  return (
    [decisionCue, settled, replaces].some((cue) => cue.test(text)) || hasForeignDecisionCue(lowerCase(text))
  );
}

/** Who said a text. */
export type Speaker = "user" | "agent";

/** A text without `always`, `never` and `must` where they only tell what happens. */
export function withoutDescriptions(text: string, speaker: Speaker): string {
  const told = withoutIdleCues(text, speaker)
    .replace(happens, "")
    .replace(measured, "")
    .replace(faulty, "")
    .replace(complaint, "");
  return speaker === "user" ? told : told.replace(describes, "");
}

const question = /[?？؟]["'”’»)]{0,2}$/u;

/**
 * Whether a sentence with decision cues decides nothing: it asks, or has cues only where it tells what happens (`the
 * hook never ran`) or in a phrase (`never mind`). Without a speaker it may be the user's.
 */
export function decidesNothing(sentence: string, speaker: Speaker = "user"): boolean {
  if (!hasDecisionCue(sentence)) return false;
  return question.test(sentence.trim()) || !hasDecisionCue(withoutDescriptions(sentence, speaker));
}

/** Whether a text of one or more sentences states what somebody wants or likes. */
export function hasPreferenceCue(text: string, speaker: Speaker): boolean {
  if (wishCue.test(text) || hasForeignPreferenceCue(lowerCase(text))) return true;
  if (speaker === "agent" && !lastingCue.test(text)) return false;
  return [...sentencesOf(text)].some((sentence) => isLastingWish(sentence, speaker));
}

/** `Which queue do we use?` asks for one. */
function isLastingWish(sentence: string, speaker: Speaker): boolean {
  if (question.test(sentence)) return false;
  return lastingCue.test(sentence) || (speaker === "user" && isStandingOrder(sentence));
}

/**
 * The sentences of a prompt that state how the user wants work done in general. Questions and sentences with
 * only `I want` or `I like` are left out: these are mostly about the present task.
 */
export function lastingPreferencesIn(prompt: string): string[] {
  return [...sentencesOf(prompt)].filter(
    (sentence) =>
      isLastingWish(sentence, "user") ||
      (!question.test(sentence) && hasForeignPreferenceCue(lowerCase(sentence))),
  );
}

const forGood = /\b(?:never|always|from now on)\b/i;

/** Whether a sentence that decides something does so beyond the present task. */
export function isForGood(sentence: string): boolean {
  return forGood.test(withoutDescriptions(sentence, "user")) || isForeignForGood(lowerCase(sentence));
}

interface CueSentences {
  readonly decisions: readonly string[];
  readonly preferences: readonly string[];
}

const mostDecisions = 3;
const mostPreferences = 1;

/**
 * The first sentences with a cue, of a prompt or an assistant's text: at most 3 decisions and 1 preference. Sentences
 * that only tell how things are get the places that others leave.
 */
export function cueSentencesOf(text: string, speaker: Speaker): CueSentences {
  const decisions: CuedSentence[] = [];
  const preferences: string[] = [];
  // A text without a cue has no sentence with one, so the search can be skipped.
  const hasDecisions = hasDecisionCue(text);
  const hasPreferences = hasPreferenceCue(text, speaker);
  let decisionsWanted = hasDecisions ? mostDecisions : 0;
  for (const sentence of hasDecisions || hasPreferences ? sentencesOf(text) : []) {
    if (decisionsWanted > 0 && hasDecisionCue(sentence)) {
      const decides = hasDecisionCue(withoutDescriptions(sentence, speaker));
      decisions.push({ sentence, decides });
      if (decides) decisionsWanted -= 1;
    }
    if (hasPreferences && preferences.length < mostPreferences && hasPreferenceCue(sentence, speaker))
      preferences.push(sentence);
    if (decisionsWanted === 0 && (!hasPreferences || preferences.length === mostPreferences)) break;
  }
  return { decisions: mostDecisive(decisions), preferences };
}

interface CuedSentence {
  readonly sentence: string;
  /** Whether it is more than a description. */
  readonly decides: boolean;
}

/** As many as are wanted, in the order of the text. */
function mostDecisive(decisions: readonly CuedSentence[]): string[] {
  const first = decisions.toSorted((a, b) => Number(b.decides) - Number(a.decides)).slice(0, mostDecisions);
  return decisions.filter((one) => first.includes(one)).map(({ sentence }) => sentence);
}
