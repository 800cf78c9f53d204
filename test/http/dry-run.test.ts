import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { tagFacet } from "../../src/coordination/facets/operations.ts";
import { addToSketch, createSketch } from "../../src/coordination/sketches/operations.ts";
import { createSnapshot } from "../../src/governance/snapshots/operations.ts";
import { purgeHandler } from "../../src/index/words/purge.ts";
import { JobWorker } from "../../src/jobs/worker.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, remember } from "../../src/knowledge/memories/operations.ts";
import { getProfile } from "../../src/knowledge/profiles/operations.ts";
import { createSlot } from "../../src/knowledge/slots/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import type { Operation } from "../../src/operation/define.ts";
import { addPeer, listPeers } from "../../src/sharing/mesh/operations.ts";
import { exportVault } from "../../src/sharing/vault/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { base64, picture, refOf } from "../support/images.ts";
import { openPeerServer, type PeerServer } from "../support/peer-server.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { happenNow } from "../support/workdays.ts";

/*
 * Every operation that deletes has a dry run, and the words that it deletes for good leave the database's files. The operations run one after the other on a store with records of every
 * kind: first the dry run, which must leave every row and file as it was, then the real run, which must do what the
 * dry run said.
 */

type Fields = Readonly<Record<string, unknown>>;

interface Trial {
  /** The input that deletes something. */
  readonly input: () => Fields | Promise<Fields>;
  /** An input that is refused, because a record is missing or a path is not allowed. */
  readonly refused?: Fields;
  /** Fields in which the answers of the two runs may differ. */
  readonly differs?: readonly string[];
  /** Preparations. */
  readonly before?: () => Promise<unknown>;
}

const project = "/w/shop";
const deleting = catalogue.filter(({ deletes }) => deletes === true);

let http: TestHttp;
let peer: PeerServer | undefined;
const folder = sharedFolder();
let memoryIds: string[];
let lessonId: string;
let sketchId: string;
let snapshotId: string;
let exported: Fields;
/** The database's files before anything was stored. */
let bytesOfSchema: string;

const store = async (content: string, fields: Fields = {}) =>
  (await http.ok(remember, { content, project, ...fields })).memoryId;

const happened = (sessionId: string, text: string) =>
  happenNow(http, sessionId, "notification", { prompt: text, message: text }, { project, cwd: project });

async function sketched(title: string): Promise<string> {
  const { sketch } = await http.ok(createSketch, { title, project, expiresInMs: 7 * dayMs });
  await http.ok(addToSketch, { sketchId: sketch.id, title: "A step of it" });
  return sketch.id;
}

const image = picture(7);

beforeAll(async () => {
  http = await openTestHttp({
    authorized: true,
    env: {
      MEMSVC_ALLOWED_ROOTS: folder,
      MEMSVC_SLOTS: "true",
      MEMSVC_SECRET: "a-secret-of-the-mesh",
      MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1",
      MEMSVC_BRIDGE_ENABLED: "true",
      MEMSVC_BRIDGE_FILE: join(folder, "memory", "MEMORY.md"),
      MEMSVC_BRIDGE_PROJECT_PATH: project,
    },
  });
  bytesOfSchema = databaseBytes();
  await happened("old", "a notice that never mattered");
  await http.ok(endSession, { sessionId: "old" });
  await store("only for a day", { ttlDays: 1 });
  http.advance(200 * dayMs);
  await happened("s1", "the orders of src/orders.ts went through");
  const { memoryId } = await http.ok(evolve, {
    memoryId: await store("Orders are kept in src/orders.ts"),
    newContent: "Orders are kept in src/orders/table.ts",
  });
  memoryIds = [memoryId, await store("Retries wait two seconds"), await store("Herons nest in tall trees")];
  lessonId = (await http.ok(saveLesson, { content: "Run the linter first", project })).lesson.id;
  await http.ok(createSlot, { label: "deploy_notes", content: "on Mondays", project });
  for (const value of ["payments", "billing"])
    await http.ok(tagFacet, { targetId: memoryId, dimension: "team", value });
  sketchId = await sketched("Split the queue");
  writeFileSync(
    join(folder, "notes.md"),
    `# Notes\n\n${"A line with blanks at its end.   \n\n\n\n".repeat(20)}`,
  );
  snapshotId = (await http.ok(createSnapshot, {})).snapshot.id;
  exported = (await http.send("/export")).body;
});
afterAll(async () => {
  await peer?.close();
  await http.close();
});

