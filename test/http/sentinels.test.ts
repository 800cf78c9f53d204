import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { createAction, getAction } from "../../src/coordination/actions/operations.ts";
import { metricNames } from "../../src/coordination/sentinels/config.ts";
import {
  cancelSentinel,
  checkSentinels,
  createSentinel,
  listSentinels,
  triggerSentinel,
} from "../../src/coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose, heal } from "../../src/governance/diagnostics/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(openTestHttp);

const action = async (title: string) => (await http.ok(createAction, { title })).action.id;
const status = async (actionId: string) => (await http.ok(getAction, { actionId })).action.status;

type Wanted = Partial<
  Parameters<typeof http.ok<typeof createSentinel.input, typeof createSentinel.output>>[1]
>;

async function sentinel(wanted: Wanted = {}): Promise<string> {
  http.advance(1_000);
  return (await http.ok(createSentinel, { name: "watch", ...wanted })).sentinel.id;
}

const pattern = (config: Readonly<Record<string, unknown>>, more: Wanted = {}) =>
  sentinel({ type: "pattern", config, ...more });
const threshold = (metric: string, operator: string, value: number) =>
  sentinel({ type: "threshold", config: { metric, operator, value } });

const prompt = (text: string, project = "shop", store: TestHttp = http) =>
  happenNow(store, `s-${project}`, "prompt_submit", { prompt: text }, { project, cwd: `/w/${project}` });

const check = async () => (await http.ok(checkSentinels, {})).triggered;
const byId = async (id: string) => (await http.ok(listSentinels, {})).sentinels.find((one) => one.id === id);

describe("creating a sentinel", () => {
  test("blocks linked actions until somebody triggers it", async () => {
    const actionId = await action("release");
    const { sentinel: made, blocked } = await http.ok(createSentinel, {
      name: " Approved ",
      type: "webhook",
      config: { path: "release/approve", note: 1 },
      linkedActionIds: [actionId],
      expiresInMs: 60_000,
    });
    expect([made, blocked]).toEqual([
      {
        id: expect.stringMatching(/^snl_/u),
        name: "Approved",
        type: "webhook",
        status: "watching",
        config: { path: "release/approve", note: 1 },
        createdAt: "2026-03-01T12:00:00.000Z",
        expiresAt: "2026-03-01T12:01:00.000Z",
        linkedActionIds: [actionId],
      },
      [actionId],
    ]);
    expect((await http.ok(getAction, { actionId })).blockers).toEqual([
      { kind: "sentinel", id: made.id, title: "Approved", status: "watching" },
    ]);
    const triggered = await http.ok(triggerSentinel, { sentinelId: made.id, result: { by: "ann" } });
    expect(triggered).toMatchObject({
      sentinel: { status: "triggered", result: { by: "ann" }, triggeredAt: "2026-03-01T12:00:00.000Z" },
      unblocked: [actionId],
      unblockedTitles: [expect.stringMatching(/\S/u)],
      unblockedCount: 1,
    });
    for (const operation of [triggerSentinel, cancelSentinel]) {
      expect((await http.reply(operation, { sentinelId: made.id })).status).toBe(409);
      expect((await http.reply(operation, { sentinelId: "snl_none" })).status).toBe(404);
    }
  });

  test.each([
    ["an unknown kind", { type: "mood" }, "type"],
    ["a config that is no object", { config: [] }, "config"],
    ["a webhook whose config is no object", { type: "webhook", config: "x" }, "config"],
    ["a webhook without a path", { type: "webhook" }, "config.path"],
    [
      "a webhook with a path of 201 characters",
      { type: "webhook", config: { path: "x".repeat(201) } },
      "config.path",
    ],
    ["a timer without a time", { type: "timer" }, "config.durationMs"],
    [
      "a timer of more than a year",
      { type: "timer", config: { durationMs: 31_536_000_001 } },
      "config.durationMs",
    ],
    [
      "an unknown metric",
      { type: "threshold", config: { metric: "joy", operator: "gt", value: 1 } },
      "config.metric",
    ],
    [
      "calls of an unknown function",
      { type: "threshold", config: { metric: "calls.memory.rember", operator: "gt", value: 1 } },
      "config.metric",
    ],
    [
      "an unknown operator",
      { type: "threshold", config: { metric: "jobs.failed", operator: ">", value: 1 } },
      "config.operator",
    ],
    [
      "a pattern of 501 characters",
      { type: "pattern", config: { pattern: "x".repeat(501) } },
      "config.pattern",
    ],
    ["an expression that RE2 refuses", { type: "pattern", config: { pattern: "(?=x)" } }, "config.pattern"],
    [
      "one that repeats too much",
      { type: "pattern", config: { pattern: "((a{100}){100}){9}" } },
      "config.pattern",
    ],
    [
      "a pattern of 501 characters once its secret is redacted",
      { type: "pattern", config: { pattern: `a://b:cd@${"e".repeat(480)}` } },
      "config.pattern",
    ],
    ["an unknown field", { type: "pattern", config: { pattern: "x", field: "facts" } }, "config.field"],
  ])("refuses %s with 400", async (name, odd, path) => {
    const { status: code, body } = await http.reply(createSentinel, { name: "x", ...odd });
    expect([code, (body.issues as { path: string }[]).map((issue) => issue.path)]).toEqual([400, [path]]);
    if (name === "a webhook without a path") expect(body.error).toBe("config.path required");
    if (path === "config.metric") for (const metric of metricNames) expect(body.error).toContain(metric);
    expect((await http.ok(listSentinels, {})).total).toBe(0);
  });

  test("is a 404 with the ids of unknown actions", async () => {
    const reply = await http.reply(createSentinel, { name: "x", linkedActionIds: ["act_none"] });
    expect([reply.status, reply.body.notFound]).toEqual([404, ["act_none"]]);
  });
});

