import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { foldedName, wordsOf } from "../../src/graph/storage/names.ts";
import type { Sql, SqlValue } from "../../src/store/sql.ts";
import { seededRandom } from "../corpus.ts";
import { percentile } from "../percentile.ts";
import type { Figure } from "./figures.ts";

/*
 * A graph of a million edges, written straight into its tables: 200 projects, each with its own files, libraries,
 * errors and concepts. The targets of edges are drawn so that a few concepts have very many edges and most have few,
 * like names in code.
 */

const projects = 200;
const perProject = { file: 300, library: 40, error: 60, concept: 1_100 } as const;
const edgesPerProject = 5_000;
const sourcesPerProject = 500;
const rowsPerStatement = 5_000;
const walks = 400;
const searches = 400;
const movingMs = 3_000;

/**
 * Measures walks of two steps and graph searches in this process, without HTTP and without the fusion with other
 * streams.
 */
export async function measureGraph(_shelf: unknown, rounds: number): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), "memsvc-graph-"));
  const { settings } = loadSettings({ home, env: { MEMSVC_DURABILITY: "relaxed" }, fileText: undefined });
  const core = await Core.open({ home, settings });
  try {
    await core.ground.store.write((tx) => fill(tx.sql));
    await shortenLog(core);
    const walked: number[][] = [];
    const searched: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      walked.push(await walkTimes(core, round));
      searched.push(await searchTimes(core, round));
    }
    const section = "graph, 1,000,000 edges";
    const figure = (name: string, times: number[][], share: number, target: number): Figure => ({
      section,
      name,
      unit: "ms",
      target,
      rounds: times.map((round) => percentile(round, share)),
    });
    return [
      figure("two steps from a node, p50", walked, 0.5, 10),
      figure("two steps from a node, p99", walked, 0.99, 30),
      figure("search stream, p50", searched, 0.5, 5),
      figure("search stream, p99", searched, 0.99, 15),
      await once(section, "snapshot", 500, () => core.graph.rebuildSnapshot()),
      await once(section, "statistics", 30, () => core.graph.stats({})),
      await once(section, "reset", 5_000, () => core.graph.reset({ rebuildStructural: false })),
    ];
  } finally {
    await core.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Lets the store checkpoint the 290 MB that filling left in the write-ahead log. That needs turns of the event loop,
 * which a daemon has and this process has not while it measures. The write after the pause then truncates the log.
 */
async function shortenLog({ ground: { store } }: Core): Promise<void> {
  await pause(movingMs);
  await store.write((tx) => tx.sql.run("UPDATE graph_state SET id = id"));
}

async function once(
  section: string,
  name: string,
  target: number,
  work: () => Promise<unknown>,
): Promise<Figure> {
  return { section, name, unit: "ms", target, rounds: [await timed(work)] };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function walkTimes(core: Core, seed: number): Promise<number[]> {
  const random = seededRandom(seed + 1);
  const times: number[] = [];
  for (let walk = 0; walk < walks; walk += 1) {
    const startNodeId = `n${1 + Math.floor(random() * nodesPerProject * projects)}`;
    times.push(
      await timed(() =>
        core.graph.query({ startNodeId, maxDepth: 2, limit: 500, offset: 0, maxSources: 50 }),
      ),
    );
  }
  return times;
}

async function searchTimes(core: Core, seed: number): Promise<number[]> {
  const random = seededRandom(seed + 1_000);
  const times: number[] = [];
  for (let search = 0; search < searches; search += 1) {
    const at = (count: number) => Math.floor(random() * count);
    const query = `why does file-${at(perProject.file)}.ts fail with topic${skewed(random, perProject.concept)} and topic${at(perProject.concept)}`;
    const projectKey = `/code/project-${at(projects)}`;
    times.push(
      await timed(() =>
        core.streams.graph({
          query,
          scope: search % 2 === 0 ? { now: Date.now(), projectKeys: [projectKey] } : { now: Date.now() },
          limit: 50,
        }),
      ),
    );
  }
  return times;
}

const nodesPerProject = 1 + Object.values(perProject).reduce((sum, count) => sum + count, 0);

/** A random number below `count`; small ones are far more frequent than large ones. */
function skewed(random: () => number, count: number): number {
  return Math.floor(count * random() ** 3);
}

async function fill(sql: Sql): Promise<void> {
  const random = seededRandom(7);
  const nodes = batches(
    sql,
    `INSERT INTO graph_nodes (key, id, project_key, project, type, name, aliases, properties,
      origin, stale, degree, source_count, created_at, updated_at)
    SELECT json_extract(value, '$[0]'), 'n' || json_extract(value, '$[0]'), json_extract(value, '$[1]'), 'p',
      json_extract(value, '$[2]'), json_extract(value, '$[3]'), '[]', '{}', 'structural', 0, 0, 0, 0, 0 FROM json_each(?)`,
  );
  const names = batches(
    sql,
    `INSERT INTO graph_names (folded, type, project_key, identity, node)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
      json_extract(value, '$[3]'), json_extract(value, '$[4]') FROM json_each(?)`,
  );
  const words = batches(
    sql,
    `INSERT INTO graph_name_words (word, project_key, node)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)`,
  );
  const edges = batches(
    sql,
    `INSERT OR IGNORE INTO graph_edges (key, id, source, target, type, structural, origin, stale,
      source_count, created_at, updated_at)
    SELECT json_extract(value, '$[0]'), 'e' || json_extract(value, '$[0]'), json_extract(value, '$[1]'),
      json_extract(value, '$[2]'), 'related_to', 1, 'structural', 0, 2, 0, 0 FROM json_each(?)`,
  );
  const links = batches(
    sql,
    `INSERT OR IGNORE INTO graph_node_links (node, source)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
  );
  const edgeLinks = batches(
    sql,
    `INSERT OR IGNORE INTO graph_edge_links (edge, source)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
  );
  let node = 0;
  let edge = 0;
  for (let project = 0; project < projects; project += 1) {
    const key = `/code/project-${project}`;
    const first = node + 1;
    const source = () => 1 + project * sourcesPerProject + Math.floor(random() * sourcesPerProject);
    const add = async (type: string, name: string) => {
      node += 1;
      await nodes.add([node, key, type, name]);
      await names.add([foldedName(name), type, key, name, node]);
      for (const word of wordsOf(name)) await words.add([word, key, node]);
      for (let link = 0; link < 3; link += 1) await links.add([node, source()]);
    };
    await add("project", `project-${project}`);
    for (let at = 0; at < perProject.file; at += 1) await add("file", `src/part-${at % 20}/file-${at}.ts`);
    for (let at = 0; at < perProject.library; at += 1) await add("library", `package-${at}`);
    for (let at = 0; at < perProject.error; at += 1) await add("error", `TypeError: thing${at} is undefined`);
    for (let at = 0; at < perProject.concept; at += 1) await add("concept", `topic${at}`);
    const firstConcept = first + 1 + perProject.file + perProject.library + perProject.error;
    const connect = async (from: number, to: number) => {
      if (from === to) return;
      edge += 1;
      await edges.add([edge, Math.min(from, to), Math.max(from, to)]);
      for (let link = 0; link < 2; link += 1) await edgeLinks.add([edge, source()]);
    };
    for (let at = 0; at < perProject.file; at += 1) await connect(first, first + 1 + at);
    for (let at = perProject.file; at < edgesPerProject; at += 1) {
      const concept = firstConcept + skewed(random, perProject.concept);
      const isOfFile = random() < 0.5;
      const other = isOfFile
        ? first + 1 + Math.floor(random() * perProject.file)
        : firstConcept + Math.floor(random() * perProject.concept);
      await connect(other, concept);
    }
  }
  for (const each of [nodes, names, words, edges, links, edgeLinks]) await each.flush();
  await fillSources(sql);
  await sql.run(`UPDATE graph_nodes SET source_count = 3,
    degree = (SELECT count(*) FROM graph_edges WHERE source = key) + (SELECT count(*) FROM graph_edges WHERE target = key)`);
  await sql.run(`INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
    SELECT 'node', project_key, type, origin, stale, '', count(*), count(*) FROM graph_nodes GROUP BY project_key, type`);
  await sql.run(`INSERT INTO graph_counts (what, project_key, type, origin, stale, ends, n, moves)
    SELECT 'edge', n.project_key, e.type, e.origin, e.stale, '', count(*), count(*)
    FROM graph_edges AS e JOIN graph_nodes AS n ON n.key = e.source GROUP BY n.project_key, e.type`);
}

async function fillSources(sql: Sql): Promise<void> {
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)`;
  const count = [projects * sourcesPerProject];
  await sql.run(
    `${numbers} INSERT INTO graph_sources (key, kind, ref, structural, extracted)
     SELECT n, 'observation', 'o' || n, 1, 0 FROM numbers`,
    count,
  );
  await sql.run(
    `${numbers} INSERT INTO documents (kind, ref, project_key, created_at, updated_at, importance, type, forward, title,
       concepts, files, body)
     SELECT 'observation', 'o' || n, '/code/project-' || ((n - 1) / ${sourcesPerProject}), n, n, 0.5, 'file_edit', x'',
       'Edited a file', '[]', '[]', 'what was changed in it, and why that was so' FROM numbers`,
    count,
  );
}

/** Collects rows and writes them in chunks of some thousands. */
function batches(sql: Sql, text: string) {
  let rows: SqlValue[][] = [];
  const flush = async () => {
    await sql.run(text, [JSON.stringify(rows)]);
    rows = [];
  };
  return {
    flush,
    add: async (row: SqlValue[]) => {
      rows.push(row);
      if (rows.length === rowsPerStatement) await flush();
    },
  };
}
