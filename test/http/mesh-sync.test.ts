import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createAction } from "../../src/coordination/actions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { httpApp } from "../../src/http/app.ts";
import { BackgroundWork } from "../../src/http/background-work.ts";
import { type Listener, listen } from "../../src/http/listen.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { forget, getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { addPeer, exportRows, listPeers, receiveRows, syncMesh } from "../../src/sharing/mesh/operations.ts";
import { hourMs } from "../../src/time/durations.ts";
import type { TestHttp } from "../support/http.ts";
import { meshPlaces, synced } from "../support/mesh-stores.ts";

const { close, closing, odd, open } = meshPlaces({ MEMSVC_SERVICE_NAME: "laptop" });
afterEach(close);

/** Serves a store on the loopback address, as the daemon does. */
async function served(http: TestHttp): Promise<string> {
  let listener: Listener | undefined;
  const app = httpApp({ core: http.core, ports: () => ({ api: listener?.port ?? 0, viewer: null }) });
  listener = await listen(app.fetch, "127.0.0.1", 0, () => undefined);
  const { port } = listener;
  closing.push(async () => listener?.close(100));
  return `http://127.0.0.1:${port}`;
}

async function contents(http: TestHttp): Promise<string[]> {
  const answer = await http.ok(listMemories, {});
  return "memories" in answer ? answer.memories.map(({ content }) => content).sort() : [];
}

