import { describe, expect, test } from "vitest";
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

describe("sending", () => {
  test("gives the signal as stored, in a thread of its own, with its expiry", async () => {
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

  test("to * is to everybody, as without a recipient", async () => {
    expect(await send("the deploy is frozen", { to: "*" })).not.toHaveProperty("to");
    expect(await contents("bob")).toEqual(["the deploy is frozen"]);
  });

  test("a reply takes the thread of what it answers, over one that is given", async () => {
    const first = await send("which port?", { to: "bob", type: "request", threadId: "ports" });
    const reply = await send("3111", { from: "bob", to: "ann", replyTo: first.id, threadId: "other" });
    expect(reply).toMatchObject({ threadId: "ports", replyTo: first.id });
    expect(await contents("ann", { threadId: "ports" })).toEqual(["3111", "which port?"]);
  });

  test("is 404 as a reply to what is unknown or has expired, and 400 for odd fields", async () => {
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

  test("may be for longer than there are years of four digits, and can be exported and imported even so", async () => {
    const far = await send("far", { expiresInMs: 1e300 });
    expect(far.expiresAt).toBe("9999-12-31T23:59:59.999Z");
    const exportData = (await http.send("/export")).body;
    await http.ok(importStore, { strategy: "replace", exportData });
    expect((await read("bob")).signals).toEqual([far]);
  });

  test("redacts what people wrote, and leaves one audit entry without it", async () => {
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

describe("reading", () => {
  test("shows an agent what is to it, from it and for all, newest first, a page at a time", async () => {
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

  test("shows the state before the call, then counts what it returned as read, for that reader alone", async () => {
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

  test("never counts an agent's own signals as unread, and marks none by peeking", async () => {
    await send("mine");
    expect(await read("ann")).toMatchObject({ unread: 0, total: 1 });
    expect((await read("ann")).signals[0]).not.toHaveProperty("readAt");
    expect((await read("bob", { peek: true })).unread).toBe(1);
    expect((await read("bob")).unread).toBe(1);
  });

  test("at once gives an unread signal to one of them alone", async () => {
    await send("to bob", { to: "bob" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => read("bob", { unreadOnly: true })));
    expect(answers.map(({ signals }) => signals.length).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });

  test("leaves no audit entry, and needs an agent", async () => {
    await send("to all");
    await read("bob");
    expect((await http.ok(listAudit, {})).total).toBe(1);
    expect((await http.send("/signals")).status).toBe(400);
    expect((await http.send("/signals", { query: { agentId: "bob", type: "shout" } })).status).toBe(400);
  });
});

test("an expired signal is shown to nobody at once, and deleted with its receipts a week later", async () => {
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

test("an export carries signals with who has read them, and an import unites readers", async () => {
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
