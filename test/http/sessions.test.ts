import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { abandonStale } from "../../src/capture/sessions/abandon-stale.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { hourMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";

const start = { sessionId: "s1", project: "shop", cwd: "/home/dev/shop" };
const event = {
  ...start,
  hookType: "prompt_submit",
  timestamp: "2026-02-01T08:00:00.000Z",
  data: { prompt: "add a  cart\npage" },
};

const http = forEachTest(openTestHttp);

async function only(): Promise<Record<string, unknown>> {
  const { sessions } = await http.ok(listSessions, {});
  expect(sessions).toHaveLength(1);
  return { ...sessions[0] };
}

describe("starting a session", () => {
  test("creates an active one, with an empty context in an empty store", async () => {
    const reply = await http.reply(startSession, start);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      success: true,
      resumed: false,
      context: "",
      tokenCount: 0,
      session: {
        id: "s1",
        project: "shop",
        cwd: "/home/dev/shop",
        status: "active",
        observationCount: 0,
        startedAt: "2026-03-01T12:00:00.000Z",
        commitShas: [],
        tags: [],
      },
    });
    expect(reply.body.session).not.toHaveProperty("endedAt");
  });

  test("stores the title, trimmed and cut at 200 characters, as summary and first prompt", async () => {
    const title = `  ${"🙂".repeat(250)}  `;
    const { session } = await http.ok(startSession, { ...start, title });
    expect(session.summary).toBe("🙂".repeat(200));
    expect(session.firstPrompt).toBe("🙂".repeat(200));
  });

  test("redacts a secret that the cut of the title would split", async () => {
    const token = `ghp_${"aB3dE5gH7j".repeat(4)}`;
    const { session } = await http.ok(startSession, { ...start, title: `${"word ".repeat(38)}${token}` });
    expect(session.summary).not.toContain("ghp_");
  });

  test("again keeps count, start time and first prompt, and replaces the given fields", async () => {
    await http.ok(startSession, { ...start, title: "first", model: "m1" });
    await http.ok(observe, event);
    http.advance(hourMs);
    const { session, resumed } = await http.ok(startSession, {
      ...start,
      project: "shop2",
      cwd: "/home/dev/shop2",
      title: "second",
      model: "m2",
    });
    expect(resumed).toBe(true);
    expect(session).toMatchObject({
      project: "shop2",
      cwd: "/home/dev/shop2",
      model: "m2",
      summary: "second",
      firstPrompt: "first",
      observationCount: 1,
      startedAt: "2026-03-01T12:00:00.000Z",
      updatedAt: "2026-03-01T13:00:00.000Z",
    });
  });

  test("again with its first title stores it as first prompt, and in place of an empty summary", async () => {
    await http.ok(startSession, start);
    await http.ok(startSession, { ...start, title: "Paint the shed" });
    await http.ok(observe, { ...event, hookType: "notification", data: {} });
    await http.ok(summarizeSession, { sessionId: start.sessionId });
    const { sessions } = await http.ok(listSessions, {});
    expect(sessions).toMatchObject([
      { firstPrompt: "Paint the shed", summary: "Paint the shed", summaryDetail: { narrative: "" } },
    ]);
  });

  test("with a title while a summary is stored does not replace the summary", async () => {
    await http.ok(startSession, start);
    await http.ok(observe, event);
    const summarized = http.ok(summarizeSession, { sessionId: start.sessionId });
    const starts = [];
    for (let turn = 0; turn < 12; turn += 1) {
      await setImmediate();
      starts.push(http.ok(startSession, { ...start, title: "Paint the shed" }));
    }
    await Promise.all([summarized, ...starts]);
    expect(await only()).toMatchObject({ summary: expect.stringContaining("cart") });
  });

  test("again sets the agent of a session without one, and never changes it after that", async () => {
    await http.ok(startSession, start);
    expect((await http.ok(startSession, { ...start, agentId: "ann" })).session.agentId).toBe("ann");
    expect((await http.ok(startSession, { ...start, agentId: "bob" })).session.agentId).toBe("ann");
  });

  test.each(["sessionId", "project", "cwd"])("needs %s", async (field) => {
    const { [field]: _missing, ...rest } = start as Record<string, string>;
    const reply = await http.reply(startSession, rest);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe(`${field} required`);
    expect((await http.ok(listSessions, {})).total).toBe(0);
  });

  test.each([
    ["sessionId", 256],
    ["project", 1_024],
    ["cwd", 4_096],
    ["model", 200],
  ])("accepts a %s of up to %i characters, counted in code points", async (field, longest) => {
    expect((await http.reply(startSession, { ...start, [field]: "🙂".repeat(longest) })).status).toBe(200);
    expect((await http.reply(startSession, { ...start, [field]: "🙂".repeat(longest + 1) })).status).toBe(
      400,
    );
  });

  test("writes one audit entry with the previous status", async () => {
    await http.ok(startSession, start);
    await http.ok(endSession, { sessionId: "s1" });
    await http.ok(startSession, start);
    const { entries } = await http.ok(listAudit, { operation: "session_start" });
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      functionId: "session.start",
      targetIds: ["s1"],
      details: { statusBefore: "completed" },
    });
  });
});

