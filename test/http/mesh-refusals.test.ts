import { afterEach, beforeEach, expect, test } from "vitest";
import { listMemories } from "../../src/knowledge/memories/operations.ts";
import { addPeer, listPeers, receiveRows, syncMesh } from "../../src/sharing/mesh/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { openPeerServer, type PeerServer } from "../support/peer-server.ts";

/* What a mesh exchange does with rows that cannot be stored, because of the row or because of the store. */

const env = { MEMSVC_SECRET: "a-secret-of-the-mesh", MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1" };
const createdAt = "2026-02-01T00:00:00.000Z";
const exportedAt = "2026-02-02T00:00:00.000Z";
const memories = ["m1", "m2", "m3"].map((id) => ({
  id,
  content: `of ${id} ${"till ".repeat(2_000)}`,
  createdAt,
}));

const http = forEachTest(() => openTestHttp({ env, authorized: true }));
let peer: PeerServer;
let asked: (string | null)[];
beforeEach(async () => {
  asked = [];
  peer = await openPeerServer((request, response) => {
    asked.push(new URL(request.url ?? "", "http://x").searchParams.get("since"));
    response.end(JSON.stringify({ exportedAt, memories }));
  });
  await http.ok(addPeer, { url: peer.url, name: "office" });
});
afterEach(() => peer.close());

const stored = async () => {
  const answer = await http.ok(listMemories, {});
  return "memories" in answer ? answer.memories.map(({ id }) => id).sort() : [];
};

test("a row that conflicts with stored ones is rejected alone and reported", async () => {
  await http.writeSql(`CREATE TRIGGER refused BEFORE INSERT ON memories WHEN NEW.id = 'm2'
    BEGIN SELECT RAISE(ABORT, 'not this one'); END`);
  expect(await http.ok(receiveRows, { memories })).toEqual({
    accepted: 2,
    skipped: 0,
    rejected: 1,
    issues: [{ path: "memories.m2", message: "conflicts with what is stored here" }],
  });
  expect(await stored()).toEqual(["m1", "m3"]);
});

test("a full store takes no row, and asks for all of them again", async () => {
  const allowPages = (most: number) => http.writeSql(`PRAGMA max_page_count = ${most}`);
  const pull = () => http.ok(syncMesh, { direction: "pull" });
  // SQLite rounds this up to the pages that the file has.
  await allowPages(1);
  expect(await pull()).toMatchObject({
    results: [{ pulled: 0, rejected: 0, errors: [expect.stringMatching(/no space left/u)] }],
  });
  await allowPages(1_000_000);
  expect((await http.ok(listPeers, {})).peers).toMatchObject([{ status: "error" }]);
  expect(await pull()).toMatchObject({ results: [{ pulled: 3, rejected: 0, errors: [] }] });
  expect(asked).toEqual([null, null]);
  expect(await stored()).toEqual(["m1", "m2", "m3"]);
});

test("a store that fills up midway says how many rows it kept, and takes the rest later", async () => {
  const few = Array.from({ length: 1_000 }, (_, at) => ({
    id: `few${at}`,
    content: `number ${at}`,
    createdAt,
  }));
  const many = Array.from({ length: 200 }, (_, at) => ({
    id: `many${at}`,
    content: `number ${at} ${"till ".repeat(10_000)}`,
    createdAt,
  }));
  const [[pages] = [0]] = await http.core.ground.store.read.sql.values("PRAGMA page_count");
  await http.writeSql(`PRAGMA max_page_count = ${Number(pages) + 1_500}`);
  const { status, body } = await http.reply(receiveRows, { memories: [...few, ...many] });
  expect(status).toBe(500);
  expect(body).toMatchObject({ error: expect.stringMatching(/no space left .*; 1000 of the rows were/u) });
  expect((await stored()).length).toBe(1_000);
  await http.writeSql("PRAGMA max_page_count = 1000000");
  expect(await http.ok(receiveRows, { memories: [...few, ...many] })).toMatchObject({
    accepted: 200,
    skipped: 1_000,
  });
});

test("MEMSVC_REQUIRE_HTTPS forbids http to a host name that only looks like a loopback address", async () => {
  const host = "127.peer.invalid";
  const only = { MEMSVC_REQUIRE_HTTPS: "1", MEMSVC_MESH_ALLOW_PRIVATE: host };
  const strict = await openTestHttp({ env: { ...env, ...only }, authorized: true });
  try {
    await strict.ok(addPeer, { url: `http://${host}`, name: "office" });
    expect(await strict.ok(syncMesh, {})).toMatchObject({
      results: [{ errors: ["MEMSVC_REQUIRE_HTTPS forbids sending the secret to it over http"] }],
    });
  } finally {
    await strict.close();
  }
});