/** One for every operation that deletes, in the order of execution. */
const trials: Readonly<Record<string, Trial>> = {
  // The profile is stored at its first request, which must not happen in the dry run.
  "bridge.sync": { input: () => ({}), before: () => http.ok(getProfile, { project }) },
  "vault.export": {
    input: () => ({ vaultDir: join(folder, "vault") }),
    refused: { vaultDir: "/nowhere/at/all" },
  },
  "files.compress": {
    input: () => ({ filePath: join(folder, "notes.md") }),
    refused: { filePath: "/etc/hostname.md" },
    differs: ["diff"],
  },
  "facets.remove": {
    input: () => ({ targetId: memoryIds[0], dimension: "team" }),
    refused: { targetId: "mem_none", dimension: "team" },
  },
  "lessons.delete": { input: () => ({ lessonId }), refused: { lessonId: "lsn_none" } },
  "slots.replace": {
    input: () => ({ label: "deploy_notes", content: "on Fridays", project: "/elsewhere/shop" }),
    refused: { label: "no_such_slot", content: "x" },
    before: () => http.ok(createSlot, { label: "deploy_notes", content: "by Wednesday", scope: "global" }),
  },
  "slots.delete": {
    input: () => ({ label: "deploy_notes", project }),
    refused: { label: "no_such_slot" },
  },
  "sketches.discard": { input: () => ({ sketchId }), refused: { sketchId: "skt_none" } },
  "sketches.gc": {
    input: () => ({}),
    before: async () => {
      await sketched("Try another driver");
      http.advance(8 * dayMs);
    },
  },
  "diagnostics.heal": {
    input: () => ({ categories: ["sessions"] }),
    differs: ["details"],
    before: () => http.writeSql("UPDATE sessions SET observation_count = 7"),
  },
  // A lesson that was never reinforced.
  "consolidations.pipeline": {
    input: () => ({ tier: "decay" }),
    before: async () => {
      await http.ok(saveLesson, { content: "Ask before the schema changes", confidence: 0.2, project });
      http.advance(100 * dayMs);
    },
  },
  // A peer with one deletion and one new memory.
  "mesh.sync": {
    input: () => ({ direction: "pull" }),
    refused: { peerId: "peer_none" },
    before: async () => {
      const [id, deletedAt] = [await store("deleted by a peer"), new Date(http.now() + dayMs).toISOString()];
      peer = await openPeerServer((_request, response) => {
        const memories = [{ id: "mem_peer", content: "known to a peer", createdAt: "2026-02-01" }];
        response.end(JSON.stringify({ memories, tombstones: [{ kind: "memory", id, deletedAt }] }));
      });
      await http.ok(addPeer, { url: peer.url, name: "office" });
    },
  },
  "mesh.removePeer": {
    input: async () => ({ peerId: (await http.ok(listPeers, {})).peers[0]?.id }),
    refused: { peerId: "peer_none" },
    before: async () => void (await http.ok(addPeer, { url: "http://box.local", name: "office" })),
  },
  "memories.forget": {
    input: () => ({ memoryId: memoryIds[0], sessionId: "s1", restorePrevious: true, includeSession: true }),
    refused: { memoryId: "mem_none" },
  },
  "governance.delete": {
    input: () => ({ memoryIds: [memoryIds[1], "mem_none"], reason: "asked for" }),
    refused: { memoryIds: ["mem_none"] },
  },
  // Two matching memories contradict each other, and one of them has expired.
  "retention.autoForget": {
    input: () => ({}),
    before: async () => {
      await store("Ginkgo trees are planted in the spring, by hand", { concepts: ["trees"], ttlDays: 1 });
      await store("Ginkgo trees are planted in the spring, in rows", { concepts: ["trees"] });
      http.advance(2 * dayMs);
    },
  },
  "retention.evict": { input: () => ({}), before: async () => http.advance(400 * dayMs) },
  "governance.bulkDelete": {
    input: () => ({ project, type: ["fact"] }),
    differs: ["wouldDelete", "deleted", "failed"],
    before: () => store("Another fact", { type: "fact" }),
  },
  "governance.forgetProject": {
    input: () => ({ project: "/w/barn" }),
    refused: { project: "/w/nowhere" },
    before: async () => {
      await store("Owls nest in the barn", { project: "/w/barn" });
      await happenNow(
        http,
        "owls",
        "notification",
        { message: "an owl" },
        { project: "/w/barn", cwd: "/w/barn" },
      );
    },
  },
  "graph.reset": { input: () => ({ rebuildStructural: true }), differs: ["tookMs"] },
  // The parent folder of this vault does not exist yet either.
  "vault.exportObsidian": {
    input: () => ({ vaultDir: "own", types: ["lessons"] }),
    refused: { vaultDir: "own/deeper" },
  },
  "transfer.import": {
    input: () => ({
      exportData: {
        ...exported,
        images: [
          {
            imageRef: refOf(image),
            createdAt: "2026-03-01T10:00:00Z",
            pins: [{ createdAt: "2026-03-01T10:00:00Z" }],
            dataBase64: base64(image),
          },
        ],
      },
      strategy: "replace",
    }),
    refused: { exportData: { ...({} as Fields), memories: [{}] }, strategy: "replace" },
    differs: ["deleted", "safetySnapshotId"],
  },
  "snapshots.restore": {
    input: () => ({ snapshotId }),
    refused: { snapshotId: "snp_none" },
    differs: ["restored", "present", "safetySnapshotId"],
  },
};