describe("ending a session", () => {
  test("completes an active one at the current time", async () => {
    await http.ok(startSession, start);
    http.advance(hourMs);
    const reply = await http.reply(endSession, { sessionId: "s1" });
    expect(reply.body).toMatchObject({ success: true, ended: true });
    expect(await only()).toMatchObject({ status: "completed", endedAt: "2026-03-01T13:00:00.000Z" });
  });

  test("that is completed changes nothing and says so", async () => {
    await http.ok(startSession, start);
    await http.ok(endSession, { sessionId: "s1" });
    const before = await only();
    http.advance(hourMs);
    expect((await http.reply(endSession, { sessionId: "s1" })).body).toMatchObject({ ended: false });
    expect(await only()).toEqual(before);
    expect((await http.ok(listAudit, { operation: "session_end" })).total).toBe(1);
  });

  test("that is unknown is a 404 and creates none", async () => {
    const reply = await http.reply(endSession, { sessionId: "nobody" });
    expect(reply.status).toBe(404);
    expect((await http.ok(listSessions, {})).total).toBe(0);
    expect((await http.ok(listAudit, {})).total).toBe(0);
  });

  test("that is abandoned completes it", async () => {
    await http.ok(startSession, start);
    http.advance(25 * hourMs);
    await abandonStale(http.core.ground, http.core.audit);
    expect((await http.ok(endSession, { sessionId: "s1" })).ended).toBe(true);
    expect(await only()).toMatchObject({ status: "completed", endedAt: "2026-03-02T13:00:00.000Z" });
  });
});

describe("resuming a session", () => {
  test.each(["start", "observe"])(
    "by %s makes an ended one active again and removes its end",
    async (way) => {
      await http.ok(startSession, start);
      await http.ok(endSession, { sessionId: "s1" });
      if (way === "start") await http.ok(startSession, start);
      else await http.ok(observe, event);
      const session = await only();
      expect(session.status).toBe("active");
      expect(session).not.toHaveProperty("endedAt");
    },
  );

  test("is not done by a session_end event, which does not end one either", async () => {
    await http.ok(startSession, start);
    await http.ok(observe, { ...event, hookType: "session_end", data: { reason: "exit" } });
    expect((await only()).status).toBe("active");
    await http.ok(endSession, { sessionId: "s1" });
    await http.ok(observe, { ...event, hookType: "session_end", data: { reason: "logout" } });
    expect(await only()).toMatchObject({ status: "completed", observationCount: 2 });
  });

  test("by an event makes an abandoned one active", async () => {
    await http.ok(startSession, start);
    http.advance(25 * hourMs);
    await abandonStale(http.core.ground, http.core.audit);
    await http.ok(observe, event);
    expect((await only()).status).toBe("active");
  });
});

