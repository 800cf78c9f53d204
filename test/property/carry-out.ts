import { expect } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { bulkDelete, deleteMemories } from "../../src/governance/deletion/operations.ts";
import { autoForget, evict } from "../../src/governance/retention/operations.ts";
import { createSnapshot, restoreSnapshot } from "../../src/governance/snapshots/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { evolve, forget, remember } from "../../src/knowledge/memories/operations.ts";
import { relate } from "../../src/knowledge/memories/relations/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { dayMs, minuteMs } from "../../src/time/durations.ts";
import type { Reply } from "../support/http.ts";
import { contents, timeless } from "./contents.ts";
import { type Doing, picked } from "./doing.ts";
import { doLessons, sweepFaded } from "./families/lessons.ts";
import { doSlots } from "./families/slots.ts";
import { sessions } from "./given.ts";
import { expectCarriedOver } from "./invariants.ts";
import { copyOf, drop, type ModelMemory, nearest } from "./model.ts";
import type { Step } from "./steps.ts";
import type { World } from "./world.ts";

/** Carries out a step on the store and on the model, and expects answers that agree with the model. */
export async function carryOut(world: World, step: Step): Promise<void> {
  world.http.advance(1_000);
  await (doing[step.kind] as (world: World, step: Step) => Promise<void>)(world, step);
}