describe("two mesh peers", () => {
  test("have the same memories and actions after a sync, also deletions; the next moves nothing", async () => {
    const [a, b] = [await open(), await open()];
    const url = await served(b);
    const { peer } = await a.ok(addPeer, { url, name: "office" });
    const { memoryId } = await a.ok(remember, { content: "of a", project: "shop" });
    await a.ok(createAction, { title: "count the till" });
    await b.ok(remember, { content: "something of b" });
    const [first] = await synced(a);
    expect(first).toEqual({
      peerId: peer.id,
      peerName: "office",
      pushed: 2,
      pulled: 1,
      rejected: 0,
      errors: [],
    });
    expect(await contents(a)).toEqual(["of a", "something of b"]);
    expect(await contents(b)).toEqual(await contents(a));
    expect((await b.ok(exportRows, { scopes: "actions" })).actions).toMatchObject([
      { title: "count the till" },
    ]);
    const { memory } = await b.ok(getMemory, { id: memoryId });
    expect(memory.origin).toMatchObject({ channel: "shared", detail: expect.stringMatching(/^laptop@/u) });
    expect((await a.ok(listPeers, {})).peers).toMatchObject([
      { status: "connected", lastSyncAt: "2026-03-01T12:00:00.000Z" },
    ]);
    for (const http of [a, b]) http.advance(1_000);
    expect(await synced(a)).toMatchObject([{ pushed: 0, pulled: 0, errors: [] }]);
    await b.ok(forget, { memoryId });
    for (const http of [a, b]) http.advance(1_000);
    expect(await synced(a, { peerId: peer.id, direction: "pull", scopes: ["memories"] })).toMatchObject([
      { pushed: 0, pulled: 1 },
    ]);
    expect(await contents(a)).toEqual(["something of b"]);
    const { entries } = await a.ok(listAudit, { operation: "mesh_sync" });
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      targetIds: [peer.id],
      details: { direction: "pull", jobId: expect.stringMatching(/^job_/u) },
    });
    expect((await a.ok(listAudit, { operation: "mesh_receive" })).total).toBe(0);
  });

  test("exchange only the shared scopes and the project of the filter", async () => {
    const [a, b] = [await open(), await open()];
    const url = await served(b);
    await a.ok(addPeer, { url, name: "b", sharedScopes: ["memories"], syncFilter: { project: "shop" } });
    await a.ok(remember, { content: "in the shop", project: "shop" });
    await a.ok(remember, { content: "not in the shop", project: "till" });
    await a.ok(createAction, { title: "count", project: "shop" });
    await b.ok(remember, { content: "also in the shop", project: "/w/shop" });
    await b.ok(remember, { content: "of nobody" });
    expect(await synced(a)).toMatchObject([{ pushed: 1, pulled: 1 }]);
    expect(await contents(a)).toEqual(["also in the shop", "in the shop", "not in the shop"]);
    expect((await b.ok(exportRows, {})).actions).toEqual([]);
    expect(await synced(a, { scopes: ["actions"] })).toMatchObject([
      { pushed: 0, pulled: 0, errors: ["none of these scopes is shared with it"] },
    ]);
  });

  test("miss nothing when one scope was synced later than another", async () => {
    const [a, b] = [await open(), await open()];
    await a.ok(addPeer, { url: await served(b), name: "b" });
    expect(await synced(a, { scopes: ["memories"] })).toMatchObject([{ errors: [] }]);
    for (const http of [a, b]) http.advance(1_000);
    await a.ok(remember, { content: "of a, in between" });
    await b.ok(remember, { content: "meanwhile at b" });
    for (const http of [a, b]) http.advance(1_000);
    expect(await synced(a, { scopes: ["actions"] })).toMatchObject([{ pushed: 0, pulled: 0 }]);
    expect(await synced(a, { scopes: ["memories", "actions"] })).toMatchObject([{ pushed: 1, pulled: 1 }]);
    expect(await contents(a)).toEqual(["meanwhile at b", "of a, in between"]);
    expect(await contents(b)).toEqual(await contents(a));
  });

  test("sync by timer with MEMSVC_MESH_INTERVAL_MS", async () => {
    const [a, b] = [await open({ MEMSVC_MESH_INTERVAL_MS: "60000" }), await open()];
    await a.ok(addPeer, { url: await served(b), name: "b" });
    await b.ok(remember, { content: "of b" });
    const timer = (http: TestHttp) => sweeps(http.core).find(({ kind }) => kind === "sweep.mesh");
    expect(timer(b)).toBeUndefined();
    expect(timer(a)?.repeats).toEqual({ everyMs: 60_000, firstAfterMs: 60_000 });
    const run = () => timer(a)?.run({ id: "job_1", kind: "sweep.mesh", key: "", payload: {}, attempts: 1 });
    await run();
    expect(await contents(a)).toEqual(["of b"]);
    // A sync that moves nothing is not audited, or the audit would grow every day.
    a.advance(60_000);
    await run();
    expect((await a.ok(listAudit, { operation: "mesh_sync" })).total).toBe(1);
  });

  test("drop arrival records after half a year, and still send old rows to peers that lack them", async () => {
    const a = await open();
    const dayMs = 24 * 60 * 60_000;
    const memory = (id: string) => ({ id, content: `of ${id}`, createdAt: "2020-01-01T00:00:00Z" });
    const given = async (sinceMs: number) => {
      const { memories = [] } = await a.ok(exportRows, { since: new Date(sinceMs).toISOString() });
      return memories.map(({ id }) => id).sort();
    };
    const startedAt = a.core.ground.now();
    await a.ok(receiveRows, { memories: [memory("old"), memory("older")] });
    a.advance(100 * dayMs);
    await a.ok(receiveRows, { memories: [memory("new")] });
    a.advance(81 * dayMs);
    const sweep = sweeps(a.core).find(({ kind }) => kind === "sweep.tombstones");
    await sweep?.run({ id: "job_1", kind: "sweep.tombstones", key: "", payload: {}, attempts: 1 });
    const noted = await a.core.ground.store.read.sql.values("SELECT kind, id FROM mesh_arrivals ORDER BY id");
    expect(noted).toEqual([
      ["*", "*"],
      ["memory", "new"],
    ]);
    expect(await given(startedAt)).toEqual(["new", "old", "older"]);
    expect(await given(startedAt + dayMs)).toEqual(["new"]);
    expect(await given(startedAt + 101 * dayMs)).toEqual([]);
  });

  test("answer 202 once the sync wait is over, while a caller in process waits to the end", async () => {
    let letAnswer = () => {};
    const mayAnswer = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    const slow = await odd(async (_request, response) => {
      await mayAnswer;
      response.writeHead(500).end();
    });
    const a = await open({ MEMSVC_SYNC_WAIT_MS: "0" });
    await a.ok(addPeer, { url: slow, name: "slow" });
    expect((await a.reply(syncMesh, {})).status).toBe(202);
    letAnswer();
    expect(await a.core.call(syncMesh, {}, { face: "library" })).toMatchObject({
      results: [{ errors: [expect.stringContaining("answered 500")] }],
    });
  });

  test("get what was written while a clock was behind, though it was right again before the next sync", async () => {
    const [a, b, pulling] = [await open(), await open(), await open()];
    await a.ok(addPeer, { url: await served(b), name: "office" });
    await pulling.ok(addPeer, { url: await served(a), name: "home" });
    const startAndStop = async () => (await BackgroundWork.start(a.core)).close();
    await startAndStop();
    for (const http of [a, pulling]) await synced(http);
    a.advance(-5 * hourMs);
    await startAndStop();
    await a.ok(remember, { content: "written before the time server answered" });
    for (const http of [a, b, pulling]) http.advance(6 * hourMs);
    expect(await synced(a)).toMatchObject([{ pushed: 1, errors: [] }]);
    expect(await synced(pulling, { direction: "pull" })).toMatchObject([{ pulled: 1, errors: [] }]);
    for (const http of [b, pulling]) expect(await contents(http)).toEqual(await contents(a));
  });

  test("pass on rows that came from a third", async () => {
    const [a, b, c] = [await open(), await open(), await open()];
    await b.ok(addPeer, { url: await served(a), name: "a" });
    await c.ok(addPeer, { url: await served(b), name: "b" });
    const { memoryId } = await a.ok(remember, { content: "of a" });
    for (const http of [a, b, c]) http.advance(60_000);
    await synced(c);
    for (const http of [a, b, c]) http.advance(60_000);
    await synced(b);
    expect(await synced(c)).toMatchObject([{ pulled: 1, errors: [] }]);
    expect((await c.ok(getMemory, { id: memoryId })).memory.origin?.detail).toBe("b");
  });
});

