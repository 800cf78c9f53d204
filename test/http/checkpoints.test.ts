import { describe, expect, test } from "vitest";
import {
  addActionEdge,
  createAction,
  getAction,
  updateAction,
} from "../../src/coordination/actions/operations.ts";
import {
  createCheckpoint,
  listCheckpoints,
  resolveCheckpoint,
} from "../../src/coordination/checkpoints/operations.ts";
import { readSignals } from "../../src/coordination/signals/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

const action = async (title: string) => (await http.ok(createAction, { title })).action.id;
const status = async (actionId: string) => (await http.ok(getAction, { actionId })).action.status;

async function checkpoint(
  linkedActionIds: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
) {
  http.advance(1_000);
  const made = await http.ok(createCheckpoint, {
    name: "CI is green",
    linkedActionIds: [...linkedActionIds],
    ...more,
  });
  return made.checkpoint.id;
}

const resolve = (checkpointId: string, decision: "passed" | "failed" = "passed") =>
  http.ok(resolveCheckpoint, { checkpointId, status: decision });

describe("creating a checkpoint", () => {
  test("blocks linked pending actions and leaves active ones alone", async () => {
    const [waiting, working] = [await action("deploy"), await action("build")];
    await http.ok(updateAction, { actionId: working, status: "active" });
    const made = await http.ok(createCheckpoint, {
      name: " CI is green ",
      type: "ci",
      linkedActionIds: [waiting, working, waiting],
      expiresInMs: 60_000,
    });
    expect(made).toEqual({
      checkpoint: {
        id: expect.stringMatching(/^chk_/u),
        name: "CI is green",
        description: "",
        status: "pending",
        type: "ci",
        createdAt: "2026-03-01T12:00:00.000Z",
        expiresAt: "2026-03-01T12:01:00.000Z",
        linkedActionIds: [waiting, working],
      },
      blocked: [waiting],
    });
    expect([await status(waiting), await status(working)]).toEqual(["blocked", "active"]);
    const { blockers } = await http.ok(getAction, { actionId: waiting });
    expect(blockers).toEqual([
      { kind: "checkpoint", id: made.checkpoint.id, title: "CI is green", status: "pending" },
    ]);
    const refused = await http.reply(updateAction, { actionId: waiting, status: "active" });
    expect([refused.status, refused.body.blockers]).toEqual([409, blockers]);
  });

  test("is a 404 that names the unknown actions and stores nothing; invalid fields are a 400", async () => {
    const known = await action("deploy");
    const linkedActionIds = [known, "act_none", "act_nobody"];
    const reply = await http.reply(createCheckpoint, { name: "x", linkedActionIds });
    expect([reply.status, reply.body.notFound]).toEqual([404, ["act_none", "act_nobody"]]);
    expect((await http.ok(listCheckpoints, {})).total).toBe(0);
    expect(await status(known)).toBe("pending");
    for (const odd of [{ type: "timer" }, { type: "mood" }, { name: " " }, { expiresInMs: 10 }]) {
      expect((await http.reply(createCheckpoint, { name: "x", ...odd })).status).toBe(400);
    }
  });
});

