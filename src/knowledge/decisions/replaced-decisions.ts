import { scriptPattern } from "../../text/script-pattern.ts";
import { sentencesOf } from "../../text/sentences.ts";
import { indexTokens } from "../../text/tokens.ts";
import {
  decidingElsewhere,
  deniesElsewhere,
  deniesOnlyElsewhere,
  deniesUnbounded,
  foreignTurns,
  mayTurnElsewhere,
} from "./foreign-turns.ts";
import { scopeOfTurn } from "./turn-scope.ts";

/*
 * Which decision a later one replaces. Only clear words count, because a decision that is wrongly taken for replaced is
 * not shown: the later one names what it turns away from (`Postgres instead of Redis`, `no longer Redis`), and the
 * earlier one chose just that for the same subject.
 */

// Without Unicode classes, which take long to compile.
const word = "[^\\s,;:!?()]*[^\\s,;:!?().'’-]";
const article = "(?:(?:the|an?|our|any|plain) )?";
const ended =
  "(?= (?:for|in|on|to|as|because|since|when|with|by|from|and|or|at|any ?more|now)\\b|[.,;:!?)]|$)";
/** Up to three words, until a preposition or the end of the clause. */
const thing = `${article}(?<thing>${word}(?: ${word}){0,2}?)`;

const turningPhrases = [
  `\\b(?:instead of|rather than) (?:using )?${thing}${ended}`,
  `\\bno longer (?:(?:uses?|using|needs?|keeps?|runs?|wants?|rel(?:y|ies) on|depends? on) |in |on |with )?${thing}${ended}`,
  `\\b(?:switch|mov|migrat|chang)(?:e|es|ed|ing)? (?:${word} ){0,3}?(?:away )?from ${thing} to\\b`,
  `\\breplac(?:e|es|ed|ing) ${thing} (?:with|by)\\b`,
  `(?:^|[,;:] )${thing} (?:is|are) (?:now )?(?:out|gone|dropped|off the table)(?= now|[.,;:!?]|$)`,
  `\\b(?:stop(?:ped)? using|abandon(?:ed)?|ditch(?:ed)?|(?:do not|don['’]t) use) ${thing} any ?more\\b`,
  `\\b(?:stop(?:ped)? using|abandon(?:ed)?|ditch(?:ed)?) ${thing}${ended}`,
  ...foreignTurns,
];

