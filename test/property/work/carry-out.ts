import { expect } from "vitest";
import { addActionEdge, createAction, updateAction } from "../../../src/coordination/actions/operations.ts";
import { createCheckpoint, resolveCheckpoint } from "../../../src/coordination/checkpoints/operations.ts";
import { acquireLease, releaseLease, renewLease } from "../../../src/coordination/leases/operations.ts";
import { readSignals, sendSignal } from "../../../src/coordination/signals/operations.ts";
import { createSnapshot, restoreSnapshot } from "../../../src/governance/snapshots/operations.ts";
import { exportStore, importStore } from "../../../src/governance/transfer/operations.ts";
import { minuteMs } from "../../../src/time/durations.ts";
import { picked } from "../doing.ts";
import type { World } from "../world.ts";
import { closesCircle, isFinished, noWork, pass, putBack, settle, unmet, type Work } from "./model.ts";
import { shownTo } from "./shown.ts";
import { agents, type Step } from "./steps.ts";

const longestMs = 60 * minuteMs;

/** A store and the model of the work that it must hold. */
export interface Office {
  readonly world: World;
  work: Work;
  readonly snapshots: { readonly id: string; readonly work: Work }[];
}

type Doing = {
  readonly [K in Step["kind"]]: (office: Office, step: Extract<Step, { kind: K }>) => Promise<void>;
};

export async function carryOut(office: Office, step: Step): Promise<void> {
  const { http } = office.world;
  http.advance(1_000);
  pass(office.work, http.now());
  await (doing[step.kind] as (office: Office, step: Step) => Promise<void>)(office, step);
  pass(office.work, http.now());
}

