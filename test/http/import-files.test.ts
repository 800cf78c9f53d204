import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { listMemories } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { exported, memoryInFile } from "../support/exported-store.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

const http = forEachTest(openTestHttp);
const other = forEachTest(openTestHttp);

describe("an import", () => {
  test("writes an audit entry with its counts", async () => {
    await http.ok(importStore, { exportData: { memories: [memoryInFile] } });
    const { entries } = await http.ok(listAudit, { operation: "import" });
    expect(entries).toMatchObject([
      { functionId: "store.import", details: { strategy: "merge", counts: { memories: { written: 1 } } } },
    ]);
  });

  test("redacts secrets", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const createdAt = 1_767_225_600_000;
    const session = { id: "s9", project: "p", startedAt: 1_767_225_600_000, firstPrompt: `use ${secret}` };
    const observation = {
      id: "obs_9",
      timestamp: 1_767_225_600_000,
      title: `see ${secret}`,
      raw: { data: secret },
    };
    await http.ok(importStore, {
      exportData: {
        sessions: [session],
        observations: { s9: [observation] },
        memories: [{ ...memoryInFile, content: `token ${secret}` }],
        semanticMemories: [
          { id: "sem_9", fact: "links expire", confidence: 0.5, provider: secret, createdAt },
        ],
      },
    });
    expect(await dumpStore(http)).not.toContain(secret);
    expect((await exported(http)).memories[0]?.content).toContain("[REDACTED_SECRET]");
  });

  test("accepts records of other programs, and warns about what it changed", async () => {
    const answer = await http.ok(importStore, {
      exportData: {
        sessions: [
          {
            id: "s1",
            project: "shop",
            startedAt: 1_767_225_600_000,
            summary: { title: "Queues", narrative: "We fixed the queue." },
            mood: "good",
          },
        ],
        observations: {
          s1: [
            { id: "o1", timestamp: "2026-01-01T00:00:00Z", type: "dance", title: "a dance" },
            {
              id: "o2",
              timestamp: "2026-01-01T00:01:00Z",
              hookType: "post_tool_use",
              toolName: "Bash",
              toolInput: { command: "npm test" },
              toolOutput: "3 passed",
            },
          ],
        },
        memories: [{ ...memoryInFile, type: "wisdom", strength: 8, relatedIds: ["gone"] }],
        relations: [
          { id: "r1", type: "related", sourceId: "mem_a", targetId: "gone", createdAt: "2026-01-01" },
        ],
        horoscopes: [{ a: 1 }],
      },
    });
    expect(answer.warnings).toEqual(
      expect.arrayContaining([
        "the file names no version",
        "sessions.mood: an unknown field was left out",
        "horoscopes: an unknown collection was left out",
        "observations: an unknown type became other",
        "memories: an unknown type became fact",
        "memories: related ones that do not exist were dropped",
        "relations: a relation of a memory that does not exist was left out",
      ]),
    );
    const data = await exported(http);
    expect(data.memories).toMatchObject([
      { type: "fact", strengthAnchor: 0.8, title: "a memory from elsewhere", relatedIds: [] },
    ]);
    expect(data.observations.s1).toMatchObject([
      { id: "o1", type: "other" },
      { id: "o2", type: "command_run", title: expect.stringContaining("npm test") },
    ]);
    expect(data.sessions).toMatchObject([{ summary: "We fixed the queue.", observationCount: 2 }]);
    expect(data).toMatchObject({
      summaries: [{ sessionId: "s1", title: "Queues", createdAt: "2026-01-01T00:00:00.000Z" }],
      relations: [],
    });
  });

  test("drops blank and repeated tags and files", async () => {
    const lists = { concepts: ["", " login ", "login", "expiry"], files: [" ", "a.ts", "a.ts"] };
    const seen = { id: "obs_a", type: "decision", title: "Links expire", timestamp: "2026-01-01", ...lists };
    const tagged = { id: "act_a", title: "Renew links", tags: ["", " ops", "ops"], createdAt: "2026-01-01" };
    await http.ok(importStore, {
      exportData: {
        version: "0.1.0",
        memories: [{ ...memoryInFile, ...lists }],
        observations: { s1: [seen] },
        actions: [tagged],
      },
    });
    const { memories, observations, actions } = await exported(http);
    const cleaned = { concepts: ["login", "expiry"], files: ["a.ts"] };
    expect([memories[0], observations.s1?.[0]]).toMatchObject([cleaned, cleaned]);
    expect(actions).toMatchObject([{ tags: ["ops"] }]);
  });

  test("takes no relation of a memory to itself, and an action that is its own parent without one", async () => {
    const createdAt = "2026-01-01";
    const { warnings } = await http.ok(importStore, {
      exportData: {
        version: "0.1.0",
        memories: [memoryInFile],
        relations: [{ id: "rel_a", type: "related", sourceId: "mem_a", targetId: "mem_a", createdAt }],
        actions: [{ id: "act_a", title: "Renew links", parentId: "act_a", createdAt }],
      },
    });
    const store = await exported(http);
    expect(store).toMatchObject({ relations: [], actions: [{ id: "act_a" }] });
    expect(store).not.toHaveProperty("actions.0.parentId");
    expect(warnings).toContain("relations: a relation of a memory to itself was left out");
    expect(warnings).toContain("actions: an action that is its own parent was taken without one");
  });

  test("takes a blank project for none, so that its memories are recalled in every project", async () => {
    const createdAt = "2026-01-01";
    await http.ok(importStore, {
      exportData: {
        version: "0.1.0",
        memories: [{ ...memoryInFile, content: "links expire after a day", project: "" }],
        lessons: [{ id: "lsn_a", content: "expire links early", project: " ", createdAt }],
      },
    });
    const { memories, lessons } = await exported(http);
    expect([memories[0], lessons]).toEqual([
      expect.not.objectContaining({ project: expect.anything() }),
      [expect.not.objectContaining({ project: expect.anything() })],
    ]);
    const { results } = await http.ok(smartSearch, {
      query: "links expire",
      project: "shop",
      includeLessons: true,
    });
    expect(results.map(({ obsId }) => obsId).toSorted()).toEqual(["lsn_a", "mem_a"]);
  });

  test("leaves out what has no words, and names a commit's session once", async () => {
    const createdAt = "2026-01-01";
    const { warnings } = await http.ok(importStore, {
      exportData: {
        version: "0.1.0",
        sessions: [{ id: "s1", project: "p", startedAt: createdAt }],
        commits: [{ sha: "abcdef1", linkedAt: createdAt, sessionIds: ["s1", "s1"] }],
        memories: [memoryInFile, { ...memoryInFile, id: "mem_b", content: " " }],
        lessons: [{ id: "lsn_a", content: " \n", createdAt }],
        insights: [{ id: "ins_a", content: "", createdAt }],
        semanticMemories: [{ id: "sem_a", fact: " ", createdAt }],
        proceduralMemories: [{ id: "prc_a", name: " ", steps: ["x"], createdAt }],
        crystals: [{ id: "cry_a", narrative: " ", createdAt }],
        facets: [
          { id: "fct_a", targetId: "mem_a", targetType: "memory", dimension: " ", value: "x", createdAt },
        ],
      },
    });
    expect(await exported(http)).toMatchObject({
      sessions: [{ commitShas: ["abcdef1"] }],
      memories: [{ id: "mem_a" }],
      lessons: [],
      insights: [],
      semanticMemories: [],
      proceduralMemories: [],
      crystals: [],
      facets: [],
    });
    expect(warnings.toSorted()).toEqual([
      "crystals: one without words was left out",
      "facets: a blank facet was left out",
      "insights: one without words was left out",
      "lessons: one without words was left out",
      "memories: one without words was left out",
      "proceduralMemories: one without words was left out",
      "semanticMemories: one without words was left out",
    ]);
  });

  test("leaves out a slot whose label nobody could ask for, with a warning", async () => {
    const slot = { content: "no deploys on Friday", createdAt: "2026-01-01" };
    const slots = ["Team Rules", "team_rules"].map((label) => ({ ...slot, label }));
    const { warnings } = await http.ok(importStore, { exportData: { version: "0.1.0", slots } });
    expect((await exported(http)).slots).toMatchObject([{ label: "team_rules" }]);
    expect(warnings).toEqual([
      "slots: a slot was left out whose label nobody could ask for, or delete it by",
    ]);
  });

  test("creates a session for observations without one, from the first to the last of them", async () => {
    const observation = (id: string, timestamp: string) => ({ id, timestamp, title: id });
    const exportData = {
      observations: {
        s1: [
          observation("o1", "2026-01-01T00:05:00Z"),
          observation("o2", "2026-01-01T00:01:00Z"),
          observation("o3", "2026-01-01T00:09:00Z"),
        ],
      },
    };
    const { warnings } = await http.ok(importStore, { exportData });
    expect(warnings).toContain("observations: a session that they name is unknown and was made");
    const data = await exported(http);
    expect(data.sessions).toMatchObject([
      {
        status: "completed",
        startedAt: "2026-01-01T00:01:00.000Z",
        endedAt: "2026-01-01T00:09:00.000Z",
        observationCount: 3,
      },
    ]);
    await other.ok(importStore, { exportData: data });
    expect((await exported(other)).sessions).toEqual(data.sessions);
  });

  test("drops a memory's supersedes link to itself, refuses one that is too long, and cuts its title", async () => {
    const self = { ...memoryInFile, parentId: "mem_a", supersedes: ["mem_a", "mem_older"] };
    const answer = await http.ok(importStore, { exportData: { version: "0.1.0", memories: [self] } });
    expect(answer.warnings).toContain("memories: a memory that supersedes itself was taken without that");
    const [kept] = (await exported(http)).memories;
    expect(kept).toMatchObject({ id: "mem_a", parentId: "mem_older", supersedes: ["mem_older"] });

    const ofLength = (length: number, mark = "") => ({
      exportData: { version: "0.1.0", memories: [{ ...memoryInFile, content: mark + "é".repeat(length) }] },
    });
    const long = await http.reply(importStore, ofLength(100_001));
    expect([long.status, long.body.issues]).toEqual([
      400,
      [{ path: "exportData.memories.0.content", message: "must be at most 100000 characters" }],
    ]);
    const { title, content } = { title: "é".repeat(301), content: "links expire" };
    await http.ok(importStore, {
      exportData: { memories: [{ ...memoryInFile, id: "mem_t", title, content }] },
    });
    const titled = (await exported(http)).memories.find(({ id }) => id === "mem_t");
    expect(titled).toMatchObject({ title: `${"é".repeat(299)}…`, content });
    // The mark may have replaced a secret that was shorter than the mark.
    await http.ok(importStore, ofLength(99_999, "[REDACTED_SECRET]"));
  });

  test.each([
    [
      "a wrong type",
      { memories: [memoryInFile, { ...memoryInFile, isLatest: "yes" }] },
      "exportData.memories.1.isLatest",
    ],
    [
      "a missing field",
      { sessions: [{ id: "s", startedAt: "2026-01-01" }] },
      "exportData.sessions.0.project",
    ],
    [
      "a bad time",
      { memories: [{ ...memoryInFile, createdAt: "yesterday" }] },
      "exportData.memories.0.createdAt",
    ],
    [
      "a bad time of capture",
      { memories: [{ ...memoryInFile, origin: { channel: "user", capturedAt: "yesterday" } }] },
      "exportData.memories.0.origin.capturedAt",
    ],
    [
      "a blank project of a session",
      { sessions: [{ id: "s", startedAt: "2026-01-01", project: " " }] },
      "exportData.sessions.0.project",
    ],
    ["a list that is none", { memories: { a: 1 } }, "exportData.memories"],
    ["observations in a list", { observations: [] }, "exportData.observations"],
    ["a row that is none", { memories: ["text"] }, "exportData.memories.0"],
    [
      "an observation",
      { observations: { s1: [{ id: 5, timestamp: "2026-01-01" }] } },
      "exportData.observations.s1.0.id",
    ],
  ])(
    "with %s is refused with the path of the fault, and changes nothing",
    async (_what, exportData, path) => {
      await http.ok(importStore, { exportData: { memories: [{ ...memoryInFile, id: "mem_0" }] } });
      const before = await dumpStore(http);
      const reply = await http.reply(importStore, { exportData });
      expect(reply.status).toBe(400);
      expect(reply.body.issues).toMatchObject([{ path }]);
      expect(await dumpStore(http)).toBe(before);
      expect(readdirSync(http.home).filter((name) => name.startsWith("import-"))).toEqual([]);
    },
  );

  test.each([
    ["no export in it", "{}"],
    ["an export that is none", '{"exportData": 5}'],
    ["an unknown strategy", '{"exportData":{},"strategy":"burn"}'],
    ["an array", "[]"],
    ["text", '"exportData"'],
    ["an end in the middle", '{"exportData":{"memories":[{"id":"a","content":"b"'],
    ["an end after a row", '{"exportData":{"memories":[{"id":"a","content":"b","createdAt":"2026-01-01"}]'],
    ["brackets that do not match", '{"exportData":{"memories":[}}}'],
    ["a missing comma", '{"exportData":{} "strategy":"skip"}'],
    ["something behind it", '{"exportData":{}} x'],
    ["a collection given twice", '{"exportData":{"memories":[],"memories":[]}}'],
    ["no UTF-8", new Uint8Array([...Buffer.from('{"exportData":{"version":"'), 0xff, ...Buffer.from('"}}')])],
    ["rows nested too deep", `{"exportData":{"memories":[{"id":${"[".repeat(70)}${"]".repeat(70)}}]}}`],
  ])("with %s is a 400", async (_what, body) => {
    const before = await dumpStore(http);
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect([reply.status, typeof reply.body.error]).toEqual([400, "string"]);
    expect(await dumpStore(http)).toBe(before);
  });

  test("with faults in several collections reports them in file order, and stores nothing", async () => {
    const before = await dumpStore(http);
    const exportData = {
      version: "1",
      memories: [memoryInFile, { ...memoryInFile, id: 7 }],
      sessions: [{ id: "s1", project: "/w/shop", startedAt: "2026-01-01T00:00:00Z" }, { id: "s2" }],
    };
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ exportData }),
    });
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([
      { path: "exportData.memories.1.id" },
      { path: "exportData.sessions.1.project" },
      { path: "exportData.sessions.1.startedAt" },
    ]);
    expect(await dumpStore(http)).toBe(before);
  });

  test("of another content type is a 415, before its query is checked", async () => {
    const headers = { "content-type": "text/plain" };
    for (const query of [{}, { dryRun: "maybe" }]) {
      expect((await http.send("/import", { method: "POST", query, headers, body: "{}" })).status).toBe(415);
    }
  });

  test("over the size limit is a 413, with or without a declared length", async () => {
    const small = await openTestHttp({ env: { MEMSVC_MAX_IMPORT_BYTES: "1024" } });
    const body = JSON.stringify({
      exportData: { memories: [{ ...memoryInFile, content: "x".repeat(2_000) }] },
    });
    const headers = { "content-type": "application/json" };
    const stream = new Blob([body]).stream();
    expect((await small.send("/import", { method: "POST", headers, body: stream })).status).toBe(413);
    const told = { ...headers, "content-length": String(body.length) };
    expect((await small.send("/import", { method: "POST", headers: told, body })).status).toBe(413);
    expect((await small.ok(listMemories, {})).total).toBe(0);
    await small.close();
  });

  test("keeps a key named __proto__ as data", async () => {
    const body = `{"exportData":{"sessions":[{"id":"__proto__","project":"p","startedAt":"2026-01-01"}],
      "observations":{"__proto__":[{"id":"o1","timestamp":"2026-01-01","title":"t","raw":{"data":{"__proto__":{"x":1}}}}]}}}`;
    const reply = await http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(reply.body).toMatchObject({ sessions: 1, observations: 1 });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect((await http.send("/export")).text).toContain('"__proto__":{"x":1}');
  });
});