describe("operations that delete", () => {
  test("are all declared as deleting, by name, by DELETE route and by destructive tool", () => {
    const named = /\.(?:\w*[dD]elete|remove|reset|discard|gc|evict|forget|autoForget|restore|replace|heal)$/u;
    const suspects = catalogue.filter(
      ({ id, http: route, mcp }) =>
        named.test(id) || route?.method === "DELETE" || mcp?.effects === "destroy",
    );
    expect(suspects.filter(({ deletes }) => deletes !== true).map(({ id }) => id)).toEqual([]);
    expect(Object.keys(trials).sort()).toEqual(deleting.map(({ id }) => id).sort());
  });

  test("accept dryRun and return it in their answer", () => {
    for (const { id, input, output, errors } of deleting) {
      const taken = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }).properties ?? {};
      expect(taken, id).toHaveProperty("dryRun.type", "boolean");
      const given = JSON.stringify(z.toJSONSchema(output, { unrepresentable: "any" }));
      expect(given, id).toContain('"dryRun"');
      expect(errors, id).toContain("invalid_input");
    }
  });
});

/** The hash of every file in a folder, except the database, which is compared row by row. */
function files(top: string): Record<string, string> {
  const paths = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.name.startsWith("memsvc.db"))
    .map((entry) => [join(entry.parentPath, entry.name), entry.isFile()] as const);
  return Object.fromEntries(
    paths.map(([path, isFile]) => [
      path,
      isFile ? createHash("sha256").update(readFileSync(path)).digest("hex") : "",
    ]),
  );
}

const everything = async () => ({
  rows: await dumpStore(http),
  files: { ...files(http.home), ...files(folder) },
});

function comparable(body: Fields, differs: readonly string[] = []): Fields {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => name !== "dryRun" && !differs.includes(name)),
  );
}

const operationOf = (id: string): Operation => {
  const found = catalogue.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};

/** The words in the rows of a dump. */
const wordsOf = (rows: string) => rows.match(/(?<![\w+/-])[A-Za-z][a-z]{5,}(?![\w+/-])/gu) ?? [];

/** Those of the words that the database's files contain after the purge, if one is enqueued. */
async function left(words: readonly string[]): Promise<string[]> {
  const { ground } = http.core;
  await JobWorker.runDue(ground, [purgeHandler(ground)]);
  const bytes = databaseBytes();
  return words.filter((word) => bytes.includes(word) && !bytesOfSchema.includes(word));
}

function databaseBytes(): string {
  const names = ["memsvc.db", "memsvc.db-wal"];
  return names.map((name) => readFileSync(join(http.home, name), "latin1")).join("");
}

