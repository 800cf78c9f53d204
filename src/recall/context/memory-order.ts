import type { RecallCandidate } from "../../knowledge/memories/recall-candidates.ts";
import { strengthAt } from "../../knowledge/memories/strength/strength.ts";
import { fullPath } from "../../paths/path-text.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { dayMs } from "../../time/durations.ts";
import { type FolderPath, folderPath, folderSteps } from "./folder-steps.ts";

/* Order of memories: relevance · strength · recency. The figures are those of the contract. */

const leastRelevance = 0.3;
const withoutFiles = 0.5;
const touchedInSession = 0.9;
const withoutProject = 0.6;
const recencyHalfLifeMs = 90 * dayMs;

/** The situation of the session for which memories are ranked. */
export interface Viewpoint {
  readonly now: number;
  /** Working folder; undefined when it is not known. */
  readonly cwd: string | undefined;
  /** Folder that relative paths of memories start from. */
  readonly root: string | undefined;
  /** Full paths of the files that the asking session touched. */
  readonly touched: ReadonlySet<string>;
}

/** Sorts the candidates by their worth for the session, highest first; among equals the newest first. */
export function orderMemories(
  candidates: readonly RecallCandidate[],
  viewpoint: Viewpoint,
): RecallCandidate[] {
  const cwd = viewpoint.cwd === undefined ? undefined : folderPath(viewpoint.cwd);
  return candidates
    .map((candidate) => ({ candidate, weight: weightOf(candidate, viewpoint, cwd) }))
    .sort(
      (a, b) =>
        b.weight - a.weight ||
        b.candidate.createdAt - a.candidate.createdAt ||
        compareTexts(b.candidate.id, a.candidate.id),
    )
    .map(({ candidate }) => candidate);
}

function weightOf(memory: RecallCandidate, viewpoint: Viewpoint, cwd: FolderPath | undefined): number {
  const project = memory.hasProject ? 1 : withoutProject;
  return (
    project *
    relevance(memory.files, viewpoint, cwd) *
    strengthAt(memory, viewpoint.now) *
    recency(memory, viewpoint.now)
  );
}

function relevance(
  files: readonly string[],
  { root, touched }: Viewpoint,
  cwd: FolderPath | undefined,
): number {
  const paths = files.map((file) => fullPath(file, root));
  const isTouched = paths.some((path) => touched.has(path));
  if (files.length === 0 || cwd === undefined) return isTouched ? touchedInSession : withoutFiles;
  const nearest = Math.min(...paths.map((path) => folderSteps(path, cwd)));
  const byFolder = leastRelevance + (1 - leastRelevance) / (1 + nearest);
  return isTouched ? Math.max(touchedInSession, byFolder) : byFolder;
}

function recency({ createdAt, lastRecalledAt }: RecallCandidate, now: number): number {
  const ageMs = Math.max(0, now - Math.max(createdAt, lastRecalledAt ?? 0));
  return 0.5 + 0.5 * 2 ** (-ageMs / recencyHalfLifeMs);
}
