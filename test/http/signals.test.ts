import { describe, expect, test } from "vitest";
import { createAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { dayMs, hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);

async function send(content: string, more: Readonly<Record<string, unknown>> = {}) {
  http.advance(1_000);
  return (await http.ok(sendSignal, { from: "ann", content, ...more })).signal;
}

const read = (agentId: string, more: Readonly<Record<string, unknown>> = {}) =>
  http.ok(readSignals, { agentId, ...more });

const contents = async (agentId: string, more?: Readonly<Record<string, unknown>>) =>
  (await read(agentId, more)).signals.map(({ content }) => content);

describe("sending a signal", () => {
  test("returns it as stored, in a thread of its own and with its expiry", async () => {
    const signal = await send("the schema is ready", {
      to: "bob",
      type: "handoff",
      metadata: { file: "a.ts" },
      expiresInMs: 60_000,
    });
    expect(signal).toEqual({
      id: expect.stringMatching(/^sig_[0-9a-z]{26}$/u),
      from: "ann",
      to: "bob",
      threadId: expect.stringMatching(/^thr_[0-9a-z]{26}$/u),
      type: "handoff",
      content: "the schema is ready",
      metadata: { file: "a.ts" },
      createdAt: "2026-03-01T12:00:01.000Z",
      expiresAt: "2026-03-01T12:01:01.000Z",
    });
  });

  test("to * addresses all agents, as without a recipient", async () => {
    expect(await send("the deploy is frozen", { to: "*" })).not.toHaveProperty("to");
    expect(await contents("bob")).toEqual(["the deploy is frozen"]);
  });

  test("as a reply puts it into the thread of the answered signal, even if another is given", async () => {
    const first = await send("which port?", { to: "bob", type: "request", threadId: "ports" });
    const reply = await send("3111", { from: "bob", to: "ann", replyTo: first.id, threadId: "other" });
    expect(reply).toMatchObject({ threadId: "ports", replyTo: first.id });
    expect(await contents("ann", { threadId: "ports" })).toEqual(["3111", "which port?"]);
  });

  test("as a reply to an unknown or expired signal is a 404, with invalid fields a 400", async () => {
    const gone = await send("soon over", { expiresInMs: 1_000 });
    http.advance(1_000);
    for (const replyTo of ["sig_none", gone.id]) {
      expect((await http.reply(sendSignal, { from: "ann", content: "x", replyTo })).status).toBe(404);
    }
    for (const odd of [
      { content: " " },
      { from: "" },
      { type: "shout" },
      { metadata: [] },
      { metadata: { text: "x".repeat(65_536) } },
      { expiresInMs: 999 },
    ]) {
      expect((await http.reply(sendSignal, { from: "ann", content: "x", ...odd })).status).toBe(400);
    }
  });

  test("with a huge expiry caps it at the year 9999, and it survives export and import", async () => {
    const far = await send("far", { expiresInMs: 1e300 });
    expect(far.expiresAt).toBe("9999-12-31T23:59:59.999Z");
    const exportData = (await http.send("/export")).body;
    await http.ok(importStore, { strategy: "replace", exportData });
    expect((await read("bob")).signals).toEqual([far]);
  });

  test("redacts secrets, and writes one audit entry without the content", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const signal = await send(`use ${token}`, { to: "bob", metadata: { password: "hunter2secret" } });
    expect(signal.content).toBe("use [REDACTED_SECRET]");
    expect(signal.metadata).toEqual({ password: "[REDACTED_SECRET]" });
    const { entries } = await http.ok(listAudit, {});
    expect(entries).toEqual([
      expect.objectContaining({
        operation: "signal_send",
        functionId: "signal.send",
        targetIds: [signal.id],
        details: { from: "ann", to: "bob", type: "info" },
      }),
    ]);
  });
});