describe("abandoning a session", () => {
  test("happens after 24 hours without activity, dated at the last activity, with one audit entry", async () => {
    await http.ok(startSession, start);
    await http.ok(startSession, { ...start, sessionId: "s2" });
    await http.ok(startSession, { ...start, sessionId: "s3" });
    http.advance(10 * hourMs);
    await http.ok(observe, { ...event, sessionId: "s3" });
    http.advance(14 * hourMs + 1);
    expect((await abandonStale(http.core.ground, http.core.audit)).sort()).toEqual(["s1", "s2"]);
    const { sessions } = await http.ok(listSessions, { status: "abandoned" });
    expect(sessions.map(({ id }) => id)).toEqual(["s2", "s1"]);
    expect(sessions[0]).toMatchObject({ endedAt: "2026-03-01T12:00:00.000Z", tags: ["swept"] });
    const { entries } = await http.ok(listAudit, { operation: "session_abandon" });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.functionId).toBe("session.sweep");
  });

  test("again after it was resumed tags it as swept only once", async () => {
    await http.ok(observe, event);
    for (const round of [1, 2]) {
      http.advance(25 * hourMs);
      expect(await abandonStale(http.core.ground, http.core.audit)).toEqual(["s1"]);
      await http.ok(observe, { ...event, data: { prompt: `round ${round}` } });
    }
    expect((await only()).tags).toEqual(["implicit", "swept"]);
  });

  test("never happens when MEMSVC_SESSION_STALE_HOURS is 0", async () => {
    const patient = await openTestHttp({ env: { MEMSVC_SESSION_STALE_HOURS: "0" } });
    await patient.ok(startSession, start);
    patient.advance(1_000 * hourMs);
    expect(await abandonStale(patient.core.ground, patient.core.audit)).toEqual([]);
    await patient.close();
  });
});

describe("a session created by an event", () => {
  test("is active, tagged implicit, and starts at the time of the event", async () => {
    await http.ok(observe, event);
    expect(await only()).toMatchObject({
      status: "active",
      tags: ["implicit"],
      startedAt: "2026-02-01T08:00:00.000Z",
      updatedAt: "2026-03-01T12:00:00.000Z",
      observationCount: 1,
      firstPrompt: "add a cart page",
      summary: "",
    });
  });

  test("gets the tags that its events name, each once and at most 200, without secrets", async () => {
    const told = async (tags: string[]) => {
      await http.ok(observe, { ...event, tags, data: { prompt: `say ${tags[0]}` } });
      return (await only()).tags as string[];
    };
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect(await told(["codex", " codex "])).toEqual(["implicit", "codex"]);
    expect(await told(["nightly", "codex"])).toEqual(["implicit", "codex", "nightly"]);
    expect((await told([secret]))[3]).not.toContain(secret);
    const many = Array.from({ length: 200 }, (_, at) => `tag ${at}`);
    expect(await told(many)).toHaveLength(200);
    await http.ok(observe, { ...event, sessionId: "s2", tags: many });
    const tagged = async (tag: string) => (await http.ok(listSessions, { tag })).sessions.map(({ id }) => id);
    expect(await tagged("codex")).toEqual(["s1"]);
    expect(await tagged("tag 198")).toEqual(["s2"]);
    expect(await tagged("tag 199")).toEqual([]);
    expect(await tagged("code")).toEqual([]);
  });

  test("keeps its own project and folder whatever later events name", async () => {
    await http.ok(observe, event);
    await http.ok(observe, { ...event, project: "other", cwd: "/tmp", data: { prompt: "more" } });
    expect(await only()).toMatchObject({
      project: "shop",
      cwd: "/home/dev/shop",
      firstPrompt: "add a cart page",
    });
  });

  test("is found under its own project, whatever project later events name", async () => {
    await http.ok(observe, event);
    await http.ok(observe, { ...event, project: "other", cwd: "/tmp", data: { prompt: "paint the shed" } });
    const inProject = async (project: string) =>
      (await http.ok(smartSearch, { query: "paint the shed", project })).results;
    expect((await inProject("shop"))[0]).toMatchObject({ title: "paint the shed", project: "shop" });
    expect(await inProject("other")).toEqual([]);
  });

  test("takes its first real prompt as first prompt, and a slash command only until then", async () => {
    const prompts = ["/clear", "<command-name>/model</command-name>", "/review the login page", "Thanks"];
    const names = [];
    for (const prompt of prompts) {
      await http.ok(observe, { ...event, data: { prompt } });
      names.push((await only()).firstPrompt);
    }
    expect(names).toEqual(["/clear", "/model", "/review the login page", "/review the login page"]);
  });

  test("keeps the first 200 characters of its first prompt", async () => {
    await http.ok(observe, { ...event, data: { prompt: "🙂".repeat(300) } });
    expect((await only()).firstPrompt).toBe("🙂".repeat(200));
  });
});