describe("a failing mesh peer", () => {
  const failures: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    [
      "has another secret",
      async () => served(await open({ MEMSVC_SECRET: "another-secret-of-mesh" })),
      /answered 401: unauthorized; both services need the same MEMSVC_SECRET/u,
    ],
    ["is not there", async () => "http://127.0.0.1:9", /could not be reached \(ECONNREFUSED\)/u],
    [
      "redirects",
      () => odd((_request, response) => response.writeHead(302, { location: "http://127.0.0.1:9" }).end()),
      /redirects elsewhere \(302\)/u,
    ],
    [
      "answers no JSON",
      () => odd((_request, response) => response.end("<html>")),
      /answer cannot be used: .*valid JSON/u,
    ],
    [
      "answers other JSON",
      () => odd((_request, response) => response.end('{"ok":[1]}')),
      /does not answer like memsvc/u,
    ],
    [
      "breaks off",
      () =>
        odd((_request, response) => {
          response.writeHead(200, { "content-length": "1000" });
          response.write('{"memories":[');
          setImmediate(() => response.destroy());
        }),
      /broke off/u,
    ],
    [
      "answers without end",
      () =>
        odd((_request, response) => {
          const more = () => {
            while (response.write(" ".repeat(65_536)));
          };
          response.on("drain", more);
          more();
        }),
      /longer than 200000 bytes/u,
    ],
    [
      "answers in an encoding",
      () => odd((_request, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x")),
      /encoding gzip/u,
    ],
  ];

  test.each(["push", "pull"])("that answers other JSON is reported by a %s alone", async (direction) => {
    const a = await open();
    await a.ok(remember, { content: "of a" });
    const url = await odd((request, response) => {
      request.resume().on("end", () => response.end('{"ok":[1]}'));
    });
    await a.ok(addPeer, { url, name: "odd" });
    const errors = ["the peer does not answer like memsvc"];
    expect(await synced(a, { direction })).toMatchObject([{ pushed: 0, pulled: 0, errors }]);
  });

  test.each(failures)(
    "that %s is reported, and other peers are still synced",
    async (_name, peer, reason) => {
      const a = await open({ MEMSVC_MAX_IMPORT_BYTES: "200000" });
      const b = await open();
      await b.ok(remember, { content: "of b" });
      await a.ok(addPeer, { url: await peer(), name: "bad" });
      a.advance(1_000);
      await a.ok(addPeer, { url: await served(b), name: "good" });
      const [bad, good] = await synced(a);
      expect(bad).toMatchObject({
        peerName: "bad",
        pushed: 0,
        pulled: 0,
        errors: [expect.stringMatching(reason)],
      });
      expect(good).toMatchObject({ peerName: "good", pulled: 1, errors: [] });
      const { peers } = await a.ok(listPeers, {});
      expect(peers.find(({ name }) => name === "bad")).toMatchObject({
        status: "error",
        lastError: expect.stringMatching(reason),
      });
      expect(await contents(a)).toEqual(["of b"]);
    },
  );

  test("that refuses later rows of a push gets all rows again with the next one", async () => {
    const bodies: Record<string, unknown[]>[] = [];
    let isWell = false;
    const url = await odd((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        bodies.push(JSON.parse(text));
        const isTaken = isWell || bodies.length === 1;
        const receipt = {
          accepted: bodies.at(-1)?.memories?.length ?? 0,
          skipped: 0,
          rejected: 0,
          issues: [],
        };
        response.writeHead(isTaken ? 200 : 507).end(JSON.stringify(receipt));
      });
    });
    const a = await open();
    await a.ok(addPeer, { url, name: "odd" });
    const createdAt = "2026-02-01T00:00:00.000Z";
    const long = "till ".repeat(14_000);
    await a.ok(receiveRows, {
      memories: Array.from({ length: 40 }, (_, at) => ({
        id: `m${at}`,
        content: `${at} ${long}`,
        createdAt,
      })),
    });
    const pushed = () => synced(a, { direction: "push" });
    expect(await pushed()).toMatchObject([{ pushed: 40, errors: ["the peer answered 507"] }]);
    isWell = true;
    expect(await pushed()).toMatchObject([{ pushed: 40, errors: [] }]);
    const [first, second, ...again] = bodies;
    expect([first?.memories?.length, first?.tombstones]).toEqual([40, undefined]);
    expect(second).toMatchObject({
      exportedAt: expect.any(String),
      actions: [],
      relations: [],
      tombstones: [],
    });
    expect(second).not.toHaveProperty("memories");
    expect(again).toEqual([first, second]);
  });

  test("cannot change scopes that are not shared with it", async () => {
    const a = await open();
    const { memoryId } = await a.ok(remember, { content: "mine" });
    const createdAt = "2026-02-01T00:00:00.000Z";
    const deletedAt = "2027-01-01T00:00:00.000Z";
    const rows = {
      actions: [{ id: "act_1", title: "count", createdAt }],
      memories: [{ id: "mem_1", content: "not asked for", createdAt }],
      tombstones: [
        { kind: "memory", id: memoryId, deletedAt },
        { kind: "action", id: "act_2", deletedAt },
      ],
    };
    const url = await odd((_request, response) => response.end(JSON.stringify(rows)));
    await a.ok(addPeer, { url, name: "odd", sharedScopes: ["actions"] });
    expect(await synced(a, { direction: "pull" })).toMatchObject([{ pulled: 2, rejected: 2, errors: [] }]);
    expect(await contents(a)).toEqual(["mine"]);
  });

  test("is asked for all rows and sent all rows after its clock or ours went back", async () => {
    const asked: (string | null)[] = [];
    let exportedAt = "2026-03-05T00:00:00.000Z";
    let given: unknown;
    const url = await odd((request, response) => {
      asked.push(new URL(request.url ?? "", "http://x").searchParams.get("since"));
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        given = request.method === "POST" ? JSON.parse(text).memories.length : given;
        const receipt = { accepted: 0, skipped: 0, rejected: 0, issues: [] };
        response.end(JSON.stringify(request.method === "POST" ? receipt : { exportedAt, memories: [] }));
      });
    });
    const a = await open();
    await a.ok(addPeer, { url, name: "odd" });
    await a.ok(remember, { content: "of a" });
    a.advance(60_000);
    await synced(a);
    a.advance(60_000);
    await synced(a);
    expect([asked[2], given]).toEqual(["2026-03-05T00:00:00.000Z", 0]);
    exportedAt = "2026-03-04T00:00:00.000Z";
    a.advance(-90_000);
    await synced(a);
    expect(given).toBe(1);
    await synced(a, { direction: "pull" });
    expect(asked.at(-1)).toBe("1970-01-01T00:00:00.000Z");
  });

  test("sync with an unknown peer is a 404, with an invalid direction or scope a 400", async () => {
    const a = await open();
    expect((await a.reply(syncMesh, { peerId: "peer_0" })).status).toBe(404);
    expect((await a.reply(syncMesh, { direction: "sideways" })).status).toBe(400);
    expect((await a.reply(syncMesh, { scopes: ["sessions"] })).status).toBe(400);
    expect(await synced(a)).toEqual([]);
    expect((await a.ok(listAudit, { operation: "mesh_sync" })).total).toBe(0);
  });
});

