import { afterEach, expect, test } from "vitest";
import { forget, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { addPeer, exportRows, listPeers, receiveRows, syncMesh } from "../../src/sharing/mesh/operations.ts";
import { dumpStore, type TestHttp } from "../support/http.ts";
import { meshPlaces, synced } from "../support/mesh-stores.ts";

const { close, odd, open } = meshPlaces();
afterEach(close);

/** A peer that is told what was asked for, or what it is given. */
function peer(
  answer: (asked: Readonly<Record<string, string>>, given: string) => Promise<unknown>,
): Promise<string> {
  return odd(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://x");
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    response.end(JSON.stringify(await answer(Object.fromEntries(searchParams), text)));
  });
}

const pulled = (http: TestHttp) => synced(http, { direction: "pull" });

const createdAt = "2026-02-01T00:00:00.000Z";
const counted = (count: number) => Array.from({ length: count }, (_, at) => String(at).padStart(4, "0"));

/** More rows of some kinds than one page of a table has. */
const rows = {
  memories: counted(1_100).map((at) => ({ id: `a${at}`, content: `${at} of the till`, createdAt })),
  actions: counted(10).map((at) => ({ id: `act${at}`, title: at, createdAt })),
  actionEdges: [
    { id: "aed1", type: "requires", sourceActionId: "act0001", targetActionId: "act0009", createdAt },
  ],
  relations: [{ id: "rel1", type: "related", sourceId: "a0001", targetId: "a1099", createdAt }],
  graphNodes: counted(600).map((at) => ({ id: `n${at}`, type: "concept", name: `thing ${at}`, createdAt })),
  graphEdges: counted(599).map((at) => ({
    id: `e${at}`,
    type: "uses",
    sourceNodeId: `n${at}`,
    targetNodeId: "n0599",
    createdAt,
  })),
  tombstones: counted(1_100).map((id) => ({ kind: "memory", id: `gone${id}`, deletedAt: createdAt })),
};

function sizes(body: Readonly<Record<string, unknown>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, all]) => (Array.isArray(all) ? [[name, all.length]] : [])),
  );
}

test("sync pulls a peer's rows in pages, and keeps relations and edges across pages", async () => {
  const [a, b] = [await open({ MEMSVC_MAX_IMPORT_BYTES: "300000" }), await open()];
  expect(await b.ok(receiveRows, rows)).toMatchObject({ rejected: 0, skipped: 0 });
  const asked: Readonly<Record<string, string>>[] = [];
  let size = 0;
  const url = await peer(async (query) => {
    asked.push(query);
    const page = await b.reply(exportRows, { ...query, pageBytes: 1 });
    size += page.text.length;
    // What is deleted and written meanwhile, even where a page ended, keeps nothing else from coming.
    if (asked.length === 1) await b.ok(forget, { memoryId: "a0499" });
    if (asked.length === 2) await b.ok(remember, { content: "written meanwhile" });
    b.advance(1_000);
    return page.body;
  });
  await a.ok(addPeer, { url, name: "b" });
  expect(await pulled(a)).toMatchObject([{ rejected: 0, errors: [] }]);
  expect(size).toBeGreaterThan(300_000);
  expect(asked.length).toBeGreaterThan(9);
  expect(asked[0]).toMatchObject({ pageBytes: expect.any(String) });
  const [there, here] = [await b.ok(exportRows, {}), await a.ok(exportRows, {})];
  expect(sizes(here)).toEqual(sizes(there));
  expect(sizes(here)).toMatchObject({ actionEdges: 1, relations: 1, graphNodes: 600, graphEdges: 599 });
  expect(await a.ok(listMemories, { count: true })).toMatchObject({ total: 1_100 });
  expect(here.actions?.find(({ id }) => id === "act0001")).toMatchObject({ status: "blocked" });
  await pulled(a);
  // What was written between the pages is asked for again: it may have stood before the place that was reached.
  expect(asked.at(-1)).toMatchObject({ since: "2026-03-01T12:00:00.000Z" });
});

