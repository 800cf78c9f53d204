import type { ProjectCounts } from "../../governance/deletion/answers.ts";
import type { bulkDelete, deleteMemories, forgetProject } from "../../governance/deletion/operations.ts";
import type { verify } from "../../governance/provenance/operations.ts";
import type { autoForget, evict } from "../../governance/retention/operations.ts";
import type { OutputOf } from "../../operation/define.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cascadeNote } from "./cascade-note.ts";
import { dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";
import { shownTime } from "./time.ts";

const maxIdsShown = 20;

export function renderDeleted(answer: OutputOf<typeof deleteMemories>): string {
  const { deleted, notFound } = answer;
  const missing = notFound.length === 0 ? "" : `; not known: ${notFound.join(", ")}`;
  return `${dryRunVerb(answer, "deleted", "delete")} ${counted(deleted, "memory", "memories")}${cascadeNote(answer)}${missing}`;
}

export function renderBulkDelete(answer: OutputOf<typeof bulkDelete>): string {
  if (!answer.dryRun) return `deleted ${counted(answer.deleted, "memory", "memories")}${cascadeNote(answer)}`;
  return [`would delete ${counted(answer.wouldDelete, "memory", "memories")}`, ...shownIds(answer.ids)].join(
    "\n",
  );
}

export function renderForgottenProject(answer: OutputOf<typeof forgetProject>): string {
  const { project, deleted, total } = answer;
  return [
    `${dryRunVerb(answer, "deleted", "delete")} ${counted(total, "record")} of ${project.project}`,
    ...projectRecords
      .filter(([field]) => deleted[field] > 0)
      .map(([field, one, many]) => `  ${counted(deleted[field], one, many)}`),
  ].join("\n");
}

const projectRecords: readonly (readonly [keyof ProjectCounts, one: string, many?: string])[] = [
  ["sessions", "session"],
  ["observations", "observation"],
  ["memories", "memory", "memories"],
  ["facts", "fact"],
  ["procedures", "procedure"],
  ["insights", "insight"],
  ["lessons", "lesson"],
  ["crystals", "crystal"],
  ["sketches", "sketch", "sketches"],
  ["actions", "action"],
  ["slots", "slot"],
  ["sharedCopies", "shared copy", "shared copies"],
];

export function renderEvict(answer: OutputOf<typeof evict>): string {
  const groups = [
    [answer.decayedMemories.length, "faded memory", "faded memories"],
    [answer.nonLatestMemories.length, "earlier version of them", "earlier versions of them"],
    [answer.expiredMemories.length, "expired memory", "expired memories"],
    [answer.lowImportanceObservations, "old unimportant observation", "old unimportant observations"],
  ] as const;
  return [
    `${dryRunVerb(answer, "evicted", "evict")} ${counted(answer.evicted, "record")}`,
    ...groups.filter(([count]) => count > 0).map(([count, one, many]) => `  ${counted(count, one, many)}`),
  ].join("\n");
}

export function renderAutoForget(answer: OutputOf<typeof autoForget>): string {
  const { ttlExpired, contradictions, lowValueObs } = answer;
  if (ttlExpired.length + contradictions.length + lowValueObs.length === 0) return "nothing to forget";
  return [
    `${dryRunVerb(answer, "forgot", "forget")} ${counted(ttlExpired.length, "expired memory", "expired memories")} and ${counted(lowValueObs.length, "observation")} of no value`,
    ...contradictions.map(
      ({ memoryA, memoryB, similarity }) =>
        `${dryRunVerb(answer, "let", "let")} ${memoryA} supersede ${memoryB}, which is ${Math.round(similarity * 100)} % the same`,
    ),
  ].join("\n");
}

export function renderVerification(
  answer: OutputOf<typeof verify>,
  { paint, isForPeople }: Terminal,
): string {
  if (answer.type === "observation") {
    const { observation, session, citedBy } = answer;
    return [
      `${paint.bold(observation.title)}  ${paint.dim(`${observation.type}, importance ${observation.importance}, ${shownTime(observation.timestamp, isForPeople)}`)}`,
      session === null
        ? "its session is gone"
        : `session ${session.id} of ${session.project}, ${session.status}`,
      citedBy.length === 0 ? "no memory depends on it" : `memories that depend on it: ${citedBy.join(", ")}`,
    ].join("\n");
  }
  const { memory, citations, missing } = answer;
  return [
    `${paint.bold(memory.presentTitle ?? memory.title)}  ${paint.dim(`${memory.type}, version ${memory.version}, strength ${memory.strength}${memory.isLatest ? "" : ", superseded"}`)}`,
    citations.length === 0 ? "no stored source" : `${counted(citations.length, "source")}:`,
    ...citations.map(
      (source) =>
        `  ${source.observationId}  ${source.title}  ${paint.dim(`${source.type}, ${shownTime(source.timestamp, isForPeople)}, session ${source.sessionId}`)}`,
    ),
    ...(missing.length === 0 ? [] : [`no longer stored: ${missing.join(", ")}`]),
  ].join("\n");
}

function shownIds(ids: readonly string[]): string[] {
  const rest = ids.length - maxIdsShown;
  return [...ids.slice(0, maxIdsShown).map((id) => `  ${id}`), ...(rest > 0 ? [`  … ${rest} more`] : [])];
}
