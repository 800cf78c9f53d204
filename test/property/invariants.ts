import { readFileSync } from "node:fs";
import Database from "libsql";
import { expect } from "vitest";
import { listObservations } from "../../src/capture/observations/operations.ts";
import { databaseFile } from "../../src/config/home.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { getMemory, listMemories } from "../../src/knowledge/memories/operations.ts";
import { listRelations } from "../../src/knowledge/memories/relations/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { openTestHttp } from "../support/http.ts";
import { contents } from "./contents.ts";
import { expectLessonsFound, expectLessonsListed, isTrusted } from "./families/lessons.ts";
import { expectSlotsListed } from "./families/slots.ts";
import { agents, projects, sessions } from "./given.ts";
import { isRecalled } from "./model.ts";
import { orphansOf } from "./orphans.ts";
import type { World } from "./world.ts";

/** Checks the lists, for everybody, each project and each agent: cheap enough to do after every step. */
export async function expectListed(world: World): Promise<void> {
  const memories = [...world.model.memories.values()];
  for (const asked of [
    {},
    ...projects.map((project) => ({ project })),
    ...agents.map((agentId) => ({ agentId })),
  ]) {
    const expected = memories.filter(
      ({ project, agent }) =>
        (!("project" in asked) || asked.project === project) &&
        (!("agentId" in asked) || asked.agentId === agent),
    );
    const answer = await world.ok(listMemories, asked);
    if (!("memories" in answer)) throw new Error("no list");
    const rows = (list: readonly { id: string; version: number; isLatest: boolean; content: string }[]) =>
      list.map(({ id, version, isLatest, content }) => `${id} ${version} ${isLatest} ${content}`).sort();
    expect(rows(answer.memories), JSON.stringify(asked)).toEqual(rows(expected));
    expect(await world.ok(listMemories, { ...asked, count: true })).toMatchObject({
      total: expected.length,
      latestCount: expected.filter(({ isLatest }) => isLatest).length,
    });
  }
  for (const [sessionId, agentId] of Object.entries(sessions)) {
    const expected = [...world.model.observations.values()].filter(({ session }) => session === sessionId);
    const reply = await world.reply(listObservations, { sessionId });
    const found = ((reply.body.observations ?? []) as { id: string }[]).map(({ id }) => id).sort();
    expect(found, sessionId).toEqual(expected.map(({ id }) => id).sort());
    if (reply.status === 200) expect(reply.body.session).toMatchObject({ observationCount: found.length });
    const stranger = await world.reply(listObservations, { sessionId, agentId: "stranger" });
    if (agentId !== undefined || reply.status === 404) expect(stranger.status).toBe(404);
  }
  await expectLessonsListed(world);
  await expectSlotsListed(world);
}

/**
 * Expects after a step that the newest record and an older one are found by their words, and the newest deleted one is
 * not. With `isAll` (the whole store was replaced or reopened) all records are looked for.
 */
export async function expectFoundAtOnce(world: World, at: number, isAll: boolean): Promise<void> {
  const { memories, observations, lessons, forgotten } = world.model;
  const now = world.http.now();
  const recalled = [...memories.values()].filter((memory) => isRecalled(memory, now));
  const hidden = [...memories.values()].filter((memory) => !isRecalled(memory, now));
  const trusted = [...lessons.values()].filter((lesson) => isTrusted(lesson, now));
  const living = [...recalled, ...observations.values(), ...trusted];
  for (const { id, word } of some(living, at, isAll)) {
    expect(await searched(world, { query: word, includeLessons: true }), `${id} by ${word}`).toContain(id);
  }
  for (const { id, word } of some(hidden, at, isAll)) {
    const found = await searched(world, { query: word, includeLessons: true });
    expect(found, `${id} by ${word}, which is earlier or expired`).not.toContain(id);
  }
  const known = new Set([...memories.keys(), ...observations.keys(), ...lessons.keys()]);
  for (const word of some([...forgotten], at, isAll)) {
    for (const id of await searched(world, { query: word, includeLessons: true })) {
      expect(known, `${word} found what was forgotten`).toContain(id);
    }
  }
}

/** The newest row and another one that differs from step to step, or all rows. */
function some<T>(rows: readonly T[], at: number, isAll: boolean): readonly T[] {
  if (isAll || rows.length < 3) return rows;
  return [...rows.slice(-1), ...rows.slice(at % (rows.length - 1)).slice(0, 1)];
}

/**
 * Expects that every record is found by its own word where it belongs and nowhere else, and that deleted ones are not.
 */