describe("as time passes", () => {
  test("a timer triggers and unblocks its actions at the next read", async () => {
    const actionId = await action("release");
    const timer = { type: "timer", config: { durationMs: 60_000 } } as const;
    const id = await sentinel({ ...timer, linkedActionIds: [actionId], expiresInMs: 60_000 });
    http.advance(59_999);
    expect([await check(), await status(actionId)]).toEqual([[], "blocked"]);
    http.advance(1);
    expect(await status(actionId)).toBe("pending");
    expect(await byId(id)).toMatchObject({ status: "triggered", triggeredAt: "2026-03-01T12:01:01.000Z" });
    const next = await sentinel(timer);
    http.advance(90_000);
    expect(await http.ok(checkSentinels, {})).toMatchObject({ triggered: [next], checkedCount: 1 });
    expect(await byId(next)).toMatchObject({ triggeredAt: "2026-03-01T12:02:02.000Z" });
  });

  test("a sentinel expires, alerts all agents and keeps blocking until it is cancelled", async () => {
    const actionId = await action("release");
    const id = await sentinel({ linkedActionIds: [actionId], expiresInMs: 60_000 });
    const alone = await sentinel({ type: "timer", config: { durationMs: 90_000 }, expiresInMs: 59_000 });
    http.advance(60_000);
    expect(await http.core.clockwork.sweep()).toBe(2);
    expect(await byId(id)).toMatchObject({ status: "expired", escalatedAt: "2026-03-01T12:01:02.000Z" });
    expect(await byId(alone)).toMatchObject({ status: "expired" });
    expect(await byId(alone)).not.toHaveProperty("escalatedAt");
    expect((await http.ok(readSignals, { agentId: "bob" })).signals).toEqual([
      expect.objectContaining({
        from: "memsvc",
        type: "alert",
        content: expect.stringMatching(
          /^sentinel ".+" expired untriggered; what it gates stays blocked until it is cancelled$/u,
        ),
        metadata: { sentinelId: id, actionIds: [actionId] },
      }),
    ]);
    expect(await status(actionId)).toBe("blocked");
    expect((await http.reply(triggerSentinel, { sentinelId: id })).status).toBe(409);
    const cancelled = await http.ok(cancelSentinel, { sentinelId: id });
    expect([cancelled.sentinel.status, cancelled.unblocked]).toEqual(["cancelled", [actionId]]);
    expect((await http.ok(readSignals, { agentId: "ann" })).total).toBe(0);
    expect((await http.ok(listAudit, { operation: "sweep" })).entries).toEqual([
      expect.objectContaining({ details: { sentinels: 2 } }),
    ]);
  });
});