test("sync pushes rows in several bodies, graph edges always together with nodes", async () => {
  const [a, b] = [await open(), await open()];
  const properties = { note: "till ".repeat(1_000) };
  const graphEdges = rows.graphEdges.map((edge) => ({ ...edge, properties }));
  expect(await a.ok(receiveRows, { ...rows, graphEdges })).toMatchObject({ rejected: 0, skipped: 0 });
  // The peer has the same nodes under ids of its own.
  await b.ok(receiveRows, { graphNodes: rows.graphNodes.map((node) => ({ ...node, id: `own-${node.id}` })) });
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const url = await peer(async (_asked, text) => {
    bodies.push(JSON.parse(text));
    return (await b.reply(receiveRows, bodies.at(-1) ?? {})).body;
  });
  await a.ok(addPeer, { url, name: "b" });
  expect(await synced(a, { direction: "push" })).toMatchObject([{ rejected: 0, errors: [] }]);
  const withEdges = bodies.map(sizes).filter(({ graphEdges }) => graphEdges !== undefined);
  expect(withEdges.length).toBeGreaterThan(1);
  expect(withEdges.every(({ graphNodes = 0 }) => graphNodes > 0)).toBe(true);
  const arrived = await b.ok(exportRows, {});
  expect(sizes(arrived)).toEqual(sizes(await a.ok(exportRows, {})));
  expect(sizes(arrived)).toMatchObject({ actionEdges: 1, relations: 1, graphNodes: 600, graphEdges: 599 });
  expect(arrived.actions?.find(({ id }) => id === "act0001")).toMatchObject({ status: "blocked" });
  a.advance(1_000);
  expect(await synced(a, { direction: "push" })).toMatchObject([{ pushed: 0, errors: [] }]);
});

test("a peer that shares only graph edges is sent no graph nodes", async () => {
  const a = await open();
  await a.ok(receiveRows, { graphNodes: rows.graphNodes, graphEdges: rows.graphEdges });
  const given: Record<string, number>[] = [];
  const url = await peer(async (_asked, text) => {
    given.push(sizes(JSON.parse(text)));
    return { accepted: 0, skipped: 0, rejected: 0, issues: [] };
  });
  await a.ok(addPeer, { url, name: "b", sharedScopes: ["graph:edges"] });
  expect(await synced(a, { direction: "push" })).toMatchObject([{ errors: [] }]);
  expect(given).toEqual([{ graphEdges: 599, tombstones: 0 }]);
});

test("a dry run of sync counts pushed, pulled and deleted rows in one call and changes nothing", async () => {
  const [a, b] = [await open(), await open()];
  await a.ok(receiveRows, rows);
  const { memoryId } = await a.ok(remember, { content: "known to both" });
  await b.ok(receiveRows, await a.ok(exportRows, { scopes: "memories" }));
  b.advance(1_000);
  await b.ok(forget, { memoryId });
  for (const content of ["known to b", "what else b knows"])
    await b.ok(remember, { content, project: "/w/shop" });
  const calls: Readonly<Record<string, string>>[] = [];
  const url = await peer(async (query) => {
    calls.push(query);
    return (await b.reply(exportRows, query)).body;
  });
  await a.ok(addPeer, { url, name: "b" });
  const [present, { peers }] = [await dumpStore(a), await a.ok(listPeers, {})];
  const given = Object.values(sizes(await a.ok(exportRows, {}))).reduce((sum, size) => sum + size, 0);
  const both = { results: [{ pushed: given, pulled: 3, deleted: 1, rejected: 0, errors: [] }], dryRun: true };
  expect(await a.ok(syncMesh, { dryRun: true })).toMatchObject(both);
  expect(calls).toHaveLength(1);
  expect([await dumpStore(a), (await a.ok(listPeers, {})).peers]).toEqual([present, peers]);
  expect(await pulled(a)).toMatchObject([{ pulled: 3, deleted: 1 }]);
  // What the dry run learned of the project's name was not kept, and is learned now.
  expect(await a.ok(listMemories, { project: "shop", count: true })).toMatchObject({ total: 2 });
});