export async function expectFound(world: World): Promise<void> {
  const { memories, observations, lessons, forgotten } = world.model;
  for (const memory of memories.values()) {
    const { id, word, project, agent, isLatest } = memory;
    const shown = (await world.ok(getMemory, { id })).memory;
    expect(shown.isLatest).toBe(isLatest);
    expect(
      shown.relatedIds.filter((related) => !memories.has(related)),
      "related to the forgotten",
    ).toEqual([]);
    if (isRecalled(memory, world.http.now())) await expectSearched(world, word, id, project, agent);
    else
      expect(await searched(world, { query: word }), `${id}, which is earlier or expired`).not.toContain(id);
  }
  for (const { id, word, agent } of observations.values())
    await expectSearched(world, word, id, "shop", agent);
  await expectLessonsFound(world);
  const living = new Set([...memories.keys(), ...observations.keys(), ...lessons.keys()]);
  for (const word of forgotten) {
    for (const id of await searched(world, { query: word, includeLessons: true })) {
      expect(living, `${word} found what was forgotten`).toContain(id);
    }
    const full = (await world.reply(fullSearch, { query: word, format: "narrative" })).text;
    expect(full.replaceAll(`"query":"${word}"`, ""), `${word} was forgotten`).not.toContain(word);
  }
  const { relations } = await world.ok(listRelations, { limit: 1_000 });
  for (const { sourceId, targetId } of relations) {
    expect(memories.has(sourceId) && memories.has(targetId), "both ends of a relation are there").toBe(true);
  }
}

/** Expects the results of a search for a memory; one without a project is found from every project. */
async function expectSearched(
  world: World,
  query: string,
  id: string,
  project: string | undefined,
  agent: string | undefined,
): Promise<void> {
  expect(await searched(world, { query }), `${id} by ${query}`).toContain(id);
  for (const other of projects) {
    const found = await searched(world, { query, project: other });
    expect(found.includes(id), `${id} by ${query} in ${other}`).toBe(
      project === undefined || other === project,
    );
  }
  for (const other of agents) {
    const found = await searched(world, { query, agentId: other });
    expect(found.includes(id), `${id} by ${query} for ${other}`).toBe(other === agent);
  }
}

/** The ids of the results, and of the further runs of the same command that a result stands for. */
async function searched(world: World, input: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { results } = await world.ok(smartSearch, { ...input, limit: 100, source: "viewer" } as never);
  return results.flatMap(({ obsId, moreRuns = 0 }) => {
    const runs = sameRuns(world, obsId);
    expect(moreRuns, `runs besides ${obsId}`).toBeLessThan(Math.max(1, runs.length));
    return moreRuns === 0 ? [obsId] : runs;
  });
}

function sameRuns({ model: { observations } }: World, id: string): string[] {
  const event = observations.get(id)?.event;
  return [...observations.values()].filter((one) => one.event === event).map((one) => one.id);
}

/** Warnings to ignore: work that a sweep will do later, and missing information that nobody gave. */
const dueWithTime = /^(?:abandoned-session|memory-project-coverage)/u;

/** Expects that neither the store's own checks nor those of the database find a fault. */
export async function expectSound(world: World): Promise<void> {
  await world.http.settled();
  const { checks } = await world.ok(diagnose, {});
  expect(checks.filter(({ status, name }) => status === "fail" && !dueWithTime.test(name))).toEqual([]);
  const { details } = await world.ok(heal, { dryRun: true });
  expect(
    details.filter((line) => !dueWithTime.test(line)),
    "heal has nothing to do",
  ).toEqual([]);
  expect(await orphansOf(world.http), "every row that another names is there").toEqual([]);
  // A new connection, because an older one checks FTS5 with cached parts of the index that may have been merged since.
  const database = new Database(databaseFile(world.home));
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  database.close();
}

/**
 * Expects that an empty store which imports the export has the same contents, and that a second import changes nothing.
 */
export async function expectCarriedOver(world: World): Promise<void> {
  const other = await openTestHttp({ startAt: new Date(world.http.now()).toISOString() });
  try {
    const exportData = await world.ok(exportStore, {});
    const { warnings } = await other.ok(importStore, { exportData });
    // What time has made due for deletion is due in the other store, too, and its import says so.
    expect(warnings.filter((warning) => !warning.includes("next sweep deletes it again"))).toEqual([]);
    expect(await contents(other)).toEqual(await contents(world.http));
    const again = await other.ok(importStore, { exportData });
    expect(Object.entries(again.counts).filter(([, { written }]) => written > 0)).toEqual([]);
  } finally {
    await other.close();
  }
}

/** Expects that no secret is in the export or in the files of the store. */
export async function expectNoSecrets(world: World): Promise<void> {
  world.expectNoSecret((await world.http.send("/export")).text, "the export");
  for (const suffix of ["", "-wal"]) {
    const path = databaseFile(world.home) + suffix;
    world.expectNoSecret(readIfThere(path), path);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