describe("a dry run changes no row and no file, and answers what the real run then answers:", () => {
  test.each(Object.entries(trials))("%s", async (id, { input, refused, differs, before }) => {
    const operation = operationOf(id);
    await before?.();
    const asked = await input();
    const present = await everything();

    const dry = await http.reply(operation, { ...asked, dryRun: true });
    expect(dry, dry.text).toMatchObject({ status: operation.http?.success, body: { dryRun: true } });
    operation.output.parse(dry.body);
    const inQuery = await http.reply(operation, asked, { query: { dryRun: "true" } });
    expect(comparable(inQuery.body, differs)).toEqual(comparable(dry.body, differs));
    const inBody = await http.reply(operation, { ...asked, dryRun: true }, { query: { dryRun: "false" } });
    expect(inBody.body).toMatchObject({ dryRun: true });
    expect((await http.reply(operation, asked, { query: { dryRun: "ture" } })).status).toBe(400);
    expect((await http.reply(operation, { ...asked, dryRun: "yes" })).status).toBe(400);
    const refusal = refused && (await http.reply(operation, { ...refused, dryRun: true }));
    expect(await everything()).toEqual(present);

    if (refused !== undefined) {
      expect(refusal?.status).toBeGreaterThanOrEqual(400);
      const real = await http.reply(operation, refused);
      expect(refusal).toMatchObject({ status: real.status, body: real.body });
    }
    const real = await http.reply(operation, asked);
    expect(real.body.dryRun ?? false).toBe(false);
    expect(comparable(real.body, differs)).toEqual(comparable(dry.body, differs));
    const after = await everything();
    expect(after).not.toEqual(present);
    const gone = wordsOf(present.rows).filter((word) => !after.rows.includes(word));
    expect(await left(gone)).toEqual([]);
  });
});

test("the dry run of a replacing import counts what it would delete, and takes no snapshot", async () => {
  await store("one more memory");
  const asked = { exportData: { version: "0.1.0", memories: [] }, strategy: "replace", dryRun: true };
  const { body } = await http.reply(operationOf("transfer.import"), asked);
  const rows = await http.core.ground.store.read.sql.values("SELECT count(*) FROM memories");
  expect(body).toMatchObject({ memories: 0, deleted: { memories: rows[0]?.[0] }, dryRun: true });
  expect(body).not.toHaveProperty("safetySnapshotId");
});

test("of the consolidation tiers only decay takes dryRun, and counts the lessons it would drop", async () => {
  const pipeline = operationOf("consolidations.pipeline");
  const { status, body } = await http.reply(pipeline, { dryRun: true });
  expect([status, body.issues]).toMatchObject([400, [{ path: "tier" }]]);
  const quiet = "/w/quiet";
  await http.ok(saveLesson, { content: "Never deploy on a Friday", confidence: 0.2, project: quiet });
  http.advance(100 * dayMs);
  const dry = await http.reply(pipeline, { tier: "decay", project: quiet, dryRun: true });
  expect(dry.body).toMatchObject({ results: { decay: { lessons: 1 } }, dryRun: true });
});

test("the dry run of a file compression shows the lines that would go", async () => {
  const path = join(folder, "more.md");
  const text = `# More\n\n${"words that end in blanks   \n\n\n".repeat(9)}`;
  writeFileSync(path, text);
  const { body } = await http.reply(operationOf("files.compress"), { filePath: path, dryRun: true });
  expect(body.diff).toContain("-words that end in blanks   \n");
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a write made during a dry run is kept", async () => {
  const [, kept] = await Promise.all([
    http.reply(operationOf("graph.reset"), { dryRun: true }),
    store("written at the same time"),
    http.reply(operationOf("sketches.gc"), { dryRun: true }),
  ]);
  const rows = await http.core.ground.store.read.sql.values("SELECT id FROM memories WHERE id = ?", [kept]);
  expect(rows).toEqual([[kept]]);
});

test("a dry run of the vault export removes no outdated note", async () => {
  const vaultDir = join(folder, "notes");
  const id = await store("a note of its own");
  await http.ok(exportVault, { vaultDir });
  await http.reply(operationOf("memories.forget"), { memoryId: id });
  const present = files(vaultDir);
  expect(await http.ok(exportVault, { vaultDir, dryRun: true })).toMatchObject({ removed: 1, dryRun: true });
  expect(files(vaultDir)).toEqual(present);
});