const doing: Doing<Step> = {
  remember: async (world, { text, project, agent, type, ttlDays }) => {
    const word = world.word();
    await remembered(world, { content: world.written(text, word), word, project, agent, type, ttlDays });
  },
  again: async (world, { pick, change }) => {
    const known = picked(world.model.memories, pick);
    if (known === undefined) return;
    const { content, word, project, agent } = known;
    await remembered(world, { content: change ? `${content} meanwhile` : content, word, project, agent });
  },
  evolve: async (world, { pick, text }) => {
    const { memories } = world.model;
    const old = picked(memories, pick);
    if (old === undefined) return;
    const word = world.word();
    const newContent = world.written(text, word);
    const reply = await world.reply(evolve, { memoryId: old.id, newContent, newTitle: word });
    const chain = [...memories.values()].filter(({ lineage }) => lineage === old.lineage);
    const latest = chain.find(({ isLatest }) => isLatest);
    const highest = Math.max(...chain.map(({ version }) => version));
    if (latest === undefined ? old.version !== highest : latest.id !== old.id) {
      expect(reply.status, "evolving an earlier version").toBe(409);
      return;
    }
    expect(reply.status, reply.text).toBe(200);
    old.isLatest = false;
    const { id, content, version } = reply.body.memory as { id: string; content: string; version: number };
    expect(version).toBe(old.version + 1);
    const isOver = old.forgetAfter !== undefined && old.forgetAfter <= world.http.now();
    const forgetAfter = isOver ? undefined : old.forgetAfter;
    memories.set(id, { ...old, id, word, content, version, isLatest: true, forgetAfter });
  },
  forget: async (world, { pick, restorePrevious }) => {
    const { memories } = world.model;
    const old = picked(memories, pick);
    if (old === undefined) return;
    const [dry, real] = await world.deleted(forget, { memoryId: old.id, restorePrevious });
    expectForetold(dry, real);
    drop(world.model, [old.id]);
    const previous = [...memories.values()]
      .filter(({ lineage, version }) => lineage === old.lineage && version < old.version)
      .filter(({ forgetAfter = Number.POSITIVE_INFINITY }) => forgetAfter > world.http.now())
      .sort((a, b) => b.version - a.version)[0];
    const restored = restorePrevious && old.isLatest ? previous : undefined;
    if (restored !== undefined) restored.isLatest = true;
    expect(real.body).toMatchObject({ deleted: 1, deletedMemories: 1, deletedObservations: 0, notFound: [] });
    expect(real.body.restored).toBe(restored?.id);
  },
  "delete by ids": async (world, { picks, unknown }) => {
    const ids = new Set(picks.flatMap((pick) => picked(world.model.memories, pick)?.id ?? []));
    if (ids.size === 0) return;
    const notFound = unknown ? ["mem_unknown"] : [];
    const [dry, real] = await world.deleted(deleteMemories, { memoryIds: [...ids, ...notFound] });
    expectForetold(dry, real);
    expect(real.body).toMatchObject({ deleted: ids.size, total: ids.size + notFound.length, notFound });
    drop(world.model, ids);
  },
  "bulk delete": async (world, { filter }) => {
    const expected = [...world.model.memories.values()]
      .filter(({ project }) => filter.project === undefined || project === filter.project)
      .filter(({ agent }) => filter.agentId === undefined || agent === filter.agentId)
      .filter(({ type }) => filter.type === undefined || (filter.type as readonly string[]).includes(type))
      .map(({ id }) => id)
      .sort();
    const [dry, real] = await world.deleted(bulkDelete, filter);
    expect((dry.body.ids as string[]).toSorted()).toEqual(expected);
    expect(dry.body.wouldDelete).toBe(expected.length);
    expect(real.body).toMatchObject({ deleted: expected.length, failed: 0 });
    expect((real.body.ids as string[]).toSorted()).toEqual(expected);
    drop(world.model, expected);
  },
  relate: async (world, { from, to, type }) => {
    const [source, target] = [picked(world.model.memories, from), picked(world.model.memories, to)];
    if (source === undefined || target === undefined) return;
    const reply = await world.reply(relate, { sourceId: source.id, targetId: target.id, type });
    if (source === target) expect(reply.status).toBe(400);
    else expect([200, 201]).toContain(reply.status);
  },
  observe: async (world, { session, hookType, text }) => {
    const word = world.word();
    const said = world.written(text, word);
    const data =
      hookType === "post_tool_use"
        ? { toolName: "Bash", toolInput: { command: said }, toolOutput: "done" }
        : { prompt: said };
    const event = { sessionId: session, project: "shop", cwd: "/w", hookType, data };
    await observed(world, { ...event, agentId: sessions[session] }, word);
  },
  "observe again": async (world, { pick }) => {
    const known = picked(world.model.observations, pick);
    if (known === undefined) return;
    const { event } = known;
    const answer = await world.ok(observe, { ...event, timestamp: isoNow(world) } as never);
    const twins = [...world.model.observations.values()].filter((one) => one.event === event);
    const young = twins.find(({ arrivedAt }) => world.http.now() - arrivedAt <= 5 * minuteMs);
    expect(answer.deduplicated, "sent again").toBe(young !== undefined);
    if (young !== undefined) expect(answer.observationId).toBe(young.id);
    else keepObservation(world, answer.observationId, event, known.word);
  },
  "forget session": async (world, { session, includeSession }) => {
    const gone = [...world.model.observations.values()].filter((one) => one.session === session);
    const [dry, real] = await world.deleted(forget, { sessionId: session, includeSession });
    expectForetold(dry, real);
    if (real.status === 404) expect(gone).toEqual([]);
    else expect(real.body).toMatchObject({ deletedObservations: gone.length, deletedMemories: 0 });
    drop(
      world.model,
      gone.map(({ id }) => id),
    );
  },
  "forget observation": async (world, { pick }) => {
    const gone = picked(world.model.observations, pick);
    if (gone === undefined) return;
    const [dry, real] = await world.deleted(forget, { sessionId: gone.session, observationIds: [gone.id] });
    expectForetold(dry, real);
    expect(real.body).toMatchObject({ deleted: 1, deletedObservations: 1, notFound: [] });
    drop(world.model, [gone.id]);
  },
  end: async (world, { session }) => {
    await world.reply(endSession, { sessionId: session });
  },
  ...doLessons,
  ...doSlots,
  wait: async (world, { minutes }) => {
    world.http.advance(minutes * minuteMs);
  },
  sweep: async (world, { which }) => {
    if (which === "faded") return sweepFaded(world);
    const due = [...world.model.memories.values()]
      .filter(({ forgetAfter = Number.POSITIVE_INFINITY }) => forgetAfter <= world.http.now())
      .map(({ id }) => id);
    const operation: Operation = which === "evict" ? evict : autoForget;
    const [dry, real] = await world.deleted(operation, {});
    expectForetold(dry, real);
    const told = which === "evict" ? real.body.expiredMemories : real.body.ttlExpired;
    expect((told as string[]).toSorted()).toEqual(due.toSorted());
    const earlier = which === "evict" ? (real.body.nonLatestMemories as string[]) : [];
    drop(world.model, [...due, ...earlier]);
  },
  snapshot: async (world) => {
    const { snapshot } = await world.ok(createSnapshot, {});
    expect(snapshot.stats.memories).toBe(world.model.memories.size);
    world.snapshots.push({
      id: snapshot.id,
      model: copyOf(world.model),
      contents: await contents(world.http),
    });
  },
  restore: async (world, { pick }) => {
    const chosen = world.snapshots[pick % Math.max(1, world.snapshots.length)];
    if (chosen === undefined) return;
    const [dry, real] = await world.deleted(restoreSnapshot, { snapshotId: chosen.id });
    expect(dry.body.counts).toEqual(real.body.counts);
    expect(real.body).toMatchObject({ restored: true });
    world.model = copyOf(chosen.model);
    expect(timeless(await contents(world.http)), "as it was at the snapshot").toEqual(
      timeless(chosen.contents),
    );
  },
  "import self": async (world, { strategy }) => {
    const exportData = await world.ok(exportStore, {});
    const [, real] = await world.deleted(importStore, { exportData, strategy });
    expect(real.status, real.text).toBe(200);
    if (strategy === "replace") {
      // Exported events are redacted, so an event with a secret is not recognized when it is sent again.
      for (const one of world.model.observations.values()) {
        if (world.hasSecret(JSON.stringify(one.event))) one.arrivedAt = Number.NEGATIVE_INFINITY;
      }
      return;
    }
    const written = Object.entries(real.body.counts as Record<string, { written: number }>).filter(
      ([, count]) => count.written > 0,
    );
    expect(written, "its own export changes nothing").toEqual([]);
  },
  "carry over": (world) => expectCarriedOver(world),
  reopen: (world) => world.reopen(),
};

