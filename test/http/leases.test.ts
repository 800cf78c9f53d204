import { beforeEach, describe, expect, test } from "vitest";
import { readFrontier } from "../../src/coordination/actions/frontier/operations.ts";
import {
  addActionEdge,
  createAction,
  getAction,
  updateAction,
} from "../../src/coordination/actions/operations.ts";
import { acquireLease, releaseLease, renewLease } from "../../src/coordination/leases/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { readErrorHeaders } from "../../src/operation/error-headers.ts";
import { minuteMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type Reply } from "../support/http.ts";

const http = forEachTest(openTestHttp);
let actionId: string;
beforeEach(async () => {
  actionId = (await http.ok(createAction, { title: "build it" })).action.id;
});

const acquire = (agentId: string, fields: Readonly<Record<string, unknown>> = {}) =>
  http.reply(acquireLease, { actionId, agentId, ...fields });

const hintOf = ({ headers }: Reply) => readErrorHeaders(Object.fromEntries(headers)).hint;

async function action() {
  return (await http.ok(getAction, { actionId })).action;
}

async function trail(): Promise<string[]> {
  return (await http.ok(listAudit, {})).entries.map(({ operation }) => operation).reverse();
}

async function sweep(): Promise<void> {
  await http.core.clockwork.sweep();
}

describe("acquiring a lease", () => {
  test("makes the action active for ten minutes by default", async () => {
    const reply = await acquire("ann");
    expect(reply.body).toEqual({
      success: true,
      lease: {
        id: expect.stringMatching(/^lea_[0-9a-z]{26}$/u),
        actionId,
        agentId: "ann",
        acquiredAt: "2026-03-01T12:00:00.000Z",
        expiresAt: "2026-03-01T12:10:00.000Z",
        status: "active",
      },
      renewed: false,
    });
    expect(await action()).toMatchObject({ status: "active", assignedTo: "ann" });
    expect((await http.ok(getAction, { actionId })).lease).toEqual(reply.body.lease);
    expect(await trail()).toEqual(["action_create", "lease_acquire"]);
  });

  test("again returns the same lease to its holder, and a 409 with the holder to others", async () => {
    const first = await acquire("ann");
    http.advance(minuteMs);
    const again = await acquire("ann", { ttlMs: 5_000 });
    expect(again.body).toMatchObject({
      lease: first.body.lease,
      renewed: false,
      message: expect.stringContaining("holds it already"),
    });
    const other = await acquire("bob");
    expect(other.status).toBe(409);
    expect(other.body).toEqual({
      error: expect.stringContaining("held by ann"),
      heldBy: "ann",
      expiresAt: "2026-03-01T12:10:00.000Z",
    });
    expect(await trail()).toEqual(["action_create", "lease_acquire"]);
  });

  test("makes the agent in the body the holder, not the agent in the query", async () => {
    const sending = { query: { agentId: "scope" } };
    const { body } = await http.reply(acquireLease, { actionId, agentId: "ann" }, sending);
    expect(body).toMatchObject({ lease: { agentId: "ann" } });
    expect((await http.reply(renewLease, { actionId, agentId: "ann" }, sending)).status).toBe(200);
    expect((await http.reply(releaseLease, { actionId, agentId: "ann" }, sending)).status).toBe(200);
    const nobody = await http.reply(acquireLease, { actionId }, sending);
    expect([nobody.status, nobody.body.error]).toEqual([400, "agentId required"]);
  });

  test("takes a duration from a second to an hour", async () => {
    const { body } = await acquire("ann", { ttlMs: 1e12 });
    expect(body.lease).toMatchObject({ expiresAt: "2026-03-01T13:00:00.000Z" });
    expect((await acquire("ann", { ttlMs: 999 })).status).toBe(400);
    expect((await acquire(" ")).status).toBe(400);
  });

  test("of a finished, blocked or waiting action is refused with the reason", async () => {
    const { action: first } = await http.ok(createAction, { title: "first" });
    await http.ok(addActionEdge, { sourceActionId: actionId, type: "requires", targetActionId: first.id });
    const waiting = await acquire("ann");
    expect([waiting.status, waiting.body.blockers]).toEqual([
      409,
      [{ kind: "action", id: first.id, title: "first", status: "pending" }],
    ]);
    for (const status of ["blocked", "done", "cancelled"] as const) {
      await http.ok(updateAction, { actionId, status });
      const { status: code, body } = await acquire("ann");
      expect([code, body.status]).toEqual([409, status]);
    }
    expect((await http.reply(acquireLease, { actionId: "act_x", agentId: "ann" })).status).toBe(404);
  });

  test("keeps other agents from activating or being assigned the action, until it is finished", async () => {
    await acquire("ann");
    const taken = await http.reply(updateAction, { actionId, status: "active", assignedTo: "bob" });
    expect([taken.status, taken.body.heldBy, hintOf(taken)]).toEqual([
      409,
      "ann",
      expect.stringContaining(`memsvc lease release ${actionId} --agent-id ann`),
    ]);
    for (const assignedTo of ["bob", null]) {
      const { status, body } = await http.reply(updateAction, { actionId, assignedTo });
      expect([status, body.heldBy, body.expiresAt]).toEqual([409, "ann", expect.any(String)]);
    }
    await http.ok(updateAction, { actionId, priority: 7, assignedTo: "ann" });
    await http.ok(updateAction, { actionId, status: "active", assignedTo: "ann" });
    await http.ok(updateAction, { actionId, status: "done" });
    expect((await http.ok(getAction, { actionId })).lease).toBeNull();
    expect((await http.reply(releaseLease, { actionId, agentId: "ann" })).status).toBe(404);
  });

  test("ends in an import where its action is finished", async () => {
    await acquire("ann");
    const file = await http.ok(exportStore, {});
    const actions = [{ ...(await action()), status: "done" }];
    const empty = await openTestHttp();
    const { warnings } = await empty.ok(importStore, { exportData: { ...file, actions } });
    expect(warnings).toContain("leases: those on actions that are finished were closed");
    expect((await empty.ok(getAction, { actionId })).lease).toBeNull();
    expect((await empty.ok(exportStore, {})).leases).toMatchObject([{ agentId: "ann", status: "released" }]);
    await empty.close();
  });

  test("shows the action in the frontier only to its holder", async () => {
    await acquire("ann");
    const seen = async (fields: { agentId?: string }) =>
      (await http.ok(readFrontier, fields)).frontier.map(({ leased, score }) => [leased, score]);
    expect(await seen({ agentId: "ann" })).toEqual([[true, 65]]);
    expect(await seen({ agentId: "bob" })).toEqual([]);
    expect(await seen({})).toEqual([]);
  });

  test("activates the action again for its holder after an update set it to pending", async () => {
    await acquire("ann");
    await http.ok(updateAction, { actionId, status: "pending" });
    expect((await acquire("bob")).status).toBe(409);
    expect((await acquire("ann")).status).toBe(200);
    expect(await action()).toMatchObject({ status: "active", assignedTo: "ann" });
    expect((await trail()).slice(1)).toEqual(["lease_acquire", "action_update", "lease_acquire"]);
  });
});

