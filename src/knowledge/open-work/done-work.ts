import { type CommitMessage, commitMessagesSince } from "../../capture/commits/messages.ts";
import { doneOfPlan } from "../../capture/observations/calls/plan.ts";
import { isPlanEntry } from "../../capture/observations/calls/told-plan.ts";
import { type Account, accountsSince } from "../../capture/observations/reads/told-done.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Sql } from "../../store/sql.ts";
import { indexTokens } from "../../text/tokens.ts";
import { mentionsOpenWork, withoutCues, withoutTodoCue } from "./todo-cues.ts";

/*
 * What was left to do and is evidently done since. Only clear evidence counts, because work that is wrongly taken for
 * done is forgotten: a commit, a step of a plan, a task or a `done:` that names it with all of its words, and not much
 * else.
 */

interface Done {
  readonly at: number;
  readonly terms: ReadonlySet<string>;
  /** The first of its words: mostly the verb, which says what was done to the others. */
  readonly lead: string;
}

/** What of an open item is left, considering what was done since it was named: the item, a part of it, or nothing. */
export type LeftOf = (item: string, since: number) => string[];

export const nothingDone = (item: string): string[] => [item];

/** Reads what sessions of a project have done since a time. */
export async function leftSince(sql: Sql, view: ProjectView, since: number): Promise<LeftOf> {
  const commits = withoutReverted(await commitMessagesSince(sql, view, since));
  const accounts = await accountsSince(sql, view, since);
  let told: readonly Done[] | undefined;
  return (item, named) => {
    // Only once there is an open item, because most sessions leave none.
    told ??= [...commits.flatMap(doneByCommit), ...accounts.flatMap(doneByAccount)];
    return leftAfter(
      item,
      told.filter(({ at }) => at >= named),
    );
  };
}

const partsBetween = "; ";

function leftAfter(item: string, done: readonly Done[]): string[] {
  if (done.length === 0) return [item];
  const named = withoutTodoCue(item);
  const parts = named.split(partsBetween);
  const left = parts.filter((part) => !isDone(part, done));
  if (left.length === parts.length) return [item];
  const introduction = item.slice(0, item.length - named.length);
  return left.length === 0 ? [] : [`${introduction}${left.join(partsBetween)}`];
}

const reverts = /^Revert "(?<subject>.+)"/u;

/** Commits, the first first, without those that a later one takes back. */
function withoutReverted(commits: readonly CommitMessage[]): CommitMessage[] {
  const reverted = new Map(
    commits.flatMap(({ message }, place) => {
      const subject = reverts.exec(message)?.groups?.subject;
      return subject === undefined ? [] : [[subject, place]];
    }),
  );
  return commits.filter(({ message }, place) => place > (reverted.get(subjectOf(message)) ?? -1));
}

function subjectOf(message: string): string {
  return message.split("\n", 1).join("");
}

/** What git messages begin with: `feat(cart)!: `. */
const messageType = /^(?<kind>[a-z]{2,12})(?:\([^()\n]{1,40}\))?!?: /u;
/** Types of commits that leave a program as it works: a test of something is not the thing. */
const besideTheWork = new Set(["test", "tests", "docs", "doc", "refactor", "style"]);
const namesDocument = /\b(?:docs?|documentation|readme|changelog|notes|guide|manual)\b|\.md\b/i;

function doneByCommit({ at, message }: CommitMessage): Done[] {
  return message.split("\n").flatMap((line) => doneAs(workIn(line), at));
}

/** A line of a message without its type, unless this says that something else was done than the line names. */
function workIn(line: string): string {
  const type = messageType.exec(line);
  if (type === null) return line;
  const { kind = "" } = type.groups ?? {};
  const work = line.slice(type[0].length);
  if (!besideTheWork.has(kind) || (kind.startsWith("doc") && namesDocument.test(work))) return work;
  return `${kind} ${work}`;
}

function doneByAccount(account: Account): Done[] {
  const { timestamp: at, hookType, title, narrative } = account;
  if (hookType === "task_completed") return doneAs(title.slice(title.indexOf(": ") + 1), at);
  if (isPlanEntry(account)) return doneOfPlan(narrative).flatMap((step) => doneAs(step, at));
  const said = hookType === "stop" ? narrative.split("\n").flatMap(saidDone) : [];
  return [...said, ...tickedIn(narrative)].flatMap((item) => doneAs(item, at));
}

const saysDone = /^[\s*_+•-]*(?:✅|(?:done|finished|completed)[\s*_]*:)[\s*_]*(\S.*)$/iu;

function saidDone(line: string): string[] {
  return saysDone.exec(line)?.[1]?.split(partsBetween) ?? [];
}

const listedTask = /\[([ x])\] ([^\n[]+)/gi;

/** The ticked items of a task list; an edit shows them as they were and then as they are. */
function tickedIn(text: string): string[] {
  const marks = [...text.matchAll(listedTask)].map(
    ([, mark = "", task = ""]) => [task.split(" → ", 1).join("").trim(), mark] as const,
  );
  return [...new Map(marks)].filter(([, mark]) => mark !== " ").map(([task]) => task);
}

/** A text that takes something back, prepares it, or says that it is not whole, tells of nothing as done. */
const notDone =
  /\b(?:revert\w*|undo|undone|wip|fixme|prepar\w+|start\w*|begin\w*|plan\w*|draft\w*|stub\w*|partly|partial\w*|partway|half|first (?:part|step)|part \d+|not|never|without|except|but|only|later|typo\w*)\b|n['’]t\b/i;

function doneAs(text: string, at: number): Done[] {
  if (notDone.test(text) || mentionsOpenWork(text)) return [];
  const terms = termsOf(text);
  const [lead = ""] = indexTokens(text.replace(prefix, ""));
  return terms.size === 0 ? [] : [{ at, terms, lead }];
}

/** What may stand before the sentence of a message: `[api] `, `#12 `, `SHOP-7: `, `cart: `, `:bug: `. */
const prefix = /^(?:(?:\[[^\]]{1,40}\]|[\w#(-]{0,20}\d[\w)-]{0,20}:?|:?[^\s:]{1,40}:)\s+){1,3}/u;

/** Verbs of making, which a message of one word less leaves out. */
const making = new Set(indexTokens("add implement make create write build introduce finish complete do"));
/** Further words with which messages begin that tell of something as done; after others, such as `warn`, it is not. */
const leads = new Set(indexTokens("allow also enable finally give let now set ship support teach use"));
/** What undoes something, or is something beside it, is only meant if both name it. */
const otherWork = new Set(
  indexTokens(
    "remove drop delete disable skip rename move hide ignore " +
      "test spec mock document docs refactor style flag issue ticket todo prototype spike",
  ),
);
/** How many times as many words may tell that an item was done. */
const mostWordy = 2;

function isDone(item: string, done: readonly Done[]): boolean {
  const terms = termsOf(withoutCues(item));
  if (terms.size === 0) return false;
  const mostTerms = terms.size === 1 ? 1 : mostWordy * terms.size;
  return done.some(
    (one) =>
      one.terms.size <= mostTerms &&
      [terms, making, leads].some((words) => words.has(one.lead)) &&
      [...terms].every((term) => one.terms.has(term)) &&
      [...otherWork].every((term) => terms.has(term) === one.terms.has(term)),
  );
}

function termsOf(text: string): Set<string> {
  return new Set(indexTokens(text).filter((term) => !making.has(term)));
}