describe("reading signals", () => {
  test("returns signals to the agent, from it and to all, newest first, in pages", async () => {
    await send("to bob", { to: "bob" });
    await send("to all");
    await send("to eve", { to: "eve" });
    await send("from bob", { from: "bob", to: "eve", type: "alert" });
    expect(await contents("bob", { peek: true })).toEqual(["from bob", "to all", "to bob"]);
    expect(await contents("bob", { peek: true, type: "alert" })).toEqual(["from bob"]);
    const page = await read("bob", { peek: true, limit: 1, offset: 1 });
    expect(page).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      unread: 2,
      signals: [{ content: "to all" }],
    });
  });

  test("reports the unread count before the call, then marks the returned ones as read", async () => {
    await send("to all");
    await send("to bob", { to: "bob" });
    expect(await read("bob", { limit: 1 })).toMatchObject({ unread: 2, signals: [{ content: "to bob" }] });
    expect(await contents("bob", { unreadOnly: true, peek: true })).toEqual(["to all"]);
    expect(await contents("bob", { unreadOnly: true })).toEqual(["to all"]);
    http.advance(5_000);
    const { signals, unread } = await read("bob");
    expect([unread, ...signals.map(({ readAt }) => readAt)]).toEqual([
      0,
      "2026-03-01T12:00:02.000Z",
      "2026-03-01T12:00:02.000Z",
    ]);
    expect(await contents("bob", { unreadOnly: true })).toEqual([]);
    expect(await read("eve", { unreadOnly: true })).toMatchObject({ unread: 1, total: 1 });
  });

  test("does not count an agent's own signals as unread, and marks nothing as read with peek", async () => {
    await send("mine");
    expect(await read("ann")).toMatchObject({ unread: 0, total: 1 });
    expect((await read("ann")).signals[0]).not.toHaveProperty("readAt");
    expect((await read("bob", { peek: true })).unread).toBe(1);
    expect((await read("bob")).unread).toBe(1);
    await send("hers", { from: "bob", to: "ann" });
    await read("ann");
    const { signals } = (await http.send("/export")).body as {
      signals: { receipts: { reader: string }[] }[];
    };
    expect(signals.map(({ receipts }) => receipts.map(({ reader }) => reader))).toEqual([["bob"], ["ann"]]);
  });

  test("returns an unread signal to only one of several concurrent calls", async () => {
    await send("to bob", { to: "bob" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => read("bob", { unreadOnly: true })));
    expect(answers.map(({ signals }) => signals.length).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test("writes no audit entry, and needs an agent and a known type", async () => {
    await send("to all");
    await read("bob");
    expect((await http.ok(listAudit, {})).total).toBe(1);
    expect((await http.send("/signals")).status).toBe(400);
    expect((await http.send("/signals", { query: { agentId: "bob", type: "shout" } })).status).toBe(400);
  });
});

test("the alert of a checkpoint that has expired is there at once, before any sweep", async () => {
  const { action } = await http.ok(createAction, { title: "Deploy" });
  const { checkpoint } = await http.ok(createCheckpoint, {
    name: "approval",
    linkedActionIds: [action.id],
    expiresInMs: 60_000,
  });
  http.advance(60_000);
  expect((await read("bob")).signals).toEqual([
    expect.objectContaining({
      from: "memsvc",
      type: "alert",
      metadata: expect.objectContaining({ checkpointId: checkpoint.id }),
    }),
  ]);
});

test("an expired signal is hidden at once, and heal deletes it with its receipts a week later", async () => {
  await send("soon over", { to: "bob", expiresInMs: 10_000 });
  await send("stays", { to: "bob" });
  await read("bob");
  http.advance(9_000);
  expect(await contents("bob")).toEqual(["stays"]);
  expect((await http.ok(diagnose, { categories: ["signals"] })).checks[0]?.status).toBe("pass");
  http.advance(7 * dayMs + hourMs - 1);
  expect((await http.ok(diagnose, { categories: ["signals"] })).checks[0]?.status).toBe("pass");
  http.advance(1);
  const [finding] = (await http.ok(diagnose, { categories: ["signals"] })).checks;
  expect(finding).toMatchObject({ name: "expired-signal", status: "fail", fixable: true, count: 1 });
  expect((await http.ok(heal, { categories: ["signals"] })).fixed).toBe(1);
  const left = await http.core.ground.store.read.sql.all("SELECT signal_id FROM signal_receipts");
  expect([left.length, (await read("bob")).total]).toEqual([1, 1]);
});

test("an export carries signals with their receipts, and an import unites the receipts", async () => {
  const signal = await send("to all", { metadata: { a: 1 }, expiresInMs: dayMs });
  await read("bob");
  const exportData = (await http.send("/export")).body;
  expect(exportData.signals).toEqual([
    { ...signal, receipts: [{ reader: "bob", readAt: "2026-03-01T12:00:01.000Z" }] },
  ]);
  const other = await openTestHttp();
  await other.ok(importStore, { exportData });
  expect((await other.send("/export")).body.signals).toEqual(exportData.signals);
  await other.ok(readSignals, { agentId: "eve" });
  const more = (await other.send("/export")).body;
  expect((await http.ok(importStore, { exportData: more })).counts.signals).toMatchObject({ written: 1 });
  expect((await http.ok(importStore, { exportData: more })).counts.signals).toMatchObject({ written: 0 });
  expect((await http.send("/export")).body.signals).toEqual(more.signals);
  await other.close();
});

test("a signal that its recipient has read, as agentmemory exports it, is not unread after an import", async () => {
  const signal = { from: "ann", to: "bob", threadId: "t", createdAt: "2026-02-01T00:00:00.000Z" };
  const exportData = {
    version: "0.9.29",
    signals: [
      { ...signal, id: "read", content: "seen", readAt: "2026-02-02T00:00:00.000Z" },
      { ...signal, id: "unread", content: "not seen" },
    ],
  };
  for (const written of [2, 0]) {
    expect((await http.ok(importStore, { exportData })).counts.signals).toMatchObject({ written });
  }
  const { signals, unread } = await http.ok(readSignals, { agentId: "bob", peek: true });
  expect([unread, ...signals.map(({ id, readAt }) => [id, readAt]).sort()]).toEqual([
    1,
    ["read", "2026-02-02T00:00:00.000Z"],
    ["unread", undefined],
  ]);
});