interface Remembered {
  readonly content: string;
  readonly word: string;
  readonly project: string | undefined;
  readonly agent: string | undefined;
  readonly type?: string | undefined;
  readonly ttlDays?: number | undefined;
}

async function remembered(world: World, { word, ...input }: Remembered): Promise<void> {
  const { model } = world;
  const { agent: agentId, ...fields } = input;
  const { memory, superseded, similarTo } = await world.ok(remember, { ...fields, agentId } as never);
  const near = nearest(model, { ...input, content: memory.content }, world.http.now());
  const old = near.similarity > 0.7 ? model.memories.get(superseded ?? "") : undefined;
  expect(superseded !== undefined, `superseded at ${near.similarity}`).toBe(near.similarity > 0.7);
  if (superseded !== undefined) expect(near.ids).toContain(superseded);
  expect(similarTo !== undefined, `similarTo at ${near.similarity}`).toBe(
    near.similarity > 0.4 && near.similarity <= 0.7,
  );
  if (old !== undefined) old.isLatest = false;
  expect(memory.version).toBe((old?.version ?? 0) + 1);
  const kept: ModelMemory = {
    id: memory.id,
    lineage: old?.lineage ?? world.next(),
    version: memory.version,
    content: memory.content,
    word,
    project: input.project,
    agent: input.agent,
    type: input.type ?? old?.type ?? "fact",
    forgetAfter: input.ttlDays === undefined ? undefined : world.http.now() + input.ttlDays * dayMs,
    isLatest: true,
  };
  model.memories.set(kept.id, kept);
  model.forgotten.delete(word);
}

async function observed(world: World, event: Readonly<Record<string, unknown>>, word: string): Promise<void> {
  const answer = await world.ok(observe, { ...event, timestamp: isoNow(world) } as never);
  expect(answer.deduplicated).toBe(false);
  keepObservation(world, answer.observationId, event, word);
}

function keepObservation(
  { model, http }: World,
  id: string,
  event: Readonly<Record<string, unknown>>,
  word: string,
): void {
  const [session, agent] = [String(event.sessionId), event.agentId as string | undefined];
  model.observations.set(id, { id, session, agent, word, event, arrivedAt: http.now() });
  model.forgotten.delete(word);
}

/** Expects that the dry run foretold what the real run did. */
function expectForetold(dry: Reply, real: Reply): void {
  const { dryRun: _told, ...told } = dry.body;
  const { dryRun: _done, ...done } = real.body;
  expect([dry.status, told]).toEqual([real.status, done]);
}

function isoNow({ http }: World): string {
  return new Date(http.now()).toISOString();
}