test("a peer whose clock was set back is asked for everything again, then for what is newer", async () => {
  const a = await open();
  const asked: (string | undefined)[] = [];
  const clock = ["2026-03-01T12:00:00.000Z", "2026-03-01T10:00:00.000Z", "2026-03-01T10:30:00.000Z"];
  const url = await peer(async ({ since }) => {
    asked.push(since);
    return { exportedAt: clock[asked.length - 1] };
  });
  await a.ok(addPeer, { url, name: "b", sharedScopes: ["memories"] });
  for (let pull = 0; pull < 4; pull += 1) await pulled(a);
  expect(asked).toEqual([undefined, clock[0], "1970-01-01T00:00:00.000Z", clock[2]]);
});

test("an exported page says where the next begins, if there is one, and a wrong place is a 400", async () => {
  const b = await open();
  await b.ok(receiveRows, rows);
  const first = await b.ok(exportRows, { scopes: "memories", pageBytes: 1 });
  expect(sizes(first)).toEqual({ memories: 500 });
  const { next } = await b.ok(exportRows, { scopes: "memories", pageBytes: 200_000_000 });
  expect(next).toBeUndefined();
  const rest = await b.ok(exportRows, { scopes: "memories", after: String(first.next) });
  expect(sizes(rest)).toEqual({ memories: 600, tombstones: 1_100 });
  const other = await b.ok(exportRows, { scopes: "relations", after: String(first.next) });
  expect(sizes(other)).toEqual({ relations: 1, tombstones: 0 });
  for (const fields of [{ after: "nowhere" }, { after: btoa('["sessions","x"]') }, { pageBytes: 0 }])
    expect((await b.reply(exportRows, fields)).status).toBe(400);
});

test.each([
  ["at one place", ["here"]],
  ["between two", ["here", "there"]],
])("a peer whose pages repeat %s is reported, and nothing of it is stored", async (_how, places) => {
  const a = await open();
  const memories = [{ id: "m1", content: "again and again", createdAt }];
  let calls = 0;
  const url = await peer(async () => ({ memories, next: places[calls++ % places.length] }));
  await a.ok(addPeer, { url, name: "odd" });
  expect(await pulled(a)).toMatchObject([{ pulled: 0, errors: ["the peer does not answer like memsvc"] }]);
  expect(await a.ok(listMemories, { count: true })).toMatchObject({ total: 0 });
});

test.each([
  ["much on each", () => 80, 25],
  // After the full ones less than a sixth of what may come is left, which takes fewer pages to use up.
  ["next to nothing after fifteen full ones", (call: number) => (call <= 15 ? 95 : 0), 560],
])(
  "a peer whose pages never end, with %s, is reported at the size limit",
  async (_how, rowsOn, mostCalls) => {
    const a = await open({ MEMSVC_MAX_IMPORT_BYTES: "100000" });
    let calls = 0;
    const url = await peer(async () => {
      calls += 1;
      const ids = counted(rowsOn(calls)).map((at) => `m${calls}-${at}`);
      const memories = ids.map((id) => ({ id, content: `${id} ${"again ".repeat(150)}`, createdAt }));
      return { memories, next: `place ${calls}` };
    });
    const { peer: added } = await a.ok(addPeer, { url, name: "endless" });
    const reason = "the peer's answers take more than 1600000 bytes together";
    expect(await pulled(a)).toMatchObject([{ pulled: 0, errors: [expect.stringContaining(reason)] }]);
    expect(calls).toBeLessThanOrEqual(mostCalls);
    expect(await a.ok(listMemories, { count: true })).toMatchObject({ total: 0 });
    expect((await a.ok(listPeers, {})).peers).toMatchObject([{ id: added.id, status: "error" }]);
  },
);
