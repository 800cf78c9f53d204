import type { SearchScope } from "../../index/scope.ts";
import type { SearchQuestion } from "../../index/search-streams.ts";
import { packed, packedRows } from "../../store/packed-rows.ts";
import { firstKeys, type Sql } from "../../store/sql.ts";
import { foldedName, wordsOf } from "../storage/names.ts";
import { phrasesOf } from "./phrases.ts";

/*
 * The nodes that the query names: a search starts its walk there. All lookups are index ranges with a limit, so a word
 * that stands in a hundred thousand names costs no more than one that stands in a hundred.
 */

export interface StartNode {
  readonly key: number;
  /** 1 when the name equals a phrase of the query, less when it only contains it or begins with it. */
  readonly score: number;
}

const scores = { equal: 1, contains: 0.7, prefix: 0.5 } as const;
const mostStarts = 10;
/** Limits of names read for each phrase or word: without an agent, and for what an agent may see. */
const mostOfAll = { equal: 50, ofWord: 100, longer: 20 } as const;
const mostOfAgents = { equal: 500, ofWord: 500, longer: 500 } as const;
/**
 * Names that begin with a phrase are read up to this limit, whatever their project, to find those of the projects asked
 * for.
 */
const longerLookedAt = 1_000;
const longerOfAll = 200;
const askedAtOnce = 50;
/** The same limit as `lookedAtOfNode` in documents.ts. */
const linksLookedAt = 500;
const shortestPrefix = 3;

interface Candidate {
  readonly node: number;
  readonly degree: number;
  score: number;
  /** How many words of the query are in its names. */
  words: number;
}

/**
 * The best ten nodes that a query names, in the projects of the scope or in all, and among those that its agent may see.
 * Project nodes are left out.
 */
export async function startNodes(
  sql: Sql,
  { query, scope }: Pick<SearchQuestion, "query" | "scope">,
): Promise<StartNode[]> {
  const { agent } = scope;
  const asked: Asked = {
    ...phrasesOf(query),
    projects: projectsOf(scope),
    isOfAgent: agent !== undefined,
    // Names do not tell which agent may see their node, so more of them are read, to have enough after filtering.
    most: agent === undefined ? mostOfAll : mostOfAgents,
  };
  const found: Found = new Map();
  const areAllEqualKnown = await noteEqual(sql, found, asked);
  // When equal names fill all places, nodes that score less are not looked up.
  if (agent === undefined && areAllEqualKnown && found.size >= mostStarts) {
    await countWords(sql, found, asked);
  } else {
    await noteWithWords(sql, found, asked);
    await noteLonger(sql, found, asked);
  }
  const best = ranked(found);
  return agent === undefined ? best.slice(0, mostStarts) : firstSeen(sql, best, agent);
}

interface Asked {
  readonly phrases: readonly string[];
  readonly words: readonly string[];
  /** Project keys as JSON; null for all projects. */
  readonly projects: string | null;
  readonly isOfAgent: boolean;
  readonly most: { readonly equal: number; readonly ofWord: number; readonly longer: number };
}

function projectsOf({ projectKeys, includeWithoutProject }: SearchScope): string | null {
  if (projectKeys === undefined) return null;
  return JSON.stringify(includeWithoutProject === true ? [...projectKeys, ""] : projectKeys);
}

/** The nodes found so far. */
type Found = Map<number, Candidate>;

/** Adds a node, or gives a known one the better of its scores. */
function note(found: Found, node: number, degree: number, score: number): Candidate {
  const known = found.get(node) ?? { node, degree, score, words: 0 };
  known.score = Math.max(known.score, score);
  found.set(node, known);
  return known;
}

function ranked(found: Found): StartNode[] {
  return [...found.values()]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.words - a.words || b.degree - a.degree || a.node - b.node)
    .map(({ node, score }) => ({ key: node, score }));
}

/** Notes nodes whose name is a phrase of the query. Returns whether these are all such nodes, with no limit reached. */
async function noteEqual(sql: Sql, found: Found, { phrases, projects, most }: Asked): Promise<boolean> {
  let areAllKnown = true;
  for (const phrase of phrases) {
    const equal = await sql.values(equalNames, [phrase, projects, most.equal]);
    areAllKnown &&= equal.length < most.equal;
    for (const [node, degree] of equal) note(found, Number(node), Number(degree), scores.equal);
  }
  return areAllKnown;
}

/** Counts the query's words in the names of the nodes found so far. */
async function countWords(sql: Sql, found: Found, asked: Asked): Promise<void> {
  for (const word of asked.words) {
    const { text, args } = nodesOfWord(word, asked);
    for (const [node] of await packedRows<[number]>(sql, packed(["node"], text), args)) {
      const known = found.get(node);
      if (known !== undefined) known.words += 1;
    }
  }
}