const doing: Doing = {
  create: async ({ world, work }, { priority, project, requires }) => {
    const targets = [...new Set(requires.flatMap((at) => picked(work.actions, at)?.id ?? []))];
    const { action } = await world.ok(createAction, {
      title: world.word(),
      priority,
      project,
      edges: targets.map((targetActionId) => ({ type: "requires" as const, targetActionId })),
    });
    const { id } = action;
    const kept = { id, priority, project, createdAt: world.http.now() };
    work.actions.set(id, { ...kept, status: "pending", reason: undefined, assignedTo: undefined });
    for (const target of targets) work.edges.push({ type: "requires", source: id, target });
    settle(work);
    expect(action.status).toBe(work.actions.get(id)?.status);
  },
  edge: async ({ world, work }, { type, from, to }) => {
    const source = picked(work.actions, from)?.id;
    const target =
      type === "gated_by"
        ? [...work.checkpoints.keys()][to % work.checkpoints.size]
        : picked(work.actions, to)?.id;
    if (source === undefined || target === undefined) return;
    const input = { type, sourceActionId: source, targetActionId: target };
    const { status, text } = await world.reply(addActionEdge, input);
    const isKnown = work.edges.some(
      (edge) =>
        edge.type === type &&
        ((edge.source === source && edge.target === target) ||
          (type === "conflicts_with" && edge.source === target && edge.target === source)),
    );
    if (source === target || (type === "requires" && closesCircle(work, source, target)))
      expect(status, text).toBe(400);
    else if (isKnown) expect(status, text).toBe(200);
    else {
      expect(status, text).toBe(201);
      work.edges.push({ type, source, target });
    }
  },
  update: async ({ world, work }, { pick, status }) => {
    const action = picked(work.actions, pick);
    if (action === undefined) return;
    const reply = await world.reply(updateAction, { actionId: action.id, status });
    const lease = work.leases.get(action.id);
    const mayNot =
      status === "active" &&
      ((action.status !== "active" && unmet(work, action.id).length > 0) ||
        (lease !== undefined && lease.agent !== action.assignedTo));
    expect(reply.status, reply.text).toBe(mayNot ? 409 : 200);
    if (mayNot) return;
    action.status = status;
    action.reason = status === "blocked" ? "manual" : undefined;
    if (isFinished(action)) endLease(work, action.id);
  },
  acquire: async ({ world, work }, { pick, agent, ttlMs }) => {
    const action = picked(work.actions, pick);
    if (action === undefined) return;
    const may = mayTake(work, action.id, agent);
    const reply = await world.reply(acquireLease, { actionId: action.id, agentId: agent, ttlMs });
    expect(reply.status, reply.text).toBe(may ? 200 : 409);
    if (may) take(work, action.id, agent, world.http.now() + ttlMs);
  },
  race: async ({ world, work }, { pick, ttlMs }) => {
    const action = picked(work.actions, pick);
    if (action === undefined) return;
    const may = agents.filter((agent) => mayTake(work, action.id, agent));
    const replies = await Promise.all(
      agents.map((agentId) => world.reply(acquireLease, { actionId: action.id, agentId, ttlMs })),
    );
    const winners = agents.filter((_, at) => replies[at]?.status === 200);
    expect(winners.length, "one holder at a time").toBe(Math.min(1, may.length));
    const [winner] = winners;
    if (winner === undefined) return;
    expect(may).toContain(winner);
    take(work, action.id, winner, world.http.now() + ttlMs);
  },
  release: async ({ world, work }, { pick, agent, isDone }) => {
    const action = picked(work.actions, pick);
    if (action === undefined) return;
    const input = { actionId: action.id, agentId: agent, ...(isDone ? { result: "so it is" } : {}) };
    const reply = await world.reply(releaseLease, input);
    const lease = work.leases.get(action.id);
    const expected = lease === undefined ? 404 : lease.agent === agent ? 200 : 409;
    expect(reply.status, reply.text).toBe(expected);
    if (expected !== 200) return;
    endLease(work, action.id);
    if (!isDone) putBack(work, action.id);
    else if (action.reason !== "manual") Object.assign(action, { status: "done", reason: undefined });
  },
  renew: async ({ world, work }, { pick, agent, ttlMs }) => {
    const action = picked(work.actions, pick);
    if (action === undefined) return;
    const reply = await world.reply(renewLease, { actionId: action.id, agentId: agent, ttlMs });
    const lease = work.leases.get(action.id);
    if (lease === undefined || lease.agent !== agent) {
      const isConflict = lease !== undefined || work.expired.has(action.id);
      expect(reply.status, reply.text).toBe(isConflict ? 409 : 404);
      return;
    }
    const now = world.http.now();
    lease.expiresAt = Math.min(Math.max(now, lease.expiresAt) + ttlMs, now + longestMs);
    expect(reply.body, reply.text).toMatchObject({
      renewed: true,
      lease: { expiresAt: new Date(lease.expiresAt).toISOString() },
    });
  },
  checkpoint: async ({ world, work }, { type, links, minutes, expires }) => {
    const linkedActionIds = [...new Set(links.flatMap((at) => picked(work.actions, at)?.id ?? []))];
    const expiresInMs = expires || type === "timer" ? minutes * minuteMs : undefined;
    const input = { name: world.word(), type, linkedActionIds, expiresInMs };
    const { checkpoint, blocked } = await world.ok(createCheckpoint, input);
    const wereBlocked = linkedActionIds.filter((id) => work.actions.get(id)?.status === "pending");
    expect(blocked.toSorted()).toEqual(wereBlocked.toSorted());
    const expiresAt = expiresInMs === undefined ? undefined : world.http.now() + expiresInMs;
    work.checkpoints.set(checkpoint.id, { type, expiresAt, status: "pending" });
    for (const source of linkedActionIds)
      work.edges.push({ type: "gated_by", source, target: checkpoint.id });
  },
  resolve: async ({ world, work }, { pick, status }) => {
    const [id, checkpoint] = [...work.checkpoints][pick % Math.max(1, work.checkpoints.size)] ?? [];
    if (id === undefined || checkpoint === undefined) return;
    const reply = await world.reply(resolveCheckpoint, { checkpointId: id, status });
    const isFinal = checkpoint.status === "passed" || checkpoint.status === "failed";
    expect(reply.status, reply.text).toBe(isFinal ? 409 : 200);
    if (isFinal) return;
    const before = blockedIds(work);
    checkpoint.status = status;
    settle(work);
    const after = blockedIds(work);
    const unblocked = before.filter((one) => !after.includes(one));
    expect((reply.body.unblocked as string[]).toSorted()).toEqual(unblocked);
  },
  send: async ({ world, work }, { from, to, replyTo, expires }) => {
    const now = world.http.now();
    const live = [...work.signals.values()].filter(({ expiresAt = Infinity }) => expiresAt > now);
    const answered = replyTo === undefined ? undefined : live[replyTo % Math.max(1, live.length)];
    const expiresInMs = expires ? 30 * minuteMs : undefined;
    const input = { from, to, content: world.word(), replyTo: answered?.id, expiresInMs };
    const { signal } = await world.ok(sendSignal, input);
    if (answered !== undefined) expect(signal.threadId).toBe(answered.threadId);
    const { id, threadId } = signal;
    const expiresAt = expiresInMs === undefined ? undefined : now + expiresInMs;
    work.signals.set(id, { id, from, to, threadId, expiresAt, readBy: new Set() });
  },
  read: async ({ world, work }, { agent, unreadOnly, limit }) => {
    const { signals } = await world.ok(readSignals, { agentId: agent, unreadOnly, limit, type: "info" });
    const expected = shownTo(work, agent, world.http.now()).filter(
      ({ from, readBy }) => !unreadOnly || (from !== agent && !readBy.has(agent)),
    );
    expect(signals.map(({ id }) => id)).toEqual(expected.map(({ id }) => id).slice(0, limit));
    for (const { id, from, readBy } of expected.slice(0, limit)) {
      const isRead = signals.find((signal) => signal.id === id)?.readAt !== undefined;
      expect(isRead).toBe(readBy.has(agent));
      if (from !== agent) readBy.add(agent);
    }
  },
  wait: async ({ world }, { minutes }) => {
    world.http.advance(minutes * minuteMs);
  },
  snapshot: async (office) => {
    const { snapshot } = await office.world.ok(createSnapshot, {});
    office.snapshots.push({ id: snapshot.id, work: structuredClone(office.work) });
  },
  restore: async (office, { pick }) => {
    const chosen = office.snapshots[pick % Math.max(1, office.snapshots.length)];
    if (chosen === undefined) return;
    await office.world.ok(restoreSnapshot, { snapshotId: chosen.id });
    office.work = structuredClone(chosen.work);
  },
  "import self": async ({ world }, { strategy }) => {
    const exportData = await world.ok(exportStore, {});
    expect((await world.ok(importStore, { exportData, strategy })).warnings).toEqual([]);
  },
  reopen: ({ world }) => world.reopen(),
};