test("merged rows are the same in any order and however often they arrive", async () => {
  const [a, b] = [await open(), await open()];
  const times = fc.integer({ min: 1, max: 6 }).map((day) => `2026-02-0${day}T00:00:00.000Z`);
  const row = fc.record({
    name: fc.constantFrom("one", "two", "three"),
    updatedAt: times,
    isTombstone: fc.boolean(),
  });
  const body = fc.record({ memories: fc.array(row), semantic: fc.array(row), procedural: fc.array(row) });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 3 }), async (given) => {
      run += 1;
      const prefix = `run${run}-`;
      const bodies = given.map((one) => sending(one, prefix));
      for (const one of bodies) await a.ok(receiveRows, one);
      for (const one of [...bodies, ...bodies].reverse()) await b.ok(receiveRows, one);
      const [left, right] = [await standing(a, prefix), await standing(b, prefix)];
      expect(left).toEqual(right);
    }),
    { numRuns: 25 },
  );
  // And neither takes anything of all this from the other.
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const)
    expect(await to.ok(receiveRows, await from.ok(exportRows, {}))).toMatchObject({
      accepted: 0,
      rejected: 0,
    });
});

interface Change {
  readonly name: string;
  readonly updatedAt: string;
  readonly isTombstone: boolean;
}

/** The rows that a store with these changes would send; the text of a row says when it was changed. */
function sending(
  changes: Readonly<Record<"memories" | "semantic" | "procedural", readonly Change[]>>,
  prefix: string,
) {
  const rows = (of: readonly Change[], words: (text: string) => object) =>
    of
      .filter(({ isTombstone }) => !isTombstone)
      .map(({ name, updatedAt }) => ({
        id: prefix + name,
        createdAt: "2026-01-01T00:00:00.000Z",
        updatedAt,
        ...words(`${prefix} ${name} as of ${updatedAt}`),
      }));
  const kinds = { memories: "memory", semantic: "semantic", procedural: "procedural" } as const;
  return {
    memories: rows(changes.memories, (content) => ({ content })),
    semantic: rows(changes.semantic, (fact) => ({ fact })),
    procedural: rows(changes.procedural, (name) => ({ name, steps: ["look"] })),
    tombstones: Object.entries(changes).flatMap(([array, of]) =>
      of
        .filter(({ isTombstone }) => isTombstone)
        .map(({ name, updatedAt }) => ({
          kind: kinds[array as keyof typeof kinds],
          id: prefix + name,
          deletedAt: updatedAt,
        })),
    ),
  };
}

/** The rows of one run as they would be sent, without the time of the export. */
async function standing(http: TestHttp, prefix: string) {
  const { exportedAt: _at, ...rows } = await http.ok(exportRows, {});
  return Object.fromEntries(
    Object.entries(rows).map(([array, all]) => [
      array,
      Array.isArray(all) ? all.filter(({ id }) => String(id).startsWith(prefix)) : all,
    ]),
  );
}
