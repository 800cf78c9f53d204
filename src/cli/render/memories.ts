import type {
  evolve,
  forget,
  getMemory,
  listMemories,
  remember,
} from "../../knowledge/memories/operations.ts";
import type { Memory } from "../../knowledge/memories/record.ts";
import { fullTitle } from "../../knowledge/memories/titles/full-title.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cascadeNote } from "./cascade-note.ts";
import type { Field } from "./columns.ts";
import { type DetailFields, detailLines } from "./details.ts";
import { dryRunVerb } from "./dry-run.ts";
import { outcome } from "./outcome.ts";
import { pageLines } from "./page-lines.ts";
import { counted } from "./quantity.ts";
import { scopeNote } from "./scope-note.ts";
import { shownProject } from "./shown-project.ts";
import { shownMoment, shownTime } from "./time.ts";

export function renderRemembered(answer: OutputOf<typeof remember>, terminal: Terminal): string {
  const { memoryId, memory, similarTo, warning } = answer;
  const replaced = replacedNotes(answer);
  if (!terminal.isForPeople) {
    // Programs get the id only; on standard error an agent still sees which memory was replaced.
    if (replaced.length > 0) terminal.say(replaced.join("; "));
    if (warning !== undefined) terminal.say(warning);
  }
  const notes = [
    ...scopeNote(memory),
    ...replaced,
    ...(similarTo === undefined ? [] : [`resembles ${similarTo.id}: ${similarTo.title}`]),
  ];
  return outcome(terminal, "remembered", memoryId, { notes, warning });
}

function replacedNotes({ superseded, repeats, version }: OutputOf<typeof remember>): string[] {
  if (superseded === undefined) return [];
  if (repeats === true) return [`was known in the same words: ${superseded}; this is version ${version}`];
  return [
    `replaces ${superseded}, as version ${version}`,
    `the old text is still there: memsvc show ${superseded}`,
    "if both hold: memsvc remember --separate <old text>",
  ];
}

export function renderEvolved(answer: OutputOf<typeof evolve>, terminal: Terminal): string {
  const { memoryId, version, previousId } = answer;
  return outcome(terminal, "evolved", memoryId, { notes: [`version ${version}, after ${previousId}`] });
}

export function renderForgotten(answer: OutputOf<typeof forget>): string {
  const missing = answer.notFound.length === 0 ? "" : `; not known: ${answer.notFound.join(", ")}`;
  const restored =
    answer.restored === undefined
      ? ""
      : `; ${answer.restored} ${dryRunVerb(answer, "is", "be")} the latest version again`;
  const made =
    answer.remaining === undefined
      ? ""
      : `; derived from it, and kept until deleted by id: ${answer.remaining.join(", ")}`;
  const sessions = answer.deleted - answer.deletedMemories - answer.deletedObservations;
  const deleted = [
    ...(answer.deletedMemories > 0 ? [counted(answer.deletedMemories, "memory", "memories")] : []),
    ...(answer.deletedObservations > 0 ? [counted(answer.deletedObservations, "observation")] : []),
    ...(sessions > 0 ? [counted(sessions, "session")] : []),
  ];
  const verb = dryRunVerb(answer, "deleted", "delete");
  const what = `${verb} ${deleted.length === 0 ? "nothing" : deleted.join(" and ")}`;
  return `${what}${summaryNote(answer)}${cascadeNote(answer)}${restored}${made}${missing}`;
}

function summaryNote(answer: OutputOf<typeof forget>): string {
  switch (answer.summary) {
    case "deleted":
      return " with its summary";
    case "renewed":
      return `; the session's summary ${dryRunVerb(answer, "was", "be")} made again from what is left`;
    case "kept":
      return `; the session's summary ${dryRunVerb(answer, "is", "be")} kept: --include-session deletes it, too`;
    case undefined:
      return "";
  }
}

export function renderMemories(answer: OutputOf<typeof listMemories>, terminal: Terminal): string {
  if (!("memories" in answer))
    return `${counted(answer.total, "memory", "memories")}, ${answer.latestCount} of them latest versions`;
  return pageLines(answer, answer.memories, terminal, "no memories found", (memory) => row(memory, terminal));
}

function row(memory: Memory, terminal: Terminal): Field[] {
  const { paint, isForPeople } = terminal;
  const standing = memory.isLatest ? `strength ${memory.strength.toFixed(2)}` : "superseded";
  const time = shownTime(memory.createdAt, isForPeople);
  const facts = [memory.type, ...shownProject(memory, terminal), time, standing].join(", ");
  return [memory.id, { whole: shownTitle(memory) }, paint.dim(facts)];
}

/** The present title, or more of the first line that it is the beginning of. */
export function shownTitle({ presentTitle, title, content }: Memory): string {
  return fullTitle(presentTitle ?? title, content);
}

export function renderMemory({ memory }: OutputOf<typeof getMemory>, terminal: Terminal): string {
  return memoryDetails(memory, terminal);
}

/** A memory in full. */
export function memoryDetails(memory: Memory, { paint, isForPeople }: Terminal): string {
  const facts: DetailFields = [
    ["id", memory.id],
    ["type", memory.type],
    ["project", memory.project],
    ["concepts", memory.concepts.join(", ") || undefined],
    ["files", memory.files.join(", ") || undefined],
    ["strength", `${memory.strength} after ${counted(memory.recallCount, "recall")}`],
    [
      "version",
      `${memory.version}${memory.latestId === undefined ? "" : ` (there is a newer one: ${memory.latestId})`}`,
    ],
    ["created", shownTime(memory.createdAt, isForPeople)],
    ["forget after", memory.forgetAfter && shownMoment(memory.forgetAfter, isForPeople)],
  ];
  const title = memory.presentTitle ?? memory.title;
  return [
    // A title that is the beginning of the content would only repeat it.
    ...(memory.content.trimStart().startsWith(title) ? [] : [paint.bold(title)]),
    ...detailLines(facts, paint),
    "",
    memory.content,
  ].join("\n");
}
