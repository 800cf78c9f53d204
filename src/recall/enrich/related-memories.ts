import type { ScopeRequest } from "../../capture/sessions/agent-scope.ts";
import { groupBy } from "../../group-by.ts";
import { readTopics } from "../../index/hits.ts";
import type { Sql } from "../../store/sql.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import type { FusedHit } from "../search/fusion.ts";
import type { CompactSearchResult } from "../search/record.ts";
import { replacedHits } from "../search/replaced-hits.ts";
import type { Search } from "../search/search.ts";
import { compactResult, type ShownHit } from "../search/shown-hit.ts";
import { newestFirst } from "./file-notes.ts";
import type { FileTraces } from "./file-traces.ts";
import type { Place } from "./request-places.ts";
import { speakingOf } from "./speaks-of.ts";
import { tellingName } from "./telling-name.ts";

const maxMemories = 5;
const longestQuery = 2_000;
/** How many are compared, before those that others of them replace are left out. */
const mostCompared = 20;
/** How many of the best hits are read to see whether they speak of the files. */
const mostRead = 50;

interface AskedFiles extends ScopeRequest {
  readonly files: readonly string[];
  readonly terms: readonly string[];
}

interface KnownFiles {
  readonly traces: readonly FileTraces[];
  readonly placeOf: (file: string) => Place;
}

/** Memories that name the files, then those that speak of them or of the terms, as a search ranks them. */
export async function findRelatedMemories(
  sql: Sql,
  search: Search,
  { files, ...asked }: AskedFiles,
  { traces, placeOf }: KnownFiles,
): Promise<CompactSearchResult[]> {
  const overlapping = newestFirst(
    traces.flatMap((file) => file.traces.filter(({ kind }) => kind === "memory")),
  ).map(({ ref }) => ref);
  const inProjects = groupBy(files, (file) => placeOf(file).project);
  // At once: each search may wait for a model.
  const searched = await Promise.all(
    [...inProjects].map(async ([project, ofProject]) => {
      const words = [...ofProject.flatMap((file) => nameIn(placeOf(file), file) ?? []), ...asked.terms];
      const ofWords = await hitsOf(search, { ...asked, project }, words);
      return { hits: ofWords, spoken: await speaking(sql, ofWords, words) };
    }),
  );
  const hits = searched.flatMap((one) => one.hits);
  const spoken = searched.flatMap((one) => one.spoken);
  const found = new Map(hits.map((hit) => [hit.ref, hit]));
  const related = [...new Set([...overlapping, ...spoken.sort(byScore).map(({ ref }) => ref)])];
  const compared = related.slice(0, mostCompared);
  const sketched = await search.sketched(
    compared.flatMap((id) => found.get(id) ?? []),
    hits.filter(({ ref }) => !compared.includes(ref)),
  );
  const named = await search.memoryHits(compared.filter((id) => !found.has(id)));
  const byRef = new Map([...sketched, ...named].map((hit) => [hit.ref, hit]));
  const standing = await withoutReplaced(
    sql,
    compared.flatMap((id) => byRef.get(id) ?? []),
  );
  return standing.slice(0, maxMemories).map((hit) => compactResult(hit, found.get(hit.ref)?.fused ?? 0));
}

/** Bugs stay, as in the context block: what they tell of is not decided. */
async function withoutReplaced(sql: Sql, shown: readonly ShownHit[]): Promise<ShownHit[]> {
  const replaced = await replacedHits(sql, shown, []);
  return shown.filter(
    ({ ref, type, replacedBy }) => type === "bug" || (replacedBy ?? replaced.get(ref)) === undefined,
  );
}

/** The name by which the project's texts speak of a file; undefined for a file outside of it. */
function nameIn({ cwd, folder, isOutside }: Place, file: string): string | undefined {
  return isOutside === true ? undefined : tellingName(file, cwd ?? folder);
}

async function hitsOf(
  search: Search,
  asked: Omit<AskedFiles, "files"> & { readonly project: string | undefined },
  words: readonly string[],
): Promise<readonly FusedHit[]> {
  const query = cutCodePoints([...new Set(words)].join(" "), longestQuery);
  if (query.trim() === "") return [];
  const limit = 2 * maxMemories;
  const { hits } = await search.rank({ ...asked, query, isOfNames: true, kinds: ["memory"], limit });
  return hits;
}

/**
 * The hits that speak of a name. A search for a name also finds what is only connected with it, about another
 * file of that name, or similar: to a single word, models find unrelated sentences as similar as what means the same.
 */
async function speaking(
  sql: Sql,
  hits: readonly FusedHit[],
  names: readonly string[],
): Promise<readonly FusedHit[]> {
  const speaks = speakingOf(names);
  const best = hits.slice(0, mostRead);
  const topics = await readTopics(
    sql,
    best.map(({ id }) => id),
  );
  return best.filter(({ id }) => speaks(topics.get(id) ?? ""));
}

function byScore(one: FusedHit, other: FusedHit): number {
  return other.fused - one.fused;
}