export function emptyOffice(world: World): Office {
  return { world, work: noWork(), snapshots: [] };
}

/**
 * Whether an agent may take an action: it holds it already, or nobody does and the action is neither finished nor
 * blocked by hand nor waiting for something.
 */
function mayTake(work: Work, id: string, agent: string): boolean {
  const lease = work.leases.get(id);
  if (lease !== undefined) return lease.agent === agent;
  const action = work.actions.get(id);
  if (action === undefined || isFinished(action) || action.reason === "manual") return false;
  return unmet(work, id).length === 0;
}

/** Takes an action in the model; an agent that holds it already keeps its old expiry. */
function take(work: Work, id: string, agent: string, expiresAt: number): void {
  const action = work.actions.get(id);
  if (action === undefined) return;
  const isHeld = work.leases.has(id);
  if (!isHeld || action.status === "pending")
    Object.assign(action, { status: "active", reason: undefined, assignedTo: agent });
  if (isHeld) return;
  work.leases.set(id, { agent, expiresAt });
  work.expired.delete(id);
}

function endLease(work: Work, id: string): void {
  work.leases.delete(id);
}

function blockedIds({ actions }: Work): string[] {
  return [...actions.values()]
    .filter(({ reason }) => reason === "edges")
    .map(({ id }) => id)
    .sort();
}