describe("the observations of a session", () => {
  test("need its id, or the error is exactly `sessionId required`", async () => {
    const reply = await http.reply(listObservations, {});
    expect(reply.status).toBe(400);
    expect(reply.body.error).toBe("sessionId required");
    expect(reply.body.issues).toEqual([{ path: "sessionId", message: "sessionId required" }]);
  });

  test("of an unknown session are a 404", async () => {
    expect((await http.reply(listObservations, { sessionId: "nobody" })).status).toBe(404);
  });

  test("are sorted by time and then by arrival, in both directions", async () => {
    const at = (second: number, name: string) =>
      http.ok(observe, { ...event, timestamp: `2026-02-01T08:00:0${second}Z`, data: { prompt: name } });
    const ids = [];
    for (const [second, name] of [
      [2, "a"],
      [1, "b"],
      [2, "c"],
    ] as const) {
      ids.push((await at(second, name)).observationId);
    }
    const [a, b, c] = ids;
    const listed = await http.ok(listObservations, { sessionId: "s1" });
    expect(listed.observations.map(({ id }) => id)).toEqual([b, a, c]);
    expect(listed).toMatchObject({ total: 3, offset: 0, limit: 5_000 });
    const turned = await http.ok(listObservations, { sessionId: "s1", order: "desc", limit: 2, offset: 1 });
    expect(turned.observations.map(({ id }) => id)).toEqual([a, b]);
    expect(turned).toMatchObject({ total: 3, offset: 1, limit: 2 });
  });

  test("come with the full summary of their session, once it has one", async () => {
    await http.ok(observe, event);
    const shown = async () => (await http.ok(listObservations, { sessionId: "s1" })).session;
    expect(await shown()).not.toHaveProperty("summaryDetail");
    const summarized = await http.ok(summarizeSession, { sessionId: "s1" });
    const { summaryDetail } = await shown();
    expect(summaryDetail?.narrative).toContain("cart");
    expect(summarized).toMatchObject({ summary: summaryDetail });
  });

  test("come with all of a long summary, of which the session itself shows the first 500 characters", async () => {
    for (const part of ["cart", "shelf", "till", "ramp", "door"]) {
      await http.ok(observe, { ...event, data: { prompt: `${`the ${part} 🙂 `.repeat(40)}end` } });
    }
    await http.ok(summarizeSession, { sessionId: "s1" });
    const { summary, summaryDetail } = (await http.ok(listObservations, { sessionId: "s1" })).session;
    const narrative = [...(summaryDetail?.narrative ?? "")];
    expect(narrative.length).toBeGreaterThan(500);
    expect(summary).toBe(narrative.slice(0, 500).join(""));
  });

  test("can be filtered by type, and an unknown type is a 400", async () => {
    await http.ok(observe, event);
    await http.ok(observe, { ...event, hookType: "task_completed", data: { taskSubject: "cart" } });
    const { observations, total } = await http.ok(listObservations, { sessionId: "s1", type: "task" });
    expect([observations.map(({ type }) => type), total]).toEqual([["task"], 1]);
    expect((await http.reply(listObservations, { sessionId: "s1", type: "chat" })).status).toBe(400);
  });

  test("include the raw event only on request", async () => {
    await http.ok(observe, event);
    const [plain] = (await http.ok(listObservations, { sessionId: "s1" })).observations;
    const [full] = (await http.ok(listObservations, { sessionId: "s1", raw: true })).observations;
    expect(plain).not.toHaveProperty("raw");
    expect(full?.raw).toEqual({
      hookType: "prompt_submit",
      userPrompt: "add a  cart\npage",
      data: { prompt: "add a  cart\npage" },
    });
  });
});
