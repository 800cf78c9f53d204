import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import {
  addPeer,
  exportRows,
  listPeers,
  receiveRows,
  removePeer,
  syncMesh,
} from "../../src/sharing/mesh/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { type Body, env, meshStores } from "../support/mesh-stores.ts";

const { close, closing, open } = meshStores(() => http);
afterEach(close);

let http: TestHttp;
beforeEach(async () => {
  http = await open();
});

describe("mesh peers", () => {
  test("are registered with scopes and filter, and listed newest first", async () => {
    const reply = await http.reply(addPeer, { url: "http://127.0.0.1:4111/", name: " office " });
    expect(reply.status).toBe(201);
    expect(reply.body.peer).toEqual({
      id: expect.stringMatching(/^peer_[0-9a-z]{26}$/u),
      url: "http://127.0.0.1:4111",
      name: "office",
      status: "disconnected",
      sharedScopes: [
        "memories",
        "actions",
        "semantic",
        "procedural",
        "relations",
        "graph:nodes",
        "graph:edges",
      ],
      createdAt: "2026-03-01T12:00:00.000Z",
    });
    http.advance(1_000);
    const second = { url: "http://box.local/x", name: "box", sharedScopes: "relations,memories" };
    const { peer } = await http.ok(addPeer, { ...second, syncFilter: { project: "shop" } });
    expect(peer).toMatchObject({ sharedScopes: ["memories", "relations"], syncFilter: { project: "shop" } });
    const { peers, total } = await http.ok(listPeers, { limit: 1 });
    expect([peers.map(({ name }) => name), total]).toEqual([["box"], 2]);
    const { entries } = await http.ok(listAudit, { operation: "mesh_peer" });
    expect(entries.map(({ targetIds }) => targetIds)).toContainEqual([peer.id]);
    const twin = await http.reply(addPeer, { url: "http://BOX.local/x/", name: "twin" });
    expect([twin.status, twin.body.peerId]).toEqual([409, peer.id]);
  });

  test.each([
    ["http://box.local", "http://box.local/memsvc/"],
    ["http://box.local/memsvc", "http://box.local"],
  ])("count as one with and without the usual prefix: %s, then %s", async (first, second) => {
    const { peer } = await http.ok(addPeer, { url: first, name: "box" });
    const twin = await http.reply(addPeer, { url: second, name: "twin" });
    expect([twin.status, twin.body.peerId]).toEqual([409, peer.id]);
    const other = { ...peer, id: "peer_other", url: second };
    const { warnings } = await http.ok(importStore, { exportData: { version: "0.1.0", meshPeers: [other] } });
    expect(warnings).toHaveLength(1);
    expect((await http.ok(listPeers, {})).total).toBe(1);
    await http.ok(addPeer, { url: "http://box.local/x/memsvc", name: "behind a proxy" });
  });

  test.each(["javascript:alert(1)", "file:///etc/passwd", "http://ann:secret@box.local", "box"])(
    "are not imported with %s as their address",
    async (url) => {
      const { peer } = await http.ok(addPeer, { url: "http://box.local", name: "box" });
      const exportData = { version: "0.1.0", meshPeers: [{ ...peer, id: "peer_other", url }] };
      const { status, body } = await http.reply(importStore, { exportData });
      const path = "exportData.meshPeers.0.url";
      expect([status, body.issues]).toEqual([
        400,
        [{ path, message: "must be a plain http or https address" }],
      ]);
      expect((await http.ok(listPeers, {})).total).toBe(1);
    },
  );

  test("with a refused address name a setting that keeps what is allowed already", async () => {
    const careful = await open({ MEMSVC_MESH_ALLOW_PRIVATE: "10.0.0.0/8, till.local" });
    const { status, headers } = await careful.reply(addPeer, { url: "http://192.168.0.9", name: "till" });
    expect(status).toBe(400);
    expect(decodeURIComponent(headers.get("x-memsvc-hint") ?? "")).toMatch(
      / MEMSVC_MESH_ALLOW_PRIVATE 10\.0\.0\.0\/8,till\.local,192\.168\.0\.9$/u,
    );
  });

  test("can be removed, and get a new id when they are registered again", async () => {
    const office = { url: "http://box.local", name: "office" };
    const { peer } = await http.ok(addPeer, office);
    await http.ok(addPeer, { url: "http://box.local/x", name: "box" });
    expect((await http.ok(removePeer, { peerId: peer.id })).peer).toEqual(peer);
    const again = await http.reply(removePeer, { peerId: peer.id });
    expect([again.status, again.body.error]).toEqual([404, `peer ${peer.id} is not known`]);
    expect((await http.reply(syncMesh, { peerId: peer.id })).status).toBe(404);
    expect((await http.ok(listPeers, {})).peers.map(({ name }) => name)).toEqual(["box"]);
    const { entries } = await http.ok(listAudit, { operation: "mesh_peer" });
    expect(entries[0]).toMatchObject({ targetIds: [peer.id], details: { peer: "office", removed: true } });
    const { id, ...fields } = (await http.ok(addPeer, office)).peer;
    expect(id).not.toBe(peer.id);
    expect(fields).toMatchObject({ ...office, status: "disconnected" });
  });

  test.each([
    ["another protocol", "ftp://box.local"],
    ["no address", "box.local"],
    ["credentials", "http://me:x@box.local"],
    ["a query", "http://box.local/?a=1"],
    ["an empty query", "http://box.local/?"],
    ["a fragment", "http://box.local/#x"],
    ["a private address", "http://10.0.0.1"],
    ["a private address in disguise", "http://0xa9fea9fe/"],
    ["a loopback address", "http://[::1]:3111"],
    ["2,001 characters", `http://box.local/${"x".repeat(2_000)}`],
  ])("with %s are a 400", async (name, url) => {
    const { status, body } = await http.reply(addPeer, { url, name: "x" });
    expect(status).toBe(400);
    if (name.includes("private")) expect(body.error).toContain("MEMSVC_MESH_ALLOW_PRIVATE");
  });

  test("with a filter that names no project get no filter, and secrets in names are redacted", async () => {
    for (const [at, syncFilter] of [{}, { project: null }].entries()) {
      const fields = { url: `http://box.local/${at}`, name: `box ghp_${"a1B2".repeat(9)}`, syncFilter };
      const { status, body } = await http.reply(addPeer, fields);
      expect(status).toBe(201);
      const peer = body.peer as Body;
      expect(peer).not.toHaveProperty("syncFilter");
      expect(peer.name).toBe("box [REDACTED_SECRET]");
    }
  });

  test.each([
    { name: " " },
    { sharedScopes: ["sessions"] },
    { sharedScopes: [] },
    { syncFilter: { project: "" } },
  ])("with %j are a 400", async (fields) => {
    expect((await http.reply(addPeer, { url: "http://box.local", name: "x", ...fields })).status).toBe(400);
  });

  test("survive an export without their sync state, and diagnostics report peers never synced", async () => {
    await http.ok(addPeer, { url: "http://box.local", name: "box", syncFilter: { project: "shop" } });
    const file = await http.ok(exportStore, {});
    expect(JSON.stringify(file)).not.toContain(env.MEMSVC_SECRET);
    const other = await open();
    const [peer] = file.meshPeers as Body[];
    await other.ok(importStore, { exportData: { ...file, meshPeers: [{ ...peer, status: "syncing" }] } });
    expect((await other.ok(listPeers, {})).peers).toEqual((await http.ok(listPeers, {})).peers);
    const { checks } = await other.ok(diagnose, { categories: ["mesh"] });
    expect(checks).toMatchObject([{ name: "peer-never-synced", status: "warn" }]);
  });

  test("keep through an import when and why their last exchange failed, which diagnostics report", async () => {
    await http.ok(addPeer, { url: "http://box.local", name: "box" });
    const file = await http.ok(exportStore, {});
    const last = { lastSyncAt: "2026-02-01T08:00:00.000Z", lastError: "the peer could not be reached" };
    const meshPeers = (file.meshPeers as Body[]).map((peer) => ({ ...peer, ...last, status: "error" }));
    const other = await open();
    await other.ok(importStore, { exportData: { ...file, meshPeers } });
    expect((await other.ok(listPeers, {})).peers).toMatchObject([last]);
    const { checks } = await other.ok(diagnose, { categories: ["mesh"] });
    expect(checks).toMatchObject([{ name: "peer-error", status: "warn", fixable: false, count: 1 }]);
  });
});

test("without a secret every mesh route answers 503, and so does the core", async () => {
  const off = await openTestHttp();
  closing.push(off.close);
  for (const operation of [addPeer, listPeers, syncMesh, receiveRows, exportRows]) {
    const { status, body } = await off.reply(operation, {});
    expect([status, body]).toEqual([503, { error: "mesh requires MEMSVC_SECRET" }]);
  }
  await expect(off.core.call(listPeers, {}, { face: "cli" })).rejects.toMatchObject({ code: "feature_off" });
});