describe("releasing a lease", () => {
  test("with a result finishes the action, unblocks others and redacts the result", async () => {
    const { action: next } = await http.ok(createAction, { title: "next", requires: [actionId] });
    await acquire("ann");
    const result = `pushed with ghp_${"a1B2".repeat(9)}`;
    const { body } = await http.reply(releaseLease, { actionId, agentId: "ann", result });
    expect(body).toMatchObject({
      released: true,
      action: {
        status: "done",
        result: "pushed with [REDACTED_SECRET]",
        completedAt: "2026-03-01T12:00:00.000Z",
        assignedTo: "ann",
      },
      unblocked: [next.id],
    });
    expect(await trail()).toEqual(["action_create", "action_create", "lease_acquire", "lease_release"]);
  });

  test.each([undefined, "", " \n"])(
    "without a result makes the action available to others: %j",
    async (result) => {
      await acquire("ann");
      const { action: after, unblocked } = await http.ok(releaseLease, { actionId, agentId: "ann", result });
      expect([after.status, after.assignedTo, unblocked]).toEqual(["pending", undefined, []]);
      expect((await http.ok(readFrontier, { agentId: "bob" })).frontier).toMatchObject([{ leased: false }]);
      expect((await acquire("bob")).status).toBe(200);
    },
  );

  test("with a result leaves an action blocked that was blocked by hand meanwhile", async () => {
    await acquire("ann");
    await http.ok(updateAction, { actionId, status: "blocked" });
    const { action: after } = await http.ok(releaseLease, { actionId, agentId: "ann", result: "half of it" });
    expect(after).toMatchObject({ status: "blocked", blockReason: "manual", result: "half of it" });
    expect(after).not.toHaveProperty("completedAt");
  });

  test("is only possible for its holder", async () => {
    const release = (agentId: string) => http.reply(releaseLease, { actionId, agentId });
    expect([(await release("ann")).status, (await release("ann")).body.error]).toEqual([
      404,
      `nobody holds action ${actionId}`,
    ]);
    const unknown = await http.reply(releaseLease, { actionId: "act_x", agentId: "ann" });
    expect([unknown.status, unknown.body.error]).toEqual([404, "action act_x is not known"]);
    await acquire("ann");
    const other = await release("bob");
    expect([other.status, other.body.heldBy, other.body.expiresAt]).toEqual([
      409,
      "ann",
      "2026-03-01T12:10:00.000Z",
    ]);
    expect(hintOf(other)).toBe(
      `if ann no longer works on it, release it: memsvc lease release ${actionId} --agent-id ann`,
    );
  });

  test("twice is a 404 that says the action is done", async () => {
    await acquire("ann");
    const release = () => http.reply(releaseLease, { actionId, agentId: "ann", result: "built" });
    expect((await release()).status).toBe(200);
    const again = await release();
    expect([again.status, again.body.error]).toEqual([404, `nobody holds action ${actionId}: it is done`]);
    expect(hintOf(again)).toContain("memsvc action show");
  });
});