test("a sentinel that ended is refused with what was to be done, and the audit names what it freed", async () => {
  const actionId = await action("release");
  const id = await sentinel({ linkedActionIds: [actionId] });
  await http.ok(cancelSentinel, { sentinelId: id });
  expect((await http.reply(triggerSentinel, { sentinelId: id })).body.error).toBe(
    `sentinel ${id} cannot be triggered: it is cancelled`,
  );
  expect((await http.reply(cancelSentinel, { sentinelId: id })).body.error).toBe(
    `sentinel ${id} cannot be cancelled: it is cancelled`,
  );
  expect((await http.ok(listAudit, { operation: "sentinel_cancel" })).entries).toMatchObject([
    { targetIds: [id, actionId], details: { unblocked: 1 } },
  ]);
});

describe("a check of sentinels", () => {
  test("audits due timers as triggered, and does not count expired sentinels", async () => {
    const actionId = await action("release");
    const expired = await sentinel({ expiresInMs: 30_000 });
    const timer = await sentinel({
      type: "timer",
      config: { durationMs: 60_000 },
      linkedActionIds: [actionId],
    });
    const blocked = await threshold("actions.blocked", "eq", 0);
    http.advance(60_000);
    expect(await http.ok(checkSentinels, {})).toMatchObject({
      triggered: [timer, blocked],
      checkedCount: 2,
    });
    const { entries } = await http.ok(listAudit, { limit: 2 });
    expect(entries).toEqual([
      expect.objectContaining({
        operation: "sentinel_trigger",
        functionId: "sentinel.check",
        targetIds: [timer, blocked],
        details: { triggered: 2 },
      }),
      expect.objectContaining({ operation: "sweep", targetIds: [expired], details: { sentinels: 1 } }),
    ]);
  });
});

test("a sweep evaluates conditions after the effects of time, and writes one audit entry for all", async () => {
  const actionId = await action("release");
  const timer = await sentinel({
    type: "timer",
    config: { durationMs: 60_000 },
    linkedActionIds: [actionId],
  });
  const free = await threshold("actions.blocked", "eq", 0);
  const outage = await pattern({ pattern: "outage" });
  await prompt("an outage");
  http.advance(60_000);
  expect(await http.core.clockwork.sweep()).toBe(3);
  expect(await http.core.clockwork.sweep()).toBe(0);
  expect((await http.ok(listAudit, { operation: "sweep" })).entries).toEqual([
    expect.objectContaining({ targetIds: [timer, free, outage], details: { sentinels: 3 } }),
  ]);
});

