import type { ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import type { CompactSearchResult } from "../search/record.ts";
import type { Search } from "../search/search.ts";
import { compactResult } from "../search/shown-hit.ts";
import { newestFirst } from "./file-notes.ts";
import type { FileTraces } from "./file-traces.ts";
import { bareName } from "./same-file.ts";

const maxMemories = 5;
const longestQuery = 2_000;

interface AskedFiles extends ScopeRequest {
  readonly files: readonly string[];
  readonly terms: readonly string[];
  readonly project: string | undefined;
}

/** Memories that name the files, then those that a search for the files' names and the terms finds. */
export async function findRelatedMemories(
  search: Search,
  asked: AskedFiles,
  traces: readonly FileTraces[],
): Promise<CompactSearchResult[]> {
  const overlapping = newestFirst(
    traces.flatMap((file) => file.traces.filter(({ kind }) => kind === "memory")),
  ).map(({ ref }) => ref);
  const query = cutCodePoints([...asked.files.map(bareName), ...asked.terms].join(" "), longestQuery);
  const { hits } = await search.rank({
    ...asked,
    query,
    isOfNames: true,
    kinds: ["memory"],
    limit: 2 * maxMemories,
  });
  const found = new Map(hits.map((hit) => [hit.ref, hit]));
  const shown = [...new Set([...overlapping, ...found.keys()])].slice(0, maxMemories);
  const sketched = await search.sketched(
    shown.flatMap((id) => found.get(id) ?? []),
    hits.filter(({ ref }) => !shown.includes(ref)),
  );
  const searched = new Map(sketched.map((hit) => [hit.ref, hit]));
  const missing = shown.filter((id) => !found.has(id));
  const rest = new Map((await search.memoryHits(missing)).map((hit) => [hit.ref, hit]));
  return shown.flatMap((id) => {
    const hit = searched.get(id);
    if (hit !== undefined) return [compactResult(hit, hit.fused)];
    const other = rest.get(id);
    return other === undefined ? [] : [compactResult(other, 0)];
  });
}