test("the audit says who acquired, renewed and released a lease, for how long and to what end", async () => {
  const { lease } = await http.ok(acquireLease, { actionId, agentId: "ann", ttlMs: minuteMs });
  await http.ok(renewLease, { actionId, agentId: "ann", ttlMs: 2 * minuteMs });
  await http.ok(releaseLease, { actionId, agentId: "ann" });
  await acquire("bob");
  await http.ok(releaseLease, { actionId, agentId: "bob", result: "built" });
  const { entries } = await http.ok(listAudit, {});
  const told = entries.filter(({ operation }) => operation.startsWith("lease_")).reverse();
  expect(told.map(({ operation, agentId, details }) => [operation, agentId, details])).toEqual([
    ["lease_acquire", "ann", { agentId: "ann", ttlMs: minuteMs }],
    ["lease_renew", "ann", { agentId: "ann", ttlMs: 2 * minuteMs }],
    ["lease_release", "ann", { agentId: "ann", finished: false, unblocked: [] }],
    ["lease_acquire", "bob", { agentId: "bob", ttlMs: 10 * minuteMs }],
    ["lease_release", "bob", { agentId: "bob", finished: true, unblocked: [] }],
  ]);
  expect(told[0]?.targetIds).toEqual([lease.id, actionId]);
});

describe("renewing a lease", () => {
  test("adds to the remaining time, up to an hour from now", async () => {
    await acquire("ann");
    http.advance(minuteMs);
    const renew = (ttlMs: number) => http.ok(renewLease, { actionId, agentId: "ann", ttlMs });
    expect(await renew(5 * minuteMs)).toMatchObject({
      lease: { expiresAt: "2026-03-01T12:15:00.000Z", renewedAt: "2026-03-01T12:01:00.000Z" },
      renewed: true,
    });
    const { lease } = await renew(60 * minuteMs);
    expect(lease.expiresAt).toBe("2026-03-01T13:01:00.000Z");
    expect((await http.ok(getAction, { actionId })).lease).toEqual(lease);
    expect((await trail()).at(-1)).toBe("lease_renew");
  });

  test("is refused without a lease, for other agents and after it has expired", async () => {
    const renew = (agentId: string) => http.reply(renewLease, { actionId, agentId });
    expect((await renew("ann")).status).toBe(404);
    await acquire("ann");
    const other = await renew("bob");
    expect([other.status, other.body.heldBy]).toEqual([409, "ann"]);
    expect(hintOf(other)).toBe("take another one: memsvc next --agent-id bob");
    http.advance(10 * minuteMs);
    const late = await renew("ann");
    expect([late.status, late.body.heldBy, late.body.expiresAt]).toEqual([
      409,
      "ann",
      "2026-03-01T12:10:00.000Z",
    ]);
    const hintFor = async (agentId: string) => hintOf(await renew(agentId));
    expect(await hintFor("team lead")).toBe(
      `take it: memsvc lease acquire ${actionId} --agent-id "team lead"`,
    );
    expect(await hintFor("ann")).toBe(`take it again: memsvc lease acquire ${actionId} --agent-id ann`);
    await acquire("ann");
    await http.ok(releaseLease, { actionId, agentId: "ann" });
    expect((await renew("ann")).body.error).toBe(`nobody holds action ${actionId}`);
  });
});