describe("threshold sentinels", () => {
  test("trigger once the measured value meets the condition", async () => {
    await http.ok(remember, { content: "one" });
    await prompt("hello");
    const [above, below, exactly] = [
      await threshold("memories.total", "gt", 1),
      await threshold("sessions.active", "lt", 1),
      await threshold("observations.total", "eq", 2),
    ];
    expect(await http.ok(checkSentinels, {})).toMatchObject({ triggered: [], checkedCount: 3 });
    await http.ok(remember, { content: "two other words" });
    await prompt("and again");
    expect(await check()).toEqual([above, exactly]);
    expect((await byId(above))?.result).toEqual({ metric: "memories.total", value: 2 });
    expect((await byId(below))?.status).toBe("watching");
    await http.ok(endSession, { sessionId: "s-shop" });
    expect(await check()).toEqual([below]);
  });

  test("work with every metric of the list and with calls of a function", async () => {
    await action("one");
    await http.ok(sendSignal, { from: "ann", content: "x" });
    await http.ok(sendSignal, { from: "ann", to: "bob", content: "y" });
    await http.ok(readSignals, { agentId: "bob", limit: 1 });
    await http.ok(remember, { content: "one" });
    await prompt("hello");
    const counts: Readonly<Record<string, number>> = {
      "sessions.active": 1,
      "sessions.total": 1,
      "observations.total": 1,
      "memories.total": 1,
      "memories.latest": 1,
      "actions.pending": 1,
      "signals.unread": 1,
      "calls.memory.remember": 1,
    };
    const calls = [
      "calls.memory.remember",
      "calls.search.smart",
      "calls.route:GET /slots",
      "calls.llm.complete",
    ];
    const watched = [...metricNames, ...calls];
    const ids = new Map<string, string>();
    for (const metric of watched) ids.set(await threshold(metric, "eq", counts[metric] ?? 0), metric);
    expect((await check()).map((id) => ids.get(id))).toEqual(watched);
  });

  test("count only errors of the last hour", async () => {
    const id = await threshold("observations.errors_last_hour", "gt", 0);
    const failure = async () =>
      http.ok(observe, {
        sessionId: "s1",
        project: "shop",
        cwd: "/w/shop",
        hookType: "post_tool_failure",
        timestamp: new Date(http.now()).toISOString(),
        data: { tool_name: "Bash", error: "Error: no such file" },
      });
    await failure();
    http.advance(3_600_001);
    expect(await check()).toEqual([]);
    await failure();
    expect(await check()).toEqual([id]);
  });
});

