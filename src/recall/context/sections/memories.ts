import { filesTouchedIn } from "../../../capture/observations/reads/history.ts";
import type { Ground } from "../../../ground.ts";
import type { Memories } from "../../../knowledge/memories/memories.ts";
import { withPresentTitles } from "../../../knowledge/memories/present-titles.ts";
import { recallCandidates } from "../../../knowledge/memories/recallable.ts";
import type { MemoryRow } from "../../../knowledge/memories/record.ts";
import { fullPath, isAbsolute } from "../../../paths/path-text.ts";
import { orderMemories, type Viewpoint } from "../memory-order.ts";
import { shortened } from "../safe-text.ts";
import type { ContextRequest, Section, SectionItem } from "../section.ts";

const mostMemories = 20;
const longestContent = 300;
const mostFiles = 3;

/** The memories that are worth most to the session: of its project, or of none. */
export function memoriesSection(ground: Ground, memories: Pick<Memories, "byIds">): Section {
  return async (request) => {
    const { filter, keys } = request.view;
    const scope = { keys: [...keys, null], filter, now: request.now };
    const { sql } = ground.store.read;
    const candidates = await recallCandidates(sql, scope);
    const best = orderMemories(candidates, await viewpointOf(ground, request)).slice(0, mostMemories);
    const found = await withPresentTitles(sql, await memories.byIds(best.map(({ id }) => id)));
    const rows = new Map(found.map((row) => [row.id, row]));
    return best.flatMap(({ id }) => {
      const row = rows.get(id);
      return row === undefined ? [] : [memoryItem(row)];
    });
  };
}

async function viewpointOf(ground: Ground, { session, cwd, view, now }: ContextRequest): Promise<Viewpoint> {
  const files = session === undefined ? [] : await filesTouchedIn(ground.store.read.sql, session.id);
  const [projectKey] = view.keys;
  const root = projectKey !== undefined && isAbsolute(projectKey) ? projectKey : cwd;
  return { now, cwd, root, touched: new Set(files.map((file) => fullPath(file, session?.cwd))) };
}

function memoryItem({ id, type, title, content, files }: MemoryRow): SectionItem {
  const text = shortened(content, longestContent);
  // A title that was taken from the content would only say the beginning twice.
  const named = text.startsWith(shortened(title, longestContent)) ? text : `${title}: ${text}`;
  const touched = files.length === 0 ? "" : ` (files: ${files.slice(0, mostFiles).join(", ")})`;
  return { lines: [{ kind: "item", text: `[${type}] ${named}${touched}` }], memoryId: id };
}
