import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DescribedAnswers } from "../support/described-answers.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";

/*
 * The promises of the contract of the HTTP API, in its order: for each route the status, and the
 * fields of its answer with their types. Other tests check the values of the fields.
 */

const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u);
const text = expect.any(String);
const number = expect.any(Number);
const truth = expect.any(Boolean);
const object = expect.any(Object);
const texts: unknown = expect.toSatisfy(
  (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  "is an array of strings",
);
const whole: unknown = expect.toSatisfy(Number.isInteger, "is a whole number");
const some = (item: unknown): unknown =>
  expect.toSatisfy((list) => {
    expect(list).not.toHaveLength(0);
    for (const one of list as unknown[]) expect(one).toMatchObject(item as object);
    return true;
  }, "has such items");

const memory = {
  id: text,
  title: text,
  content: text,
  type: expect.stringMatching(/^(?:pattern|preference|architecture|bug|workflow|fact)$/u),
  concepts: texts,
  files: texts,
  strength: number,
  version: whole,
  isLatest: truth,
  sourceObservationIds: texts,
  createdAt: time,
  updatedAt: time,
};
const session = {
  id: text,
  project: text,
  cwd: text,
  startedAt: time,
  status: expect.stringMatching(/^(?:active|completed|abandoned)$/u),
  observationCount: whole,
  commitShas: texts,
};
const observation = {
  id: text,
  sessionId: text,
  timestamp: time,
  type: text,
  title: text,
  facts: texts,
  narrative: text,
  concepts: texts,
  files: texts,
  importance: number,
};
const commit = {
  sha: text,
  shortSha: text,
  branch: text,
  message: text,
  sessionIds: texts,
  linkedAt: time,
};
const hit = { obsId: text, sessionId: text, title: text, type: text, score: number, timestamp: time };
const profile = {
  project: text,
  updatedAt: time,
  topConcepts: some({ concept: text, frequency: whole }),
  topFiles: some({ file: text, frequency: whole }),
  conventions: texts,
  commonErrors: texts,
  recentActivity: texts,
  sessionCount: whole,
  totalObservations: whole,
  summary: text,
};
const node = {
  id: text,
  type: text,
  name: text,
  properties: object,
  sourceObservationIds: texts,
  createdAt: time,
};
const edge = { id: text, type: text, sourceNodeId: text, targetNodeId: text, weight: number };
const flag = {
  key: text,
  label: text,
  enabled: truth,
  default: false,
  needsLlm: truth,
  description: text,
  enableHow: text,
};
const audited = {
  id: text,
  timestamp: time,
  operation: text,
  functionId: text,
  targetIds: texts,
  details: object,
};
const off = (name: string) => ({ error: text, flag: name, enableHow: text, docsHref: text });

type Route = readonly [request: string, body: object | undefined, status: number, answer: object];

const sha = "0123456789abcdef0123456789abcdef01234567";
const event = {
  hookType: "post_tool_use",
  sessionId: "work",
  project: "/w/shop",
  cwd: "/w/shop",
  timestamp: "2026-03-01T11:00:00Z",
  data: { toolName: "Edit", toolInput: { file_path: "/w/shop/src/cart.ts", new_string: "total" } },
};

/** One story: each step builds on those before it. `:memory` and `:node` stand for ids from earlier answers. */
const story: readonly Route[] = [
  ["GET /livez", undefined, 200, { status: "ok", service: "memsvc", viewerPort: null }],
  [
    "GET /health",
    undefined,
    200,
    { status: text, service: text, version: text, health: object, viewerPort: null },
  ],
  [
    "GET /config/flags",
    undefined,
    200,
    { version: text, provider: "openai", embeddingProvider: "none", flags: some(flag) },
  ],

  [
    "POST /session/start",
    { sessionId: "work", project: "/w/shop", cwd: "/w/shop", title: "Cart" },
    200,
    {
      session: { ...session, status: "active", observationCount: 0, summary: "Cart", firstPrompt: "Cart" },
      context: "",
    },
  ],
  ["POST /session/start", { sessionId: "work", project: "/w/shop" }, 400, { error: text }],
  ["POST /observe", event, 201, { observationId: text, deduplicated: false, compressed: true }],
  ["POST /observe", event, 201, { deduplicated: true }],
  ["POST /observe", { ...event, cwd: " " }, 400, { error: text }],
  ["POST /observe", { ...event, timestamp: undefined }, 400, { error: text }],
  ["GET /observations?sessionId=work", undefined, 200, { observations: some(observation), total: 1 }],
  ["GET /observations", undefined, 400, { error: text }],
  ["POST /session/commit", { sha, sessionId: "work", branch: "main" }, 200, { commit }],
  [
    "POST /session/commit",
    { sha, sessionId: "later" },
    200,
    { commit: { ...commit, sessionIds: ["work", "later"] } },
  ],
  ["POST /session/commit", {}, 400, { error: text }],
  [`GET /session/by-commit?sha=${sha}`, undefined, 200, { commit, sessions: some(session) }],
  ["GET /session/by-commit?sha=ffffffff", undefined, 404, { error: text }],
  ["POST /session/end", { sessionId: "work" }, 200, { success: true }],
  ["POST /session/end", {}, 400, { error: text }],
  [
    "GET /sessions?agentId=*",
    undefined,
    200,
    { sessions: some({ ...session, endedAt: time, status: "completed" }) },
  ],

  [
    "POST /remember",
    {
      content: "The cart keeps its total in cents",
      files: ["src/cart.ts"],
      concepts: ["cents"],
      ttlDays: 30,
    },
    201,
    { memoryId: text, strength: 1, version: 1, isLatest: true },
  ],
  ["POST /remember", { content: "" }, 400, { error: text }],
  ["POST /remember", { content: "x", type: "opinion" }, 400, { error: text }],
  ["GET /memories/:memory", undefined, 200, { memory: { ...memory, type: "fact", forgetAfter: time } }],
  ["GET /memories/nobody", undefined, 404, { error: text }],
  [
    "POST /evolve",
    { memoryId: ":memory", newContent: "The cart keeps its total as a decimal", newTitle: "Totals" },
    200,
    { memory: { ...memory, version: 2, title: "Totals" } },
  ],
  ["POST /evolve", { memoryId: ":memory" }, 400, { error: text }],
  [
    "GET /memories?latest=true",
    undefined,
    200,
    { memories: some({ ...memory, isLatest: true }), total: 1, offset: 0, limit: 5_000 },
  ],
  [
    "GET /memories?limit=5001&offset=1",
    undefined,
    200,
    { memories: some({ ...memory, isLatest: false }), total: 2, offset: 1, limit: 5_000 },
  ],
  ["GET /memories?count=true", undefined, 200, { total: 2, latestCount: 1 }],
  ["GET /profile?project=/w/shop", undefined, 200, profile],
  ["GET /profile", undefined, 400, { error: text }],

  ["POST /smart-search", { query: "cart total" }, 200, { results: some(hit), totalCount: whole }],
  ["POST /smart-search", { expandIds: [":memory"] }, 200, { results: some(hit), totalCount: 1 }],
  ["POST /smart-search", {}, 400, { error: text }],
  ["POST /smart-search", { query: "cart", limit: 0 }, 400, { error: text }],
  [
    "POST /search",
    { query: "cart total", format: "compact", token_budget: 500 },
    200,
    { results: some(hit) },
  ],
  ["POST /search", { query: "" }, 400, { error: text }],
  [
    "POST /context",
    { sessionId: "other", project: "/w/shop" },
    200,
    { context: expect.stringContaining("decimal"), tokenCount: number },
  ],
  ["POST /context", { sessionId: "other" }, 400, { error: text }],
  ["POST /context", { sessionId: "other", project: "/w/shop", budget: 1e30 }, 200, { tokenCount: whole }],
  ["POST /context", { sessionId: "other", project: "/w/shop", budget: "1" }, 200, { tokenCount: 0 }],
  ["POST /context", { sessionId: "other", project: "/w/shop", budget: -1 }, 400, { error: text }],
  ["POST /context", { sessionId: "other", project: "/w/shop", budget: "0" }, 400, { error: text }],
  [
    "POST /enrich",
    { sessionId: "other", files: ["src/cart.ts"] },
    200,
    {
      files: some({ file: "src/cart.ts", summary: text }),
      relatedMemories: some(hit),
      editHistory: some({ title: text }),
      knownIssues: [],
      concepts: texts,
    },
  ],
  ["POST /enrich", { sessionId: "other", files: [] }, 400, { error: text }],
  [
    "POST /file-context",
    { sessionId: "other", files: ["src/cart.ts"] },
    200,
    { files: some({ file: "src/cart.ts", observations: some(observation) }) },
  ],
  [
    "POST /timeline",
    { anchor: event.timestamp, before: 1, after: 1 },
    200,
    { entries: some({ observation }) },
  ],
  ["POST /timeline", {}, 400, { error: text }],
  ["POST /patterns", { project: "/w/shop" }, 200, { patterns: [] }],
  ["GET /diagnostics/followup", undefined, 200, { rate: number, windowSeconds: 30 }],

  [
    "POST /graph/query",
    { query: "cart" },
    200,
    {
      nodes: some(node),
      edges: some(edge),
      depth: 0,
      totalNodes: whole,
      totalEdges: whole,
      truncated: false,
    },
  ],
  ["POST /graph/query", { startNodeId: ":node" }, 200, { nodes: some(node), edges: some(edge), depth: 2 }],
  ["POST /graph/query", { nodeType: "file", limit: 1 }, 200, { nodes: some({ ...node, type: "file" }) }],
  ["POST /graph/query", { nodeType: "planet" }, 400, { error: text }],
  ["GET /graph/stats", undefined, 200, { nodes: whole, edges: whole, nodesByType: object }],
  ["POST /graph/snapshot-rebuild", undefined, 200, { totalNodes: whole }],
  ["POST /graph/query", {}, 200, { nodes: some(node), fromSnapshot: true }],

  ["POST /summarize", { sessionId: "work" }, 200, { summary: object }],
  ["POST /consolidate", { project: "/w/shop" }, 200, { consolidated: 0 }],
  ["POST /consolidate-pipeline", { tier: "episodic" }, 200, { results: { episodic: object } }],
  ["POST /consolidate-pipeline", { tier: "golden" }, 400, { error: text }],
  ["POST /evict?dryRun=true", undefined, 200, { dryRun: true, evicted: 0 }],

  [
    "GET /export",
    undefined,
    200,
    {
      version: text,
      exportedAt: time,
      sessions: some(session),
      observations: { work: some(observation) },
      memories: some(memory),
      summaries: some({ sessionId: "work" }),
      profiles: some(profile),
      graphNodes: some(node),
      graphEdges: some(edge),
      semanticMemories: [],
      proceduralMemories: [],
      lessons: [],
      insights: [],
      pagination: { offset: 0, limit: 1, total: 1, hasMore: false },
    },
  ],
  [
    "GET /export?maxSessions=1&offset=1",
    undefined,
    200,
    { sessions: [], pagination: { offset: 1, limit: 1, total: 1, hasMore: false } },
  ],
  ["POST /import", { exportData: {}, strategy: "skip" }, 200, { strategy: "skip" }],
  ["POST /import", { exportData: {} }, 200, { strategy: "merge" }],
  ["POST /import", {}, 400, { error: text }],
  ["POST /import", { exportData: {}, strategy: "guess" }, 400, { error: text }],

  [
    "POST /governance/bulk-delete",
    { type: ["fact"], qualityBelow: 1, dateFrom: "2026-01-01", dryRun: true },
    200,
    { dryRun: true },
  ],
  ["POST /forget", {}, 400, { error: text }],
  ["POST /forget", { sessionId: "work", observationIds: ["nobody"] }, 404, { error: text }],
  ["POST /forget", { sessionId: "work" }, 200, { deletedObservations: 1 }],
  ["DELETE /governance/memories", { memoryIds: [":memory"], reason: "by mistake" }, 200, { deleted: 1 }],
  ["GET /memories/:memory", undefined, 404, { error: text }],
  [
    "GET /audit?operation=delete",
    undefined,
    200,
    { entries: some({ ...audited, operation: "delete", details: { reason: "by mistake" } }), success: true },
  ],
  ["GET /audit", undefined, 200, { entries: some(audited), limit: 50 }],
  ["POST /graph/reset", undefined, 200, { cleared: object }],
  ["GET /mesh/peers", undefined, 503, { error: "mesh requires MEMSVC_SECRET" }],
];

describe("the contract of the HTTP API", () => {
  let http: TestHttp;
  const known = new Map<string, string>();
  const described = new DescribedAnswers();
  beforeAll(async () => {
    const models = await openModelServer();
    http = await openTestHttp({
      env: { ...models.env("openai"), GRAPH_EXTRACTION_ENABLED: "true", CONSOLIDATION_ENABLED: "true" },
    });
    await models.close();
  });
  afterAll(() => http.close());

  test.each(story.map(([request, body, status, answer], at) => [at, request, status, body, answer] as const))(
    "step %i: %s answers %i with the fields of the contract and of the OpenAPI document",
    async (_at, request, status, body, answer) => {
      const resolved = (given: string) => given.replace(/:(\w+)/gu, (name) => known.get(name) ?? name);
      const [method = "", path = ""] = request.split(" ");
      const reply = await http.send(resolved(path), {
        method,
        ...(body === undefined
          ? {}
          : { body: resolved(JSON.stringify(body)), headers: { "content-type": "application/json" } }),
      });
      expect([reply.status, reply.body]).toMatchObject([status, answer]);
      const [route = ""] = resolved(path).split("?");
      expect(described.faultsOf(method, route, reply)).toEqual([]);
      const { memoryId, nodes } = reply.body;
      if (typeof memoryId === "string" && !known.has(":memory")) known.set(":memory", memoryId);
      if (Array.isArray(nodes)) known.set(":node", nodes[0].id);
    },
  );
});

test.each([
  ["/graph/query", "GRAPH_EXTRACTION_ENABLED"],
  ["/consolidate", "CONSOLIDATION_ENABLED"],
])("%s without the flag or a provider is a 503 that says how to enable it", async (path, name) => {
  for (const env of [{}, { [name]: "true" }]) {
    const http = await openTestHttp({ env });
    const reply = await http.send(path, { method: "POST" });
    expect([reply.status, reply.body]).toEqual([503, off(name)]);
    const flags = (await http.send("/config/flags")).body.flags as { key: string; enabled: boolean }[];
    expect(flags.map(({ key }) => key)).toEqual([
      "GRAPH_EXTRACTION_ENABLED",
      "CONSOLIDATION_ENABLED",
      "MEMSVC_AUTO_COMPRESS",
      "MEMSVC_INJECT_CONTEXT",
    ]);
    expect(flags.find(({ key }) => key === name)?.enabled).toBe(name in env);
    await http.close();
  }
});