/** What is not decided, wherever it stands. */
const open = /[?？]\s*$|\b(?:if|might|may|maybe|perhaps|unless|until|someday)\b/i;
/** What is not decided, or denied, unless it only explains. */
const proposes = /\b(?:could|would|consider\w*|never)\b/i;
const denies = new RegExp(
  `\\b(?:not|no|never|avoid\\w*|without|${deniesElsewhere})(?![\\wà-ÿ])|n['’]t\\b|${deniesUnbounded}`,
  "i",
);
/** `do not use Redis any more` denies only what it turns away from. */
const deniesOnly = new RegExp(
  String.raw`\b(?:do not|don['’]t) use\b[^.!?]{1,60}\bany ?more\b|\bno longer\b|\bnicht mehr\b|\bkein(?:e[nrms]?)? [^.!?]{1,60}\bmehr\b|${deniesOnlyElsewhere}`,
  "gi",
);
const reason = /[;:(—–]|\b(?:because|since|so that|weil|denn|porque|parce que)\b/;
/** `Liquibase 4.27` is given up with Liquibase. */
const version = /^ v?\d+(?:\.\d+)*(?![\w.]*\w)/;

/** Words that say that something is decided, not what about. */
const decidingWords =
  "use using used keep kept decide decided agree agreed go going take choose chose chosen will must always we let us now " +
  "switch move migrate change replace back instead rather than longer stop abandon ditch want shall stick live store stored " +
  decidingElsewhere;

interface TurnPatterns {
  readonly turnsAway: readonly RegExp[];
  /** Terms of the deciding words. */
  readonly deciding: ReadonlySet<string>;
}

let made: TurnPatterns | undefined;

/** Made at first use: that takes milliseconds, and few texts turn away from anything. */
function turnPatterns(): TurnPatterns {
  made ??= {
    turnsAway: turningPhrases.map((phrase) => new RegExp(phrase, "gi")),
    deciding: new Set(indexTokens(decidingWords)),
  };
  return made;
}

/** The names of products and files are told from common words by their spelling. */
const likeName = scriptPattern(String.raw`[\p{Lu}\d._/@+#]`);

/** What a sentence of a decision turns away from. */
interface Turn {
  /** In lower case. */
  readonly thing: string;
  readonly isName: boolean;
  /** Terms of the thing. */
  readonly named: readonly string[];
  /** Terms of the sentence. */
  readonly said: readonly string[];
  /** Terms of where it holds. */
  readonly scope: readonly string[];
}

/** Read first, in lower case, because that is quick, and few texts have any of these words. */
const mayTurn = new RegExp(
  `instead of|rather than|no longer|\\bfrom\\b|replac|\\b(?:out|gone|dropped|abandon|ditch|stop)|off the table|any ?more|${mayTurnElsewhere}`,
);

function turnsIn(decision: string): Turn[] {
  if (!mayTurn.test(decision.toLowerCase())) return [];
  return [...sentencesOf(decision)].flatMap((sentence) =>
    turnedFrom(sentence)
      .filter((thing) => isDecided(sentence, thing.toLowerCase()))
      .map((thing) => ({
        thing: thing.toLowerCase(),
        isName: likeName(thing).test(thing),
        named: termsOf(thing),
        said: termsOf(sentence),
        scope: scopeOfTurn(sentence, thing).filter((term) => !turnPatterns().deciding.has(term)),
      })),
  );
}

/** What a decision chose, for which subject; undefined if it says more than that, or nothing of the kind. */
interface Choice {
  readonly text: string;
  /** Terms of what it turned away from itself. */
  readonly rejected: ReadonlySet<string>;
}

function choiceIn(decision: string): Choice | undefined {
  const [text, ...more] = sentencesOf(decision);
  if (text === undefined || more.length > 0 || open.test(text)) return undefined;
  return {
    text,
    rejected: new Set(mayTurn.test(text.toLowerCase()) ? turnedFrom(text).flatMap(termsOf) : []),
  };
}

/** The things that a sentence turns away from. */
function turnedFrom(sentence: string): string[] {
  return turnPatterns().turnsAway.flatMap((pattern) =>
    [...sentence.matchAll(pattern)].flatMap(({ groups }) => groups?.thing ?? []),
  );
}

/** Whether a sentence decides about a thing. What its reason denies or leaves open does not count. */
function isDecided(sentence: string, thing: string): boolean {
  const [before, after] = around(sentence, thing);
  const stated = `${before}${after.split(reason, 1).join("")}`;
  return !open.test(sentence) && !proposes.test(stated) && !denies.test(stated.replace(deniesOnly, ""));
}

/** Whether an earlier decision chose what a later sentence turns away from, and for the same subject. */
function chose({ text, rejected }: Choice, { thing, isName, named, said, scope }: Turn): boolean {
  if (!isDecided(text, thing)) return false;
  const choice = new Set(termsOf(headOf(text, thing)));
  if (named.length === 0 || !named.every((term) => choice.has(term) && !rejected.has(term))) return false;
  const isSubject = (term: string): boolean =>
    !named.includes(term) && !turnPatterns().deciding.has(term) && !rejected.has(term);
  const subject = [...choice].filter(isSubject);
  // What the earlier one turned away from takes its place again.
  if (!scope.every((term) => subject.includes(term) || rejected.has(term))) return false;
  const shared = subject.filter((term) => said.includes(term)).length;
  if (shared > 0) return 2 * shared > subject.length;
  // One or two words beside the thing are what takes its place: it is given up for every subject.
  const isGivenUp = isName && said.filter(isSubject).length <= 2;
  return scope.length === 0 && (isGivenUp || subject.length === 0);
}

/** A decision without its reason, which comes after what it chose. */
function headOf(decision: string, thing: string): string {
  const [before, after] = around(decision, thing);
  const [chosen = ""] = after.replace(version, "").split(",", 1);
  return `${before}${chosen.split(reason, 1).join("")}`;
}

/** A sentence up to the end of a thing that it names, and what follows. */
function around(sentence: string, thing: string): [upTo: string, after: string] {
  const end = Math.max(0, sentence.toLowerCase().indexOf(thing)) + thing.length;
  return [sentence.slice(0, end), sentence.slice(end)];
}

function termsOf(text: string): string[] {
  return [...new Set(indexTokens(text))];
}

export interface Decision {
  readonly text: string;
  readonly at: number;
  /** Among those of the same time, the last comes first. */
  readonly place: number;
}

/** The decisions that no later one replaces, neither of them nor of `others`. */
export function standing<One extends Decision>(
  decisions: readonly One[],
  others: readonly Decision[] = [],
): One[] {
  const replaced = replacements(decisions, others);
  return decisions.filter((one) => !replaced.has(one));
}

/** By decision that a later one, of them or of `others`, replaces: that one. */
export function replacements<One extends Decision, Other extends Decision = One>(
  decisions: readonly One[],
  others: readonly Other[] = [],
): Map<One, One | Other> {
  const turning = [...decisions, ...others]
    .map((one) => ({ one, turns: turnsIn(one.text) }))
    .filter(({ turns }) => turns.length > 0);
  const replaced = new Map<One, One | Other>();
  for (const earlier of decisions) {
    const text = earlier.text.toLowerCase();
    const later = turning
      .filter(({ one }) => isLater(one, earlier))
      .map(({ one, turns }) => ({ one, turns: turns.filter(({ thing }) => text.includes(thing)) }))
      .filter(({ turns }) => turns.length > 0);
    const choice = later.length === 0 ? undefined : choiceIn(earlier.text);
    if (choice === undefined) continue;
    const by = later.find(({ turns }) => turns.some((turn) => chose(choice, turn)));
    if (by !== undefined) replaced.set(earlier, by.one);
  }
  return replaced;
}

function isLater(one: Decision, other: Decision): boolean {
  return one.at > other.at || (one.at === other.at && one.place < other.place);
}