describe("resolving a checkpoint", () => {
  test("as passed unblocks the actions that wait for nothing else", async () => {
    const [one, two] = [await action("one"), await action("two")];
    const [first, second] = [await checkpoint([one, two]), await checkpoint([two])];
    const {
      checkpoint: resolved,
      unblocked,
      unblockedCount,
    } = await http.ok(resolveCheckpoint, {
      checkpointId: first,
      status: "passed",
      resolvedBy: "ann",
      result: { job: 42 },
    });
    expect(resolved).toMatchObject({
      status: "passed",
      resolvedBy: "ann",
      resolvedAt: "2026-03-01T12:00:02.000Z",
      result: { job: 42 },
    });
    expect([unblocked, unblockedCount]).toEqual([[one], 1]);
    expect((await resolve(second)).unblocked).toEqual([two]);
  });

  test("as failed unblocks nothing, and no decision can be changed", async () => {
    const actionId = await action("deploy");
    const [failed, passed] = [await checkpoint([actionId]), await checkpoint()];
    expect((await resolve(failed, "failed")).unblockedCount).toBe(0);
    await resolve(passed);
    expect(await status(actionId)).toBe("blocked");
    for (const checkpointId of [failed, passed]) {
      expect((await http.reply(resolveCheckpoint, { checkpointId, status: "passed" })).status).toBe(409);
    }
    expect((await http.reply(resolveCheckpoint, { checkpointId: "chk_none", status: "passed" })).status).toBe(
      404,
    );
    expect((await http.reply(resolveCheckpoint, { checkpointId: passed, status: "expired" })).status).toBe(
      400,
    );
  });

  test("is refused after a decision, and says who made it, if that is known", async () => {
    const [by, unsigned] = [await checkpoint(), await checkpoint()];
    await http.ok(resolveCheckpoint, { checkpointId: by, status: "passed", resolvedBy: "ann" });
    await resolve(unsigned, "failed");
    const refused = async (checkpointId: string) =>
      (await http.reply(resolveCheckpoint, { checkpointId, status: "passed" })).body.error;
    expect(await refused(by)).toBe(`checkpoint ${by} passed already by ann, and that is final`);
    expect(await refused(unsigned)).toBe(`checkpoint ${unsigned} failed already, and that is final`);
  });

  test("several times at once keeps only the first decision", async () => {
    const checkpointId = await checkpoint();
    const decisions = ["passed", "failed", "passed", "failed"] as const;
    const replies = await Promise.all(
      decisions.map((decision) => http.reply(resolveCheckpoint, { checkpointId, status: decision })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409, 409]);
    expect((await http.ok(listAudit, { operation: "checkpoint_resolve" })).total).toBe(1);
  });

  test("keeps results that are not objects, and redacts them", async () => {
    const result = [false, `ghp_${"aB3dE5gH7j".repeat(4)}`];
    const resolved = await http.ok(resolveCheckpoint, {
      checkpointId: await checkpoint(),
      status: "passed",
      result,
    });
    expect(resolved.checkpoint.result).toEqual([false, "[REDACTED_SECRET]"]);
    const no = await http.ok(resolveCheckpoint, {
      checkpointId: await checkpoint(),
      status: "failed",
      result: false,
    });
    expect(no.checkpoint.result).toBe(false);
  });
});

describe("at its expiry", () => {
  test("a timer checkpoint passes and unblocks its actions at the next read", async () => {
    const actionId = await action("deploy");
    await checkpoint([actionId], { type: "timer", expiresInMs: 60_000 });
    await checkpoint([], { type: "timer", expiresInMs: 30_000 });
    http.advance(58_999);
    expect(await status(actionId)).toBe("blocked");
    http.advance(1);
    expect(await status(actionId)).toBe("pending");
    const passed = { status: "passed", resolvedBy: "timer" };
    expect((await http.ok(listCheckpoints, {})).checkpoints).toEqual([
      expect.objectContaining({ ...passed, resolvedAt: "2026-03-01T12:00:32.000Z" }),
      expect.objectContaining({ ...passed, resolvedAt: "2026-03-01T12:01:01.000Z" }),
    ]);
    expect((await http.ok(readSignals, { agentId: "bob" })).total).toBe(0);
  });

  test("any other checkpoint expires, alerts all agents, keeps blocking and can still be resolved", async () => {
    const actionId = await action("deploy");
    const checkpointId = await checkpoint([actionId], { expiresInMs: 60_000 });
    http.advance(60_000);
    expect(await http.core.clockwork.sweep()).toBe(1);
    expect((await http.ok(listCheckpoints, { status: "expired" })).total).toBe(1);
    expect(await status(actionId)).toBe("blocked");
    const { signals } = await http.ok(readSignals, { agentId: "bob" });
    expect(signals).toEqual([
      expect.objectContaining({
        from: "memsvc",
        type: "alert",
        metadata: { checkpointId, actionIds: [actionId] },
      }),
    ]);
    expect(signals[0]).not.toHaveProperty("to");
    expect(await http.core.clockwork.sweep()).toBe(0);
    expect((await http.ok(listAudit, { operation: "sweep" })).entries).toEqual([
      expect.objectContaining({ targetIds: [checkpointId], details: { checkpoints: 1 } }),
    ]);
    expect((await http.ok(readSignals, { agentId: "ann", peek: true })).total).toBe(1);
    expect((await resolve(checkpointId)).unblocked).toEqual([actionId]);
    expect((await http.ok(readSignals, { agentId: "ann" })).total).toBe(0);
  });
});