describe("pattern sentinels", () => {
  test("watch the project of the caller's folder, where several have its name", async () => {
    const at = (folder: string) => ({ project: "shop", cwd: folder });
    for (const folder of ["/a/shop", "/b/shop"])
      await happenNow(http, folder, "prompt_submit", { prompt: "all is well" }, at(folder));
    const watch = { name: "watch", type: "pattern", config: { pattern: "outage", project: "shop" } } as const;
    const made = await http.core.call(createSentinel, watch, { face: "cli", cwd: "/b/shop/src" });
    http.advance(1_000);
    await happenNow(http, "/a/shop", "prompt_submit", { prompt: "an outage" }, at("/a/shop"));
    expect(await check()).toEqual([]);
    await happenNow(http, "/b/shop", "prompt_submit", { prompt: "an outage" }, at("/b/shop"));
    expect(await check()).toEqual([made.sentinel.id]);
  });

  test("match only observations that arrive later, once, in any case", async () => {
    await prompt("an OUTAGE before");
    const actionId = await action("repair");
    const id = await pattern({ pattern: "outage|down\\b" }, { linkedActionIds: [actionId] });
    await prompt("all is well");
    expect(await check()).toEqual([]);
    const observationId = await prompt("the shop is Down");
    expect(await check()).toEqual([id]);
    expect(await byId(id)).toMatchObject({ status: "triggered", result: { observationId } });
    expect(await status(actionId)).toBe("pending");
    expect(await check()).toEqual([]);
    const { entries } = await http.ok(listAudit, { operation: "sentinel_trigger" });
    expect(entries).toEqual([expect.objectContaining({ targetIds: [id], details: { triggered: 1 } })]);
  });

  test("do not match imported observations from before they were created", async () => {
    await prompt("an outage of old");
    const exportData = await http.ok(exportStore, {});
    await http.ok(forget, { sessionId: "s-shop", includeSession: true });
    const actionId = await action("repair");
    const id = await pattern({ pattern: "outage" }, { linkedActionIds: [actionId] });
    const { counts } = await http.ok(importStore, { exportData });
    expect(counts.observations).toEqual({ written: 1, skipped: 0 });
    expect(await check()).toEqual([]);
    expect(await status(actionId)).toBe("blocked");
    await prompt("an outage of today");
    expect(await check()).toEqual([id]);
  });

  test("match what arrives while the clock is set back to before their creation", async () => {
    const id = await pattern({ pattern: "outage" });
    http.advance(-60_000);
    await prompt("an outage");
    expect(await check()).toEqual([id]);
  });

  test.each([
    ["a sweep", () => http.core.clockwork.sweep()],
    ["a check", check],
  ])("that matched in time do not expire, however late %s runs", async (_, look) => {
    const actionId = await action("release");
    const wait = { linkedActionIds: [actionId], expiresInMs: 20_000 };
    const inTime = await pattern({ pattern: "release-ready" }, wait);
    const tooLate = await pattern({ pattern: "announced" }, { expiresInMs: 20_000 });
    http.advance(4_000);
    await prompt("release-ready now");
    http.advance(20_000);
    await prompt("announced");
    // Before a check it is not known whether it has expired.
    expect(await byId(inTime)).toMatchObject({ status: "watching" });
    expect(await status(actionId)).toBe("blocked");
    await look();
    expect(await byId(inTime)).toMatchObject({ status: "triggered" });
    expect(await byId(tooLate)).toMatchObject({ status: "expired" });
    expect(await status(actionId)).toBe("pending");
  });

  test("match what arrives at the very end of their time, and nothing later", async () => {
    const id = await pattern({ pattern: "outage" }, { expiresInMs: 10_000 });
    http.advance(10_000);
    await prompt("an outage");
    expect(await byId(id)).toMatchObject({ status: "watching" });
    expect(await check()).toEqual([id]);
    const late = await pattern({ pattern: "outage" }, { expiresInMs: 10_000 });
    http.advance(10_001);
    await prompt("another outage");
    expect(await byId(late)).toMatchObject({ status: "expired" });
    expect(await check()).toEqual([]);
  });

  test("trigger once for concurrent checks and sweeps", async () => {
    const id = await pattern({ pattern: "outage" });
    await prompt("an outage");
    const looks = await Promise.all([check(), check(), http.core.clockwork.sweep(), check()]);
    expect(looks.flat().filter((one) => one === id || one === 1)).toHaveLength(1);
    const { entries } = await http.ok(listAudit, { targetId: id });
    expect(entries.filter(({ operation }) => operation !== "sentinel_create")).toHaveLength(1);
  });

  test("match in title, narrative or any field, in one project or in all", async () => {
    const long = `${"many words about this and that ".repeat(10)} quetzal`;
    const title = await pattern({ pattern: "quetzal" });
    const narrative = await pattern({ pattern: "quetzal", field: "narrative" });
    const anywhere = await pattern({ pattern: "quetzal", field: "any" });
    const elsewhere = await pattern({ pattern: "quetzal", field: "any", project: "bakery" });
    await prompt(long);
    expect(await check()).toEqual([narrative, anywhere]);
    await prompt("a quetzal", "bakery");
    expect(await http.core.clockwork.sweep()).toBe(2);
    expect([(await byId(title))?.status, (await byId(elsewhere))?.status]).toEqual([
      "triggered",
      "triggered",
    ]);
    expect((await http.ok(listAudit, { operation: "sweep" })).entries).toEqual([
      expect.objectContaining({ targetIds: [title, elsewhere], details: { sentinels: 2 } }),
    ]);
    expect(await http.core.clockwork.sweep()).toBe(0);
  });

  test("in any field match subtitles and facts, and no field that is empty", async () => {
    const any = (expression: string) => pattern({ pattern: expression, field: "any" });
    const [inSubtitle, inFact] = [await any("heron"), await any("quetzal")];
    await any("null|undefined");
    await prompt("all is well");
    await prompt("all is still well");
    await http.writeSql(
      `UPDATE observations SET subtitle = 'a heron', facts = '["seen: a quetzal"]' WHERE title LIKE '%still%'`,
    );
    expect(await check()).toEqual([inSubtitle, inFact]);
  });

  test("look at each observation once, even if it changes, and continue after hundreds", async () => {
    const id = await pattern({ pattern: "quetzal" });
    // 200 are read at once.
    for (let at = 0; at < 250; at += 1) await prompt(`number ${at}`);
    expect(await check()).toEqual([]);
    const seqs = "SELECT looked_at_seq AS seq, (SELECT max(seq) FROM observations) AS newest FROM sentinels";
    const [row] = await http.core.ground.store.read.sql.all<{ seq: number; newest: number }>(seqs);
    expect(row?.seq).toBe(row?.newest);
    await http.writeSql("UPDATE observations SET title = 'a quetzal'");
    expect(await check()).toEqual([]);
    await prompt("a quetzal at last");
    expect(await check()).toEqual([id]);
  });
});