/** Notes nodes with a word of the query in their name. */
async function noteWithWords(sql: Sql, found: Found, asked: Asked): Promise<void> {
  const { phrases, words } = asked;
  const whole = new Set(phrases);
  for (const word of words) {
    const { text, args } = nodesOfWord(word, asked);
    for (const [node, degree, name] of await packedRows<NamedFields>(sql, named(text), args)) {
      const isEqual = whole.has(foldedName(name));
      const isWord = whole.has(word) || containsPhrase(name, phrases);
      note(found, node, degree, isEqual ? scores.equal : isWord ? scores.contains : 0).words += 1;
    }
  }
}

function nodesOfWord(
  word: string,
  { projects, most }: Asked,
): { readonly text: string; readonly args: readonly (string | number)[] } {
  return projects === null
    ? { text: nodesWith, args: [word, most.ofWord] }
    : { text: nodesOfProjectsWith, args: [word, most.ofWord, projects] };
}

/** Notes nodes whose name begins with a phrase of the query. */
async function noteLonger(
  sql: Sql,
  found: Found,
  { phrases, projects, isOfAgent, most }: Asked,
): Promise<void> {
  const lookedAt = projects === null && !isOfAgent ? longerOfAll : longerLookedAt;
  for (const phrase of phrases) {
    if (phrase.length < shortestPrefix) continue;
    const args = [phrase, `${phrase}\u{10FFFF}`, projects, lookedAt, most.longer];
    for (const [node, degree] of await sql.values(longerNames, args))
      note(found, Number(node), Number(degree), scores.prefix);
  }
}

/** The first ten nodes that the agent may see: found in a row of its own, or, like imported ones, in no row. */
async function firstSeen(
  sql: Sql,
  ranked: readonly StartNode[],
  { agentId, includeOrphans }: NonNullable<SearchScope["agent"]>,
): Promise<StartNode[]> {
  const seen: StartNode[] = [];
  for (let at = 0; at < ranked.length && seen.length < mostStarts; at += askedAtOnce) {
    const asked = ranked.slice(at, at + askedAtOnce);
    const keys = JSON.stringify(asked.map(({ key }) => key));
    const args = [keys, agentId ?? null, includeOrphans ? 1 : 0, linksLookedAt];
    const visible = new Set(await firstKeys(sql, seenNodes, args));
    seen.push(...asked.filter(({ key }) => visible.has(key)));
  }
  return seen.slice(0, mostStarts);
}

/** Whether the name contains the words of one of the phrases, one after another. */
function containsPhrase(name: string, phrases: readonly string[]): boolean {
  const text = ` ${wordsOf(name).join(" ")} `;
  return phrases.some((phrase) => text.includes(` ${wordsOf(phrase).join(" ")} `));
}

const equalNames = `SELECT n.node, g.degree FROM graph_names AS n CROSS JOIN graph_nodes AS g ON g.key = n.node
  WHERE n.folded = ?1 AND n.type <> 'project' AND g.stale = 0
    AND (?2 IS NULL OR n.project_key IN (SELECT value FROM json_each(?2)))
  LIMIT ?3`;
const longerNames = `SELECT n.node, g.degree
  FROM (SELECT node, type, project_key FROM graph_names WHERE folded > ?1 AND folded < ?2 LIMIT ?4) AS n
  CROSS JOIN graph_nodes AS g ON g.key = n.node
  WHERE n.type <> 'project' AND g.stale = 0
    AND (?3 IS NULL OR n.project_key IN (SELECT value FROM json_each(?3)))
  LIMIT ?5`;
const seenNodes = `SELECT n.value FROM json_each(?1) AS n
  WHERE EXISTS (
    SELECT 1 FROM (SELECT source FROM graph_node_links WHERE node = n.value ORDER BY source DESC LIMIT ?4) AS l
    CROSS JOIN graph_sources AS s ON s.key = l.source
    WHERE s.agent_id = ?2 OR (?3 = 1 AND s.agent_id IS NULL))
  OR NOT EXISTS (SELECT 1 FROM graph_node_links WHERE node = n.value)`;
type NamedFields = readonly [node: number, degree: number, name: string];
const nodesWith = "SELECT node FROM graph_name_words WHERE word = ?1 LIMIT ?2";
const nodesOfProjectsWith = `SELECT node FROM graph_name_words
  WHERE word = ?1 AND project_key IN (SELECT value FROM json_each(?3)) LIMIT ?2`;

function named(ofWord: string): string {
  return packed(
    ["node", "degree", "name"],
    `SELECT w.node, g.degree, g.name FROM (${ofWord}) AS w
    CROSS JOIN graph_nodes AS g ON g.key = w.node WHERE g.type <> 'project' AND g.stale = 0`,
  );
}
