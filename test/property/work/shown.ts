import { expect } from "vitest";
import { nextAction, readFrontier } from "../../../src/coordination/actions/frontier/operations.ts";
import { getAction, listActions } from "../../../src/coordination/actions/operations.ts";
import { listCheckpoints } from "../../../src/coordination/checkpoints/operations.ts";
import { readSignals } from "../../../src/coordination/signals/operations.ts";
import type { World } from "../world.ts";
import { frontierOf, isFinished, unmet, type Work } from "./model.ts";
import { agents, projects } from "./steps.ts";

/** The signals that an agent sees, newest first. */
export function shownTo({ signals }: Work, agent: string, now: number) {
  return [...signals.values()]
    .filter(({ from, to }) => to === undefined || to === agent || from === agent)
    .filter(({ expiresAt = Infinity }) => expiresAt > now)
    .reverse();
}

/** Expects that everybody is shown the work as the model has it at this time. */
export async function expectShown(world: World, work: Work): Promise<void> {
  const now = world.http.now();
  for (const agent of [undefined, ...agents]) {
    for (const project of [undefined, ...projects]) {
      const asked = { agentId: agent, project };
      const expected = frontierOf(work, { agent, project }, now);
      const { frontier, totalActions, totalUnblocked } = await world.ok(readFrontier, {
        ...asked,
        limit: 200,
      });
      expect(frontier.map(({ action, score }) => `${action.id} ${score}`)).toEqual(expected);
      const unfinished = [...work.actions.values()]
        .filter((action) => project === undefined || action.project === project)
        .filter((action) => !isFinished(action));
      expect([totalActions, totalUnblocked]).toEqual([unfinished.length, expected.length]);
      const { suggestion } = await world.ok(nextAction, asked);
      expect(suggestion?.actionId).toBe(expected[0]?.split(" ")[0]);
    }
  }
  const { actions } = await world.ok(listActions, { limit: 500 });
  expect(
    actions
      .map(({ id, status, blockReason, assignedTo }) => `${id} ${status} ${blockReason} ${assignedTo}`)
      .sort(),
  ).toEqual(
    [...work.actions.values()]
      .map(({ id, status, reason, assignedTo }) => `${id} ${status} ${reason} ${assignedTo}`)
      .sort(),
  );
  for (const action of work.actions.values()) {
    const { id } = action;
    const { lease, blockers, edges } = await world.ok(getAction, { actionId: id });
    const held = work.leases.get(id);
    expect(
      lease === null ? undefined : { agent: lease.agentId, expiresAt: Date.parse(lease.expiresAt) },
    ).toEqual(held);
    // A finished action waits for nothing.
    const isOver = isFinished(action);
    const waitsFor = blockers.filter(({ kind }) => kind !== "conflict").map((blocker) => blocker.id);
    expect(waitsFor.sort()).toEqual(isOver ? [] : unmet(work, id).sort());
    const own = work.edges.filter(({ source, target }) => source === id || target === id);
    expect(edges).toHaveLength(own.length);
  }
  const { checkpoints } = await world.ok(listCheckpoints, { limit: 500 });
  expect(checkpoints.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
    [...work.checkpoints].map(([id, { status }]) => `${id} ${status}`).sort(),
  );
  for (const agentId of agents) {
    const { signals, total, unread } = await world.ok(readSignals, { agentId, peek: true, limit: 500 });
    const own = shownTo(work, agentId, now);
    expect(signals.filter(({ type }) => type === "info").map(({ id }) => id)).toEqual(
      own.map(({ id }) => id),
    );
    expect(total).toBe(own.length + work.alerts);
    expect(unread).toBe(
      own.filter(({ from, readBy }) => from !== agentId && !readBy.has(agentId)).length + work.alerts,
    );
  }
}