test("sentinels are listed newest first, by status and type", async () => {
  const ids = [await sentinel(), await sentinel({ type: "approval" }), await sentinel()];
  await http.ok(cancelSentinel, { sentinelId: ids[2] ?? "" });
  const listed = async (query: Readonly<Record<string, unknown>>) =>
    (await http.ok(listSentinels, query)).sentinels.map(({ id }) => ids.indexOf(id));
  expect(await listed({})).toEqual([2, 1, 0]);
  expect(await listed({ status: "cancelled" })).toEqual([2]);
  expect(await listed({ type: "approval" })).toEqual([1]);
  expect(await http.ok(listSentinels, { limit: 1, offset: 1 })).toMatchObject({
    total: 3,
    limit: 1,
    offset: 1,
  });
  expect((await http.send("/sentinels", { query: { status: "open" } })).status).toBe(400);
});

test("diagnostics find expired sentinels that still watch and sentinels with deleted actions", async () => {
  const actionId = await action("release");
  const late = await sentinel({ expiresInMs: 10_000 });
  const kept = await action("test");
  const lonely = await sentinel({ linkedActionIds: [kept, actionId] });
  await sentinel({ linkedActionIds: [kept] });
  await http.ok(cancelSentinel, { sentinelId: await sentinel({ linkedActionIds: [actionId] }) });
  await http.writeSql("DELETE FROM actions WHERE id = ?", [actionId]);
  http.advance(10_000);
  const { checks } = await http.ok(diagnose, { categories: ["sentinels"] });
  expect(checks).toEqual([
    expect.objectContaining({ name: "expired-sentinel", status: "fail", fixable: true, ids: [late] }),
    expect.objectContaining({
      name: "sentinel-missing-action",
      status: "warn",
      fixable: false,
      ids: [lonely],
    }),
  ]);
  expect((await http.ok(heal, { categories: ["sentinels"] })).fixed).toBe(1);
  expect((await byId(late))?.status).toBe("expired");
});

test("an export evaluates pattern sentinels whose time is over", async () => {
  const [met, unmet] = [
    await pattern({ pattern: "quetzal" }, { expiresInMs: 60_000 }),
    await pattern({ pattern: "heron" }, { expiresInMs: 60_000 }),
  ];
  await prompt("a quetzal that nobody looked at");
  http.advance(120_000);
  const { sentinels } = (await http.send("/export")).body as { sentinels: { id: string; status: string }[] };
  expect(sentinels.map(({ id, status: end }) => [id, end])).toEqual([
    [met, "triggered"],
    [unmet, "expired"],
  ]);
});

test("an import brings watching sentinels, which match only later events, but no invalid ones", async () => {
  const id = await pattern({ pattern: "quetzal" });
  const exportData = (await http.send("/export")).body as { sentinels: Record<string, unknown>[] };
  const broken = { ...exportData.sentinels[0], id: "snl_broken", config: { pattern: "(" } };
  const other = await openTestHttp();
  for (const store of [http, other]) await prompt("a quetzal that nobody looked at", "shop", store);
  const data = { ...exportData, sentinels: [...exportData.sentinels, broken] };
  const { counts, warnings } = await other.ok(importStore, { exportData: data });
  expect(counts.sentinels).toMatchObject({ written: 1 });
  expect(warnings).toContain("sentinels: a pattern sentinel that cannot watch was left out: see its config");
  expect((await other.ok(checkSentinels, {})).triggered).toEqual([]);
  expect((await other.send("/export")).body.sentinels).toEqual(exportData.sentinels);
  expect((await http.ok(importStore, { exportData })).counts.sentinels).toMatchObject({ written: 0 });
  expect(await check()).toEqual([id]);
  await other.close();
});