test("an action can be gated later, and a passed checkpoint does not block it", async () => {
  const actionId = await action("deploy");
  const open = await checkpoint();
  await resolve(open);
  const edge = { sourceActionId: actionId, type: "gated_by" as const };
  expect((await http.ok(addActionEdge, { ...edge, targetActionId: open })).action.status).toBe("pending");
  const shut = await checkpoint();
  expect((await http.ok(addActionEdge, { ...edge, targetActionId: shut })).action.status).toBe("blocked");
  expect((await resolve(shut)).unblocked).toEqual([actionId]);
});

test("checkpoints are listed newest first, by status and type, with one audit entry per change", async () => {
  const ids = [
    await checkpoint([], { type: "ci" }),
    await checkpoint([], { type: "deploy" }),
    await checkpoint(),
  ];
  await resolve(ids[1] ?? "");
  const listed = async (query: Readonly<Record<string, unknown>>) =>
    (await http.ok(listCheckpoints, query)).checkpoints.map(({ id }) => ids.indexOf(id));
  expect(await listed({})).toEqual([2, 1, 0]);
  expect(await listed({ status: "passed" })).toEqual([1]);
  expect(await listed({ type: "ci" })).toEqual([0]);
  expect(await http.ok(listCheckpoints, { limit: 1, offset: 1 })).toMatchObject({
    total: 3,
    limit: 1,
    offset: 1,
  });
  expect((await http.send("/checkpoints", { query: { status: "open" } })).status).toBe(400);
  const { entries } = await http.ok(listAudit, {});
  expect(entries.map(({ functionId }) => functionId)).toEqual([
    "checkpoint.resolve",
    ...Array.from({ length: 3 }, () => "checkpoint.create"),
  ]);
});

test("an import brings checkpoints and their gates, and unblocks actions once they have passed", async () => {
  const actionId = await action("deploy");
  const checkpointId = await checkpoint([actionId], { expiresInMs: 60_000 });
  const exportData = (await http.send("/export")).body as { checkpoints: Record<string, unknown>[] };
  expect(exportData.checkpoints).toHaveLength(1);
  const passed = { ...exportData.checkpoints[0], status: "passed", updatedAt: "2026-03-01T12:00:30.000Z" };
  const { counts } = await http.ok(importStore, { exportData: { ...exportData, checkpoints: [passed] } });
  expect(counts.checkpoints).toMatchObject({ written: 1 });
  expect(await status(actionId)).toBe("pending");
  const bare = await openTestHttp();
  await bare.ok(importStore, { exportData: { ...exportData, actionEdges: [] } });
  const there = await bare.ok(getAction, { actionId });
  expect([there.action.status, there.edges.map(({ type }) => type)]).toEqual(["blocked", ["gated_by"]]);
  await bare.close();
  const again = await http.ok(importStore, { exportData });
  expect(again.counts.checkpoints).toMatchObject({ written: 0 });
  expect((await http.reply(resolveCheckpoint, { checkpointId, status: "failed" })).status).toBe(409);
});
