import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findByCommit, linkCommit } from "../../src/capture/commits/operations.ts";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { listProjects } from "../../src/capture/projects/operations.ts";
import { endSession, listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import {
  evolve,
  forget,
  getMemory,
  listMemories,
  remember,
} from "../../src/knowledge/memories/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";

const event = { project: "shop", cwd: "/w/shop", hookType: "prompt_submit", timestamp: "2026-03-01" };

let http: TestHttp;
let ids: { ann: string; bob: string; orphan: string };

async function open(env: Readonly<Record<string, string>>) {
  http = await openTestHttp({ env });
  const store = async (agentId: string | undefined) =>
    (await http.ok(remember, { content: `heron of ${agentId ?? "nobody"}`, agentId })).memoryId;
  ids = { ann: await store("ann"), bob: await store("bob"), orphan: await store(undefined) };
}
afterEach(() => http.close());

function names(found: readonly string[]) {
  return Object.entries(ids)
    .filter(([, id]) => found.includes(id))
    .map(([name]) => name);
}

async function listed(query: Readonly<Record<string, unknown>>) {
  const { body } = await http.reply(listMemories, query);
  return names((body.memories as { id: string }[]).map(({ id }) => id));
}

async function searched(
  body: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, string>> = {},
) {
  const reply = await http.reply(smartSearch, { query: "heron", ...body }, { query });
  return names((reply.body.results as { obsId: string }[]).map(({ obsId }) => obsId));
}

describe("in shared scope", () => {
  beforeEach(() => open({}));

  test("a request sees all rows, or only those of the agent that it names", async () => {
    expect(await listed({})).toEqual(["ann", "bob", "orphan"]);
    expect(await listed({ agentId: "ann" })).toEqual(["ann"]);
    expect(await listed({ agentId: "*" })).toEqual(["ann", "bob", "orphan"]);
    expect(await searched({})).toEqual(["ann", "bob", "orphan"]);
    expect(await searched({ agentId: "bob" })).toEqual(["bob"]);
  });

  test("rows without an agent are included with includeOrphans", async () => {
    expect(await listed({ agentId: "ann", includeOrphans: true })).toEqual(["ann", "orphan"]);
    expect(await searched({ agentId: "ann", includeOrphans: true })).toEqual(["ann", "orphan"]);
  });

  test("the agent in the query wins over the one in the body", async () => {
    expect(await searched({ agentId: "ann" }, { agentId: "bob" })).toEqual(["bob"]);
    expect(await searched({ agentId: "ann" }, { agentId: "*" })).toEqual(["ann", "bob", "orphan"]);
    expect(await searched({ agentId: "ann" }, { includeOrphans: "true" })).toEqual(["ann", "orphan"]);
  });

  test("a record of another agent is a 404 when the request names an agent", async () => {
    expect((await http.reply(getMemory, { id: ids.ann, agentId: "bob" })).status).toBe(404);
    expect((await http.reply(getMemory, { id: ids.ann, agentId: "ann" })).status).toBe(200);
    expect((await http.reply(getMemory, { id: ids.ann })).status).toBe(200);
  });

  test("agent ids are cut to 128 characters in writes and reads", async () => {
    const { memory } = await http.ok(remember, { content: "a stork", agentId: "x".repeat(200) });
    expect(memory.agentId).toBe("x".repeat(128));
    const reply = await http.reply(listMemories, { agentId: `${"x".repeat(128)}yyy` });
    expect(reply.body.total).toBe(1);
  });

  test("a write with agent `*` stores no agent", async () => {
    const { memory } = await http.ok(remember, { content: "a stork", agentId: "*" });
    expect(memory).not.toHaveProperty("agentId");
  });
});

describe("AGENT_ID=*", () => {
  test.each(["shared", "isolated"])(
    "stands for no agent in writes and for all agents in reads, in %s scope",
    async (scope) => {
      await open({ AGENT_ID: "*", MEMSVC_AGENT_SCOPE: scope });
      const { session } = await http.ok(startSession, { sessionId: "s", project: "p", cwd: "/p" });
      expect(session).not.toHaveProperty("agentId");
      expect(await listed({ agentId: "*" })).toEqual(["ann", "bob", "orphan"]);
      expect(await listed({})).toEqual(["ann", "bob", "orphan"]);
      expect(await listed({ agentId: "ann", includeOrphans: true })).toEqual(["ann", "orphan"]);
    },
  );
});

describe("ending a session of another agent, or of no agent,", () => {
  const place = { project: "shop", cwd: "/w/shop" };
  const ending = async (sessionId: string, agentId: string | undefined) =>
    (await http.reply(endSession, { sessionId, agentId })).status;

  test("works in shared scope, where the agent of a request only filters reads", async () => {
    await open({});
    await http.ok(startSession, { ...place, sessionId: "of ann", agentId: "ann" });
    await http.ok(startSession, { ...place, sessionId: "of nobody" });
    for (const sessionId of ["of ann", "of nobody"]) expect(await ending(sessionId, "bob")).toBe(200);
    const { sessions } = await http.ok(listSessions, {});
    expect(sessions.map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("is a 404 in isolated scope, as for an unknown session", async () => {
    await open({ MEMSVC_AGENT_SCOPE: "isolated" });
    await http.ok(startSession, { ...place, sessionId: "of ann", agentId: "ann" });
    expect(await ending("of ann", "bob")).toBe(404);
    expect(await ending("of ann", undefined)).toBe(200);
  });

  test("works in isolated scope when the session belongs to no agent", async () => {
    await open({ MEMSVC_AGENT_SCOPE: "isolated" });
    await http.ok(startSession, { ...place, sessionId: "of nobody" });
    expect(await ending("of nobody", "bob")).toBe(200);
    const { sessions } = await http.ok(listSessions, { agentId: "*" });
    expect(sessions).toMatchObject([{ id: "of nobody", status: "completed" }]);
  });
});

test("in isolated scope only another named agent may not resume an agent's session", async () => {
  await open({ MEMSVC_AGENT_SCOPE: "isolated" });
  const start = async (agentId: string | undefined) => {
    const session = { sessionId: "of ann", project: "shop", cwd: "/w/shop", agentId };
    return (await http.reply(startSession, session)).status;
  };
  expect([await start("ann"), await start("bob")]).toEqual([200, 409]);
  expect([await start(undefined), await start("*"), await start("ann")]).toEqual([200, 200, 200]);
  const { sessions } = await http.ok(listSessions, { agentId: "*" });
  expect(sessions).toMatchObject([{ id: "of ann", agentId: "ann" }]);
});

describe("the agent of a new record", () => {
  beforeEach(() => open({ AGENT_ID: "setting" }));

  test("is the request's, else the session's, else AGENT_ID", async () => {
    await http.ok(startSession, { sessionId: "s", project: "p", cwd: "/p", agentId: "session" });
    const agentOf = async (content: string, given: Readonly<Record<string, string>>) =>
      (await http.ok(remember, { content, ...given })).memory.agentId;
    expect(await agentOf("one", { sessionId: "s", agentId: "request" })).toBe("request");
    expect(await agentOf("two", { sessionId: "s" })).toBe("session");
    expect(await agentOf("three", { sessionId: "unknown" })).toBe("setting");
    expect(await agentOf("four", {})).toBe("setting");
  });

  test("is always the session's for an observation, even when the session has none", async () => {
    const orphaned = await openTestHttp();
    await orphaned.ok(startSession, { sessionId: "none", project: "p", cwd: "/p" });
    await orphaned.ok(observe, { ...event, sessionId: "none", agentId: "late", data: { prompt: "a" } });
    await orphaned.ok(observe, { ...event, sessionId: "made", agentId: "first", data: { prompt: "b" } });
    await orphaned.ok(observe, { ...event, sessionId: "made", agentId: "second", data: { prompt: "c" } });
    const agents = async (sessionId: string) =>
      (await orphaned.ok(listObservations, { sessionId })).observations.map(({ agentId }) => agentId);
    expect(await agents("none")).toEqual([undefined]);
    expect(await agents("made")).toEqual(["first", "first"]);
    await orphaned.close();
  });
});

describe("in isolated scope", () => {
  beforeEach(() => open({ MEMSVC_AGENT_SCOPE: "isolated" }));

  const reads = [
    ["sessions", listSessions, {}],
    ["memories", listMemories, {}],
    ["counts", listMemories, { count: true }],
    ["smart-search", smartSearch, { query: "heron" }],
    ["search", fullSearch, { query: "heron" }],
    ["observations of an unknown session", listObservations, { sessionId: "nobody" }],
  ] as const;
  test.each(reads)(
    "reading %s without an agent is a 400 that asks for agentId",
    async (_name, operation, input) => {
      const reply = await http.reply(operation, input);
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatch(/agentId.*\*/su);
      expect(reply.body.issues).toMatchObject([{ path: "agentId" }]);
    },
  );

  test("a memory does not list the session of another agent's source observation", async () => {
    const observed = async (agentId: string) =>
      (await http.ok(observe, { ...event, sessionId: `of ${agentId}`, agentId, data: { prompt: "hello" } }))
        .observationId;
    const sourceObservationIds = [await observed("ann"), await observed("bob")];
    const content = "Terns nest on the roof";
    const { memory } = await http.ok(remember, { content, agentId: "ann", sourceObservationIds });
    expect(memory).toMatchObject({ sourceObservationIds, sessionIds: ["of ann"] });
  });

  test("lists, counts and searches show an agent its own rows, and orphans on request", async () => {
    expect(await listed({ agentId: "ann" })).toEqual(["ann"]);
    expect(await listed({ agentId: "ann", includeOrphans: true })).toEqual(["ann", "orphan"]);
    expect((await http.reply(listMemories, { agentId: "ann", count: true })).body.total).toBe(1);
    expect(await searched({ agentId: "bob" })).toEqual(["bob"]);
    const full = await http.reply(fullSearch, { query: "heron", agentId: "ann" });
    expect(full.body).toMatchObject({ totalCount: 1 });
  });

  test("the list of projects shows an agent those in which it has sessions or memories, and counts only these", async () => {
    for (const [agentId, project] of [
      ["ann", "shop"],
      ["ann", "bank"],
      ["bob", "shop"],
    ] as const) {
      await http.ok(startSession, {
        sessionId: `${agentId}-${project}`,
        project,
        cwd: `/w/${project}`,
        agentId,
      });
      await http.ok(remember, { content: `the till of ${agentId} in the ${project}`, project, agentId });
    }
    await http.ok(remember, { content: "the vault of ann", project: "mint", agentId: "ann" });
    const shown = async (agentId: string) =>
      (await http.ok(listProjects, { agentId })).projects
        .map(({ project, sessionCount, memoryCount }) => [project, sessionCount, memoryCount])
        .sort();
    expect(await shown("bob")).toEqual([["/w/shop", 1, 1]]);
    expect(await shown("*")).toEqual([
      ["/w/bank", 1, 1],
      ["/w/shop", 2, 2],
      ["mint", 0, 1],
    ]);
  });

  test("`*` makes a read see the rows of all agents", async () => {
    expect(await listed({ agentId: "*" })).toEqual(["ann", "bob", "orphan"]);
    expect(await searched({}, { agentId: "*" })).toEqual(["ann", "bob", "orphan"]);
  });

  test("a search that names a session acts as the session's agent", async () => {
    await http.ok(startSession, { sessionId: "of-ann", project: "p", cwd: "/p", agentId: "ann" });
    expect(await searched({ sessionId: "of-ann" })).toEqual(["ann"]);
  });

  test("memories of another agent are a 404, and cannot be changed or deleted", async () => {
    const other = { agentId: "bob" };
    expect((await http.reply(getMemory, { id: ids.ann, ...other })).status).toBe(404);
    expect((await http.reply(evolve, { memoryId: ids.ann, newContent: "x", ...other })).status).toBe(404);
    expect((await http.reply(forget, { memoryId: ids.ann, ...other })).status).toBe(404);
    expect((await http.reply(smartSearch, { expandIds: [ids.ann], ...other })).status).toBe(404);
    expect(await listed({ agentId: "ann" })).toEqual(["ann"]);
  });

  test("sessions of another agent are a 404, and are not listed", async () => {
    await http.ok(observe, { ...event, sessionId: "of-ann", agentId: "ann", data: { prompt: "x" } });
    const other = { sessionId: "of-ann", agentId: "bob" };
    expect((await http.reply(listObservations, other)).status).toBe(404);
    expect((await http.reply(endSession, other)).status).toBe(404);
    expect((await http.reply(forget, other)).status).toBe(404);
    expect((await http.ok(listSessions, { agentId: "bob" })).total).toBe(0);
    expect((await http.ok(listObservations, { ...other, agentId: "ann" })).total).toBe(1);
  });

  test("a commit found by its sha names no session of another agent, but those that are not known yet", async () => {
    const sha = "3f2a91c0d4";
    for (const agentId of ["ann", "bob"]) {
      const sessionId = `of-${agentId}`;
      await http.ok(observe, { ...event, sessionId, agentId, data: { prompt: "x" } });
      await http.ok(linkCommit, { sha, sessionId });
    }
    await http.ok(linkCommit, { sha, sessionId: "later" });
    const { commit, sessions } = await http.ok(findByCommit, { sha, agentId: "bob" });
    expect(commit.sessionIds).toEqual(["of-bob", "later"]);
    expect(sessions.map(({ id }) => id)).toEqual(["of-bob"]);
  });

  test("forgetting names no memory of another agent that was made from what is forgotten", async () => {
    const said = { ...event, sessionId: "of-ann", agentId: "ann", data: { prompt: "x" } };
    const { observationId } = await http.ok(observe, said);
    const made = { sourceObservationIds: [observationId] };
    const { memoryId } = await http.ok(remember, { content: "Terns dive", agentId: "ann", ...made });
    await http.ok(remember, { content: "Gulls steal", agentId: "bob", ...made });
    const forgotten = await http.ok(forget, { sessionId: "of-ann", agentId: "ann" });
    expect(forgotten.remaining).toEqual([memoryId]);
  });

  test("an error counts as repeated only when the same agent had it before", async () => {
    const failed = {
      ...event,
      hookType: "post_tool_failure",
      data: { toolName: "Bash", error: "Error: lost" },
    };
    const importances: number[] = [];
    for (const [sessionId, agentId] of Object.entries({ a1: "ann", b1: "bob", a2: "ann" })) {
      await http.ok(observe, { ...failed, sessionId, agentId });
      const [seen] = (await http.ok(listObservations, { sessionId, agentId })).observations;
      importances.push(seen?.importance ?? 0);
    }
    expect(importances).toEqual([7, 7, 8]);
  });

  test("near-duplicates are looked for only among the agent's own memories", async () => {
    expect((await http.ok(remember, { content: "heron of ann", agentId: "bob" })).version).toBe(1);
    expect((await http.ok(remember, { content: "heron of ann", agentId: "ann" })).version).toBe(2);
  });

  test("starting, observing, ending and remembering need no agent", async () => {
    const started = await http.ok(startSession, { sessionId: "s", project: "shop", cwd: "/w/shop" });
    expect(started.context).toBe("");
    await http.ok(observe, { ...event, sessionId: "s", data: { prompt: "x" } });
    expect((await http.ok(endSession, { sessionId: "s" })).ended).toBe(true);
    expect((await http.reply(remember, { content: "without agent" })).status).toBe(201);
  });

  test("a context block does not show an agent what another agent's session did", async () => {
    const data = { prompt: "teach the heron to fish" };
    await http.ok(observe, { ...event, sessionId: "of-ann", agentId: "ann", data });
    const asked = { sessionId: "of-ann", project: "shop", includeOwn: true };
    expect((await http.ok(buildContext, { ...asked, agentId: "ann" })).context).toContain("to fish");
    expect((await http.ok(buildContext, { ...asked, agentId: "bob" })).context).not.toContain("to fish");
  });
});

test("the caller's agent ranks below request and session, and filters only in isolated scope", async () => {
  const headers = { "x-memsvc-agent": encodeURIComponent("änn") };
  for (const scope of ["shared", "isolated"]) {
    await open({ MEMSVC_AGENT_SCOPE: scope, AGENT_ID: "setting" });
    const saved = async (given: Readonly<Record<string, string>>) =>
      (await http.ok(remember, { content: `said ${JSON.stringify(given)}`, ...given }, { headers })).memory
        .agentId;
    await http.ok(startSession, { sessionId: "s", project: "p", cwd: "/p", agentId: "session" });
    expect(await saved({})).toBe("änn");
    expect(await saved({ sessionId: "s" })).toBe("session");
    expect(await saved({ sessionId: "s", agentId: "request" })).toBe("request");
    await http.ok(observe, { ...event, sessionId: "made-by-event" }, { headers });
    const { sessions } = await http.ok(listSessions, { agentId: "änn" });
    expect(sessions.map(({ id }) => id)).toEqual(["made-by-event"]);
    const { body } = await http.reply(listMemories, {}, { headers });
    expect([scope, body.total]).toEqual([scope, scope === "shared" ? 6 : 1]);
  }
});

test("in isolated scope AGENT_ID stands in for a missing agent in a request", async () => {
  await open({ MEMSVC_AGENT_SCOPE: "isolated", AGENT_ID: "ann" });
  // A record that was stored without an agent got AGENT_ID, which is ann.
  expect(await listed({})).toEqual(["ann", "orphan"]);
  expect(await listed({ agentId: "bob" })).toEqual(["bob"]);
});
