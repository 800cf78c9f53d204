import { filesTouchedIn } from "../../../capture/observations/reads/history.ts";
import type { Ground } from "../../../ground.ts";
import { groupBy } from "../../../group-by.ts";
import { standing } from "../../../knowledge/decisions/replaced-decisions.ts";
import { isFinding } from "../../../knowledge/findings/finding-mark.ts";
import type { Memories } from "../../../knowledge/memories/memories.ts";
import { type RecallCandidate, recallCandidates } from "../../../knowledge/memories/recall-candidates.ts";
import type { MemoryRow } from "../../../knowledge/memories/record.ts";
import { applyPresentTitles } from "../../../knowledge/memories/titles/present-titles.ts";
import { fullPath, isAbsolute } from "../../../paths/path-text.ts";
import type { Sql } from "../../../store/sql.ts";
import { orderMemories, type Viewpoint } from "../memory-order.ts";
import { shortened } from "../safe-text.ts";
import type { ContextRequest, Line, Section, SectionItem } from "../section.ts";

const mostMemories = 20;
const mostLookedAt = 100;
const longestContent = 300;
const mostFiles = 3;
/**
 * Findings of other sessions that concern no file that the asking one touched. Of these there will be many, and they
 * are worth less than what somebody remembered on purpose, or decided.
 */
const mostDistantFindings = 2;
/** Of which those are chosen that the sessions of the block do not tell. */
const distantLookedAt = 20;

/** The memories that are worth most to the session, of its project or without a project. */
export function memoriesSection(ground: Ground, memories: Pick<Memories, "byIds">): Section {
  return async (request) => {
    const { filter, keys } = request.view;
    const scope = { keys: [...keys, null], filter, now: request.now };
    const { sql } = ground.store.read;
    const candidates = await recallCandidates(sql, scope);
    const viewpoint = await viewpointOf(ground, request);
    const isDistant = ({ isFinding: isFound, files }: RecallCandidate) =>
      isFound && !files.some((file) => viewpoint.touched.has(fullPath(file, viewpoint.root)));
    const ranked = orderMemories(candidates, viewpoint);
    const items = async (some: readonly RecallCandidate[], most: number) =>
      withoutReplaced(await shownOf(sql, memories, some.slice(0, mostLookedAt), most)).slice(0, most);
    const near = await items(
      ranked.filter((one) => !isDistant(one)),
      mostMemories,
    );
    const distant = await items(ranked.filter(isDistant), distantLookedAt);
    const limited = distant.map(({ item }) => ({ ...item, most: mostDistantFindings }));
    return [...near.map(({ item }) => item), ...limited].slice(0, mostMemories);
  };
}

interface Shown {
  readonly row: MemoryRow;
  readonly item: SectionItem;
}

/** The first of the ranked memories, at least as many as are wanted, each text once. */
async function shownOf(
  sql: Sql,
  memories: Pick<Memories, "byIds">,
  ranked: readonly RecallCandidate[],
  most: number,
): Promise<Shown[]> {
  const shown = new Map<string, Shown>();
  // In chunks: usually the first few memories all have different texts, and the first chunk is enough.
  for (let at = 0; at < ranked.length && shown.size < most; at += mostMemories) {
    const best = ranked.slice(at, at + mostMemories);
    const found = await applyPresentTitles(sql, await memories.byIds(best.map(({ id }) => id)));
    const rows = new Map(found.map((row) => [row.id, row]));
    for (const { id } of best) {
      const row = rows.get(id);
      const text = row === undefined ? undefined : memoryText(row);
      // Several agents may have stored the same text.
      if (row !== undefined && text !== undefined && !shown.has(text))
        shown.set(text, { row, item: { lines: [{ kind: "item", text, ...saysOf(row) }], memoryId: id } });
    }
  }
  return [...shown.values()];
}

/** A finding is superfluous where the session that found it out is shown with its words. */
function saysOf({ origin, content }: MemoryRow): Pick<Line, "says"> {
  return isFinding(origin) ? { says: content } : {};
}

/** Leaves out memories that a later one of the same project replaces, if that says so. */
function withoutReplaced(shown: readonly Shown[]): Shown[] {
  const decided = shown.map((one) => ({ one, text: one.row.content, at: one.row.createdAt, place: 0 }));
  const ofProject = groupBy(decided, ({ one }) => one.row.projectKey);
  const held = new Set([...ofProject.values()].flatMap((own) => standing(own)).map(({ one }) => one));
  return shown.filter((one) => one.row.type === "bug" || held.has(one));
}

async function viewpointOf(ground: Ground, { session, cwd, view, now }: ContextRequest): Promise<Viewpoint> {
  const files = session === undefined ? [] : await filesTouchedIn(ground.store.read.sql, session.id);
  const [projectKey] = view.keys;
  const root = projectKey !== undefined && isAbsolute(projectKey) ? projectKey : cwd;
  return { now, cwd, root, touched: new Set(files.map((file) => fullPath(file, session?.cwd))) };
}

function memoryText({ type, title, content, files }: MemoryRow): string {
  const text = shortened(content, longestContent);
  // A title that is the beginning of the content would only repeat it.
  const named = text.startsWith(shortened(title, longestContent)) ? text : `${title}: ${text}`;
  const touched = files.length === 0 ? "" : ` (files: ${files.slice(0, mostFiles).join(", ")})`;
  return `[${type}] ${named}${touched}`;
}