describe("an expired lease", () => {
  test("is over at the next read or request, before any sweep", async () => {
    await acquire("ann");
    http.advance(10 * minuteMs - 1);
    expect(await action()).toMatchObject({ status: "active" });
    http.advance(1);
    const { lease, action: after } = await http.ok(getAction, { actionId });
    expect([lease, after.status, after.assignedTo]).toEqual([null, "pending", undefined]);
    expect(await trail()).toEqual(["action_create", "lease_acquire", "sweep"]);
    await acquire("ann");
    http.advance(10 * minuteMs);
    expect((await acquire("bob")).status).toBe(200);
    expect((await trail()).slice(-2)).toEqual(["sweep", "lease_acquire"]);
  });

  test("lasts as long as it was to last when the clock is set back meanwhile", async () => {
    await acquire("ann");
    http.advance(5 * minuteMs);
    http.advance(-70 * minuteMs);
    expect((await acquire("bob")).body).toMatchObject({
      heldBy: "ann",
      expiresAt: "2026-03-01T11:05:00.000Z",
    });
    expect((await acquire("ann")).body.lease).toMatchObject({ acquiredAt: "2026-03-01T10:55:00.000Z" });
    http.advance(10 * minuteMs);
    expect((await acquire("bob")).status).toBe(200);
  });

  test("is ended by the sweep, which is audited only when it changed something", async () => {
    await acquire("ann");
    await sweep();
    http.advance(10 * minuteMs);
    await sweep();
    await sweep();
    const { entries } = await http.ok(listAudit, { operation: "sweep" });
    expect(entries.map(({ details, targetIds }) => [details, targetIds.length])).toEqual([
      [{ leases: 1 }, 1],
    ]);
    expect(await action()).toMatchObject({ status: "pending" });
  });

  test("leaves other leases alone, and is kept as expired rather than released", async () => {
    const { action: other } = await http.ok(createAction, { title: "other" });
    await acquire("ann");
    await http.ok(acquireLease, { actionId: other.id, agentId: "cat", ttlMs: 60 * minuteMs });
    http.advance(10 * minuteMs);
    await acquire("bob");
    await http.ok(releaseLease, { actionId, agentId: "bob" });
    const { leases } = (await http.ok(exportStore, {})) as { leases?: { agentId: string; status: string }[] };
    expect(leases?.map(({ agentId, status }) => [agentId, status]).sort()).toEqual([
      ["ann", "expired"],
      ["bob", "released"],
      ["cat", "active"],
    ]);
  });

  test("leaves its action blocked when a requirement was added meanwhile", async () => {
    await acquire("ann");
    const { action: first } = await http.ok(createAction, { title: "first" });
    await http.ok(addActionEdge, { sourceActionId: actionId, type: "requires", targetActionId: first.id });
    http.advance(10 * minuteMs);
    expect(await action()).toMatchObject({ status: "blocked", blockReason: "edges" });
  });
});

test("ending leases of finished actions, by update or heal, leaves other leases alone", async () => {
  const { action: other } = await http.ok(createAction, { title: "other" });
  const held = () => http.ok(getAction, { actionId: other.id }).then(({ lease }) => lease?.agentId);
  await http.ok(acquireLease, { actionId: other.id, agentId: "bob" });
  await acquire("ann");
  await http.ok(updateAction, { actionId, status: "done" });
  expect(await held()).toBe("bob");
  await http.writeSql("UPDATE leases SET status = 'active'");
  for (const count of [1, 0])
    expect((await http.ok(heal, { categories: ["leases"] })).details).toHaveLength(count);
  expect(await held()).toBe("bob");
});

test("diagnostics find inconsistent actions and leases, and heal repairs them", async () => {
  const findings = async () => {
    const { checks } = await http.ok(diagnose, { categories: ["actions", "leases"] });
    return checks
      .filter(({ status }) => status !== "pass")
      .map(({ name, status, fixable, count }) => [name, status, fixable, count]);
  };
  const { action: second } = await http.ok(createAction, { title: "second", requires: [actionId] });
  await http.ok(createAction, { title: "third", requires: [second.id] });
  expect(await findings()).toEqual([]);
  await acquire("ann");
  http.advance(10 * minuteMs);
  await http.writeSql("UPDATE actions SET status = 'pending', block_reason = NULL WHERE title = 'third'");
  await http.writeSql("UPDATE actions SET status = 'active' WHERE title = 'second'");
  expect(await findings()).toEqual([
    ["pending-unsatisfied-deps", "fail", true, 1],
    ["active-no-lease", "warn", false, 1],
    ["expired-lease", "fail", true, 1],
  ]);
  expect(await http.ok(heal, { categories: ["actions", "leases"] })).toMatchObject({ fixed: 2, skipped: 1 });
  await http.writeSql("UPDATE actions SET status = 'done' WHERE title <> 'third'");
  await http.writeSql("UPDATE leases SET status = 'active'");
  expect(await findings()).toEqual([
    ["blocked-deps-done", "fail", true, 1],
    ["expired-lease", "fail", true, 1],
    ["orphaned-lease", "fail", true, 1],
  ]);
  await http.ok(heal, {});
  expect(await findings()).toEqual([]);
  expect((await http.ok(readFrontier, {})).frontier.map(({ action: { title } }) => title)).toEqual(["third"]);
});
