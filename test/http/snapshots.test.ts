import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import promises from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { livez } from "../../src/governance/health/operations.ts";
import {
  createSnapshot,
  listSnapshots,
  restoreSnapshot,
  verifySnapshot,
} from "../../src/governance/snapshots/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { storeFault } from "../../src/store/faults.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { replaceFunctions } from "../support/replaced-functions.ts";
import { happenNow } from "../support/workdays.ts";

const http = forEachTest(() => openTestHttp({ env: { MEMSVC_SNAPSHOT_KEEP: "2" } }));

let flushesFolders = true;
const { open } = promises;
replaceFunctions(promises, {
  open: async (...given) => {
    const file = await open(...given);
    if (!flushesFolders && (await file.stat()).isDirectory())
      file.sync = () => Promise.reject(Object.assign(new Error("i/o error"), { code: "EIO" }));
    return file;
  },
});

function folder() {
  return join(http.home, "snapshots");
}

async function snapshot(message?: string) {
  http.advance(1_000);
  return (await http.ok(createSnapshot, { message })).snapshot;
}

async function contents() {
  return (await http.ok(listMemories, {})) as { memories: { content: string }[] };
}

async function stored() {
  return (await contents()).memories.map(({ content }) => content);
}

/** From now on no audit entry of the operation can be written. */
async function refuseAudit(operation: string): Promise<void> {
  await http.core.ground.store.write((tx) =>
    tx.sql.run(
      `CREATE TRIGGER refuse BEFORE INSERT ON audit_entries WHEN new.operation = '${operation}' BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    ),
  );
}

/** Replaces the file of a snapshot, and the checksum in its manifest. */
function putInPlace(id: string, database: Uint8Array): void {
  const manifestPath = join(folder(), `${id}.json`);
  const manifest: unknown = JSON.parse(readFileSync(manifestPath, "utf8"));
  const sha256 = createHash("sha256").update(database).digest("hex");
  writeFileSync(join(folder(), `${id}.db`), database);
  writeFileSync(manifestPath, JSON.stringify({ ...(manifest as object), sha256 }));
}

/** The store without its audit entries, since a restore adds one. */
async function dumpWithoutAudit() {
  const dump = await dumpStore(http);
  return dump
    .split("\n")
    .filter((table) => !table.startsWith("audit_entries"))
    .join("\n");
}

describe("of two processes on one home", () => {
  let other: TestHttp;
  beforeEach(async () => {
    other = await openTestHttp({ home: http.home });
  });
  afterEach(() => other.close());

  test("the one that did not restore drops what it had cached of the old store", async () => {
    const { snapshot: before } = await other.ok(createSnapshot, {});
    await http.ok(startSession, { sessionId: "s1", project: "/w/shop", cwd: "/w/shop" });
    await http.ok(startSession, { sessionId: "s2", project: "/w/shop", cwd: "/w/shop" });
    await http.ok(remember, { content: "the lock is fair", project: "/w/shop" });
    await other.ok(restoreSnapshot, { snapshotId: before.id });
    expect(await stored()).toEqual([]);
    await http.ok(startSession, { sessionId: "s3", project: "/w/shop", cwd: "/w/shop" });
    await http.ok(remember, { content: "the queue drains at night", project: "/w/shop" });
    for (const program of [http, other]) {
      const { results } = await program.ok(smartSearch, { query: "queue drains", project: "shop" });
      expect(results).toHaveLength(1);
    }
  });
});

describe("a snapshot", () => {
  test("deleted by another process during a list is left out of it", async () => {
    await http.ok(createSnapshot, {});
    // In the listing of the folder, but not readable.
    symlinkSync(join(folder(), "gone"), join(folder(), `snp_${"0".repeat(26)}.json`));
    expect((await http.ok(listSnapshots, {})).total).toBe(1);
  });

  test.skipIf(process.getuid?.() !== 0)("of another user is left out", async () => {
    const [own, foreign] = [await snapshot("own"), await snapshot("of root")];
    chmodSync(join(folder(), `${own.id}.json`), 0o644);
    for (const path of [http.home, folder()]) chmodSync(path, 0o755);
    const nobody = 65_534;
    process.seteuid?.(nobody);
    const { snapshots } = await http.ok(listSnapshots, {}).finally(() => process.seteuid?.(0));
    expect(snapshots.map(({ id }) => id)).toEqual([own.id]);
    expect((await http.ok(listSnapshots, {})).snapshots.map(({ id }) => id)).toEqual([foreign.id, own.id]);
  });

  test("is a private copy of the store with a manifest of its counts and checksum", async () => {
    await http.ok(remember, { content: "tabs, not spaces" });
    const reply = await http.reply(createSnapshot, { message: "first" });
    expect(reply.status).toBe(201);
    const { snapshot: made } = createSnapshot.output.parse(reply.body);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^snp_[0-9a-z]{26}$/u),
      commitHash: made.sha256.slice(0, 40),
      message: "first",
      kind: "manual",
      stats: { sessions: 0, observations: 0, memories: 1, graphNodes: 0 },
    });
    expect(readdirSync(folder()).sort()).toEqual([`${made.id}.db`, `${made.id}.json`]);
    for (const name of readdirSync(folder())) expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600);
    const manifest = JSON.parse(readFileSync(join(folder(), `${made.id}.json`), "utf8"));
    expect(manifest).toMatchObject({
      sha256: made.sha256,
      counts: made.stats,
      schemaVersion: expect.any(Number),
    });
    const { entries } = await http.ok(listAudit, { operation: "snapshot_create" });
    expect(entries).toMatchObject([{ functionId: "snapshot.create", targetIds: [made.id] }]);
  });

  test("is listed newest first, in pages, and as missing once its file is gone", async () => {
    const [first, second, third] = [await snapshot("a"), await snapshot("b"), await snapshot("c")];
    rmSync(join(folder(), `${second.id}.db`));
    const all = await http.ok(listSnapshots, {});
    expect(all.snapshots.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    expect(all.snapshots.map(({ missing }) => missing)).toEqual([undefined, true, undefined]);
    const page = await http.ok(listSnapshots, { limit: 1, offset: 1 });
    expect(page).toMatchObject({ total: 3, offset: 1, limit: 1, snapshots: [{ id: second.id }] });
  });

  test("is made one after the other for concurrent requests", async () => {
    const made = await Promise.all(["a", "b", "c"].map((message) => http.ok(createSnapshot, { message })));
    expect(new Set(made.map(({ snapshot: { id } }) => id)).size).toBe(3);
    expect((await http.ok(listSnapshots, {})).total).toBe(3);
  });

  test("has its message redacted, and is refused with a message that is too long", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    expect((await snapshot(`key ${secret}`)).message).not.toContain(secret);
    expect((await http.reply(createSnapshot, { message: "x".repeat(501) })).status).toBe(400);
  });

  test("that cannot be written leaves nothing behind", async () => {
    await snapshot();
    const before = readdirSync(folder());
    const { store } = http.core.ground;
    Object.defineProperty(store, "path", { value: join(http.home, "nowhere", "x.db"), configurable: true });
    const reply = await http.reply(createSnapshot, {});
    expect(reply.status).toBe(500);
    expect(readdirSync(folder())).toEqual(before);
  });

  test("whose name does not reach the disk leaves nothing behind", async () => {
    flushesFolders = false;
    const reply = await http.reply(createSnapshot, {});
    flushesFolders = true;
    expect(reply.status).toBe(500);
    expect(readdirSync(folder())).toEqual([]);
  });

  test("that cannot be audited leaves nothing behind", async () => {
    await snapshot();
    const before = readdirSync(folder());
    await refuseAudit("snapshot_create");
    expect((await http.reply(createSnapshot, {})).status).toBe(500);
    expect(readdirSync(folder())).toEqual(before);
  });

  test("of a deleted database fails, and leaves its WAL file in place", async () => {
    await snapshot();
    const before = readdirSync(folder());
    const { path } = http.core.ground.store;
    renameSync(path, `${path}.away`);
    const { status, body } = await http.reply(createSnapshot, {});
    expect({ status, body }).toMatchObject({ status: 500, body: { error: expect.stringContaining(path) } });
    expect(readdirSync(folder())).toEqual(before);
    expect([existsSync(path), existsSync(`${path}-wal`)]).toEqual([false, true]);
    renameSync(`${path}.away`, path);
  });

  test("removes the leftovers of a killed process, but not what another is writing", async () => {
    const [first, second] = [await snapshot(), await snapshot()];
    const endings = ["db.part", "db.part.part", "db.part.part-journal", "json.part"];
    const left = endings.map((ending) => `${first.id}.${ending}`);
    // A process that is killed during each copy and restarted leaves many of these within an hour.
    const orphans = [4_194_303, process.pid].map((pid) => `${first.id}.db.${pid}.part.part`);
    const inWork = [`${second.id}.db.${process.ppid}.part`, `${second.id}.db.part`];
    for (const name of [...left, ...orphans, ...inWork]) writeFileSync(join(folder(), name), "half");
    for (const name of left) utimesSync(join(folder(), name), new Date(0), new Date(0));
    // This must happen even when no snapshot can be made.
    const { path } = http.core.ground.store;
    renameSync(path, `${path}.away`);
    expect((await http.reply(createSnapshot, {})).status).toBe(500);
    renameSync(`${path}.away`, path);
    expect(
      readdirSync(folder())
        .filter((name) => name.includes(".part"))
        .sort(),
    ).toEqual(inWork.sort());
  });

  test("can be verified: a damaged one is a 409, an unknown one a 404", async () => {
    const made = await snapshot();
    expect(await http.ok(verifySnapshot, { snapshotId: made.id })).toMatchObject({ verified: true });
    damage(made.id);
    const reply = await http.reply(verifySnapshot, { snapshotId: made.id });
    expect(reply.status).toBe(409);
    expect((await http.reply(verifySnapshot, { snapshotId: "snp_nope" })).status).toBe(404);
  });

  test("is missing when its file is replaced by a pipe, a folder or a link loop, and blocks nothing", async () => {
    const [pipe, folderThere, circle] = [await snapshot(), await snapshot(), await snapshot()];
    const fileOf = ({ id }: { id: string }) => join(folder(), `${id}.db`);
    for (const made of [pipe, folderThere, circle]) rmSync(fileOf(made));
    execFileSync("mkfifo", [fileOf(pipe)]);
    mkdirSync(fileOf(folderThere));
    symlinkSync(fileOf(circle), fileOf(circle));
    expect((await http.ok(listSnapshots, {})).snapshots.map(({ missing }) => missing)).toEqual([
      true,
      true,
      true,
    ]);
    for (const { id } of [pipe, folderThere, circle]) {
      for (const reply of [
        await http.reply(verifySnapshot, { snapshotId: id }),
        await http.reply(restoreSnapshot, { snapshotId: id }),
      ])
        expect(reply).toMatchObject({ status: 404, body: { error: expect.stringContaining(`${id}.db`) } });
    }
  });

  test("is not listed when its manifest is a pipe or a folder", async () => {
    await snapshot();
    execFileSync("mkfifo", [join(folder(), `snp_${"0".repeat(26)}.json`)]);
    mkdirSync(join(folder(), `snp_${"1".repeat(26)}.json`));
    expect((await http.ok(listSnapshots, {})).total).toBe(1);
  });

  test("by timer is made only after changes, and only the newest are kept", async () => {
    const { snapshots } = http.core;
    const manual = await snapshot();
    http.advance(1_000);
    expect(await snapshots.createIfChanged()).toBeUndefined();
    for (const content of ["one more thing", "a second, other thing", "the third of all"]) {
      http.advance(1_000);
      await http.ok(remember, { content });
      http.advance(1_000);
      expect(await snapshots.createIfChanged()).toMatchObject({ kind: "timer" });
      http.advance(1_000);
      expect(await snapshots.createIfChanged()).toBeUndefined();
    }
    // An observation has no audit entry, and an export changes nothing.
    await happenNow(http, "s1", "prompt_submit", { prompt: "paint the shed" }, { cwd: "/w/shop" });
    http.advance(1_000);
    expect(await snapshots.createIfChanged()).toMatchObject({ kind: "timer" });
    http.advance(1_000);
    await http.send("/export");
    expect(await snapshots.createIfChanged()).toBeUndefined();
    const { snapshots: left } = await http.ok(listSnapshots, {});
    expect(left.map(({ kind }) => kind)).toEqual(["timer", "timer", "manual"]);
    expect(left.at(-1)?.id).toBe(manual.id);
    expect(readdirSync(folder())).toHaveLength(6);
  });
});

function damage(id: string) {
  const file = join(folder(), `${id}.db`);
  chmodSync(file, 0o600);
  const bytes = readFileSync(file);
  bytes[5_000] = (bytes[5_000] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

describe("a restore", () => {
  test("makes the store equal to the snapshot, and saves the old state as a safety snapshot", async () => {
    await http.ok(remember, { content: "before the snapshot" });
    const made = await snapshot();
    const before = await dumpWithoutAudit();
    await http.ok(remember, { content: "after it was taken, and lost again" });
    const answer = await http.ok(restoreSnapshot, { snapshotId: made.id });
    if (!answer.restored) throw new Error("nothing was restored");
    expect(answer).toMatchObject({ snapshotId: made.id, commitHash: made.commitHash, counts: made.stats });
    expect(await dumpWithoutAudit()).toBe(before);
    expect((await http.ok(smartSearch, { query: "lost again" })).results).toEqual([]);
    expect((await http.ok(smartSearch, { query: "snapshot" })).results).toHaveLength(1);
    const { entries } = await http.ok(listAudit, {});
    expect(entries[0]).toMatchObject({ operation: "snapshot_restore", functionId: "snapshot.restore" });
    expect(entries.map(({ operation }) => operation)).toEqual(["snapshot_restore", "remember"]);

    await http.ok(restoreSnapshot, { snapshotId: answer.safetySnapshotId });
    expect((await stored()).sort()).toEqual(["after it was taken, and lost again", "before the snapshot"]);
    expect(readdirSync(http.home).filter((name) => /draft|incoming/u.test(name))).toEqual([]);
  });

  test.each([
    ["SQLITE_FULL", 500, "no space left"],
    ["SQLITE_BUSY", 503, "another process kept"],
  ])(
    "that cannot be audited because of %s says that the store is restored nevertheless",
    async (code, fault, problem) => {
      await http.ok(remember, { content: "before the snapshot" });
      const made = await snapshot();
      await http.ok(remember, { content: "after it was taken, and lost again" });
      const { store } = http.core.ground;
      store.onReplaced(() => {
        const refusal = storeFault(Object.assign(new Error("refused"), { code }), store.path);
        Object.defineProperty(store, "write", { value: () => Promise.reject(refusal), configurable: true });
      });
      const { status, body } = await http.reply(restoreSnapshot, { snapshotId: made.id });
      expect({ status, body }).toEqual({
        status: fault,
        body: { error: expect.stringMatching(new RegExp(`^${problem} .*; it is restored, but`, "u")) },
      });
      expect(await stored()).toEqual(["before the snapshot"]);
    },
  );

  test("takes no recalls of searches before it into the restored store", async () => {
    await http.ok(remember, { content: "cranes sleep on one leg" });
    const { snapshot: saved } = await http.ok(createSnapshot, {});
    await http.ok(smartSearch, { query: "cranes" });
    await http.ok(restoreSnapshot, { snapshotId: saved.id });
    await http.settled();
    expect(await contents()).toMatchObject({ memories: [{ recallCount: 0 }] });
  });

  test("accepts new writes and keeps them over a restart", async () => {
    const made = await snapshot();
    await http.ok(remember, { content: "gone" });
    await http.ok(restoreSnapshot, { snapshotId: made.id });
    await http.ok(remember, { content: "written into the restored store", project: "/w/shop" });
    await http.core.ground.store.close();
    expect(await stored()).toEqual(["written into the restored store"]);
  });

  test("can be selected by the first digits of the checksum, if they are unique", async () => {
    const made = await snapshot();
    const answer = await http.ok(restoreSnapshot, { commitHash: made.sha256.slice(0, 7).toUpperCase() });
    expect(answer.snapshotId).toBe(made.id);
    // The list shows them beside the id.
    const verified = await http.ok(verifySnapshot, { snapshotId: made.sha256.slice(0, 10) });
    expect(verified.snapshot.id).toBe(made.id);
    const twin = `snp_${"0".repeat(26)}`;
    const manifest = JSON.parse(readFileSync(join(folder(), `${made.id}.json`), "utf8"));
    writeFileSync(join(folder(), `${twin}.json`), JSON.stringify({ ...manifest, id: twin }));
    expect((await http.reply(restoreSnapshot, { commitHash: made.sha256 })).status).toBe(409);
  });

  test.each([
    [{}, 400],
    [{ commitHash: "12345" }, 400],
    [{ commitHash: "xyzxyzx" }, 400],
    [{ commitHash: "0000000" }, 404],
    [{ snapshotId: "../../etc/passwd" }, 404],
    [{ snapshotId: 5 }, 400],
  ])("with %j is a %i", async (input, status) => {
    await snapshot();
    expect((await http.reply(restoreSnapshot, input)).status).toBe(status);
  });

  test("of a damaged snapshot is refused with both checksums, and changes nothing", async () => {
    const made = await snapshot();
    damage(made.id);
    const before = await dumpStore(http);
    const reply = await http.reply(restoreSnapshot, { snapshotId: made.id });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({
      expected: made.sha256,
      actual: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
    expect(await dumpStore(http)).toBe(before);
    expect((await http.ok(listSnapshots, {})).total).toBe(1);
  });

  test("of a snapshot of an older version upgrades its schema", async () => {
    await http.ok(remember, { content: "of today" });
    const made = await snapshot();
    const fixture = new URL("../upgrade/fixtures/schema-2.db.gz", import.meta.url);
    putInPlace(made.id, gunzipSync(readFileSync(fixture)));
    await http.ok(restoreSnapshot, { snapshotId: made.id });
    expect(await stored()).not.toContain("of today");
    expect((await stored()).length).toBeGreaterThan(0);
    expect(readdirSync(folder()).filter((name) => name.startsWith("pre-migration"))).toEqual([]);
    await http.ok(remember, { content: "written after the restore" });
    await http.core.ground.store.close();
    expect(await stored()).toContain("written after the restore");
  });

  test("of a snapshot of a newer version is refused, and changes nothing", async () => {
    await http.ok(remember, { content: "of today" });
    const made = await snapshot();
    const newer = new Database(join(folder(), `${made.id}.db`));
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    putInPlace(made.id, readFileSync(join(folder(), `${made.id}.db`)));
    const before = await dumpStore(http);
    const reply = await http.reply(restoreSnapshot, { snapshotId: made.id });
    expect(reply.status).toBe(409);
    expect(reply.body.error).toMatch(/newer/u);
    expect(await dumpStore(http)).toBe(before);
    await http.ok(remember, { content: "the store goes on" });
  });

  test.each([
    ["a database of another program", "CREATE TABLE notes (text)"],
    ["an empty database", "VACUUM"],
  ])("of a snapshot whose file is %s is refused, and changes nothing", async (_name, statement) => {
    await http.ok(remember, { content: "of today" });
    const made = await snapshot();
    const path = join(http.home, "other.db");
    const other = new Database(path);
    other.exec(statement);
    other.close();
    putInPlace(made.id, readFileSync(path));
    const before = await dumpStore(http);
    for (const reply of [
      await http.reply(verifySnapshot, { snapshotId: made.id }),
      await http.reply(restoreSnapshot, { snapshotId: made.id, dryRun: true }),
      await http.reply(restoreSnapshot, { snapshotId: made.id }),
    ])
      expect(reply).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining("no store of memsvc") },
      });
    expect(await dumpStore(http)).toBe(before);
  });

  test("of a snapshot whose file is missing is a 404", async () => {
    const made = await snapshot();
    rmSync(join(folder(), `${made.id}.db`));
    expect((await http.reply(restoreSnapshot, { snapshotId: made.id })).status).toBe(404);
  });

  test("while another runs is a conflict; other requests wait, and livez answers", async () => {
    const made = await snapshot();
    await http.ok(remember, { content: "gone in a moment" });
    let goOn = () => {};
    const { store } = http.core.ground;
    const replace = store.replaceDatabase.bind(store);
    const isHeld = new Promise<void>((reached) => {
      store.replaceDatabase = async (...given) => {
        reached();
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await replace(...given);
      };
    });
    const running = http.reply(restoreSnapshot, { snapshotId: made.id });
    await isHeld;
    const waiting = stored();
    expect((await http.reply(livez, {})).status).toBe(200);
    expect(await http.core.snapshots.restore({ snapshotId: made.id }).catch((error) => error.code)).toBe(
      "conflict",
    );
    goOn();
    expect((await running).status).toBe(200);
    expect(await waiting).toEqual([]);
  });

  test("waits for running requests", async () => {
    const made = await snapshot();
    let finish = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from('{"exportData":{"memories":['));
        finish = () => {
          controller.enqueue(Buffer.from("]}}"));
          controller.close();
        };
      },
    });
    const slow = http.send("/import", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    let restored = false;
    const running = http.ok(restoreSnapshot, { snapshotId: made.id }).then(() => {
      restored = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(restored).toBe(false);
    finish();
    expect((await slow).status).toBe(200);
    await running;
    expect(restored).toBe(true);
  });

  test("does not affect an export that is being read", async () => {
    await http.ok(remember, { content: "in the old store" });
    const pieces = await http.core.transfer.export({ offset: 0 });
    let text = textOf((await pieces.next()).value);
    const empty = await snapshot();
    await http.ok(importStore, { exportData: { memories: [] }, strategy: "replace" });
    await http.ok(restoreSnapshot, { snapshotId: empty.id });
    for await (const piece of pieces) text += textOf(piece);
    expect(JSON.parse(text).memories).toMatchObject([{ content: "in the old store" }]);
  });
});

test("the newest ten safety snapshots and all manual ones are kept", async () => {
  const manual = await snapshot();
  const exportData = { version: "1", lessons: [] };
  const safety: (string | undefined)[] = [];
  for (let at = 0; at < 11; at += 1) {
    http.advance(1_000);
    safety.unshift((await http.ok(importStore, { exportData, strategy: "replace" })).safetySnapshotId);
  }
  const { snapshots } = await http.ok(listSnapshots, {});
  expect(snapshots.map(({ id }) => id)).toEqual([...safety.slice(0, 10), manual.id]);
});

test("an import with replace deletes the collections of the file, after a safety snapshot", async () => {
  await http.ok(remember, { content: "an old memory" });
  const before = await http.ok(listAudit, {});
  const memory = { id: "mem_new", content: "a new one", createdAt: "2026-01-01" };
  const answer = await http.ok(importStore, { exportData: { memories: [memory] }, strategy: "replace" });
  expect(await stored()).toEqual(["a new one"]);
  expect((await http.ok(smartSearch, { query: "old memory" })).results).toEqual([]);
  expect((await http.ok(listAudit, {})).total).toBeGreaterThan(before.total);
  const { snapshots } = await http.ok(listSnapshots, {});
  expect(snapshots).toMatchObject([{ id: answer.safetySnapshotId, kind: "safety" }]);
  await http.ok(restoreSnapshot, { snapshotId: String(answer.safetySnapshotId) });
  expect(await stored()).toEqual(["an old memory"]);
  expect(existsSync(join(http.home, "memsvc.db"))).toBe(true);
});

test("an import with replace that fails leaves neither a change nor its safety snapshot", async () => {
  await http.ok(remember, { content: "an old memory" });
  await refuseAudit("import");
  const reply = await http.reply(importStore, { exportData: { memories: [] }, strategy: "replace" });
  expect(reply.status).toBe(500);
  expect(await stored()).toEqual(["an old memory"]);
  expect(readdirSync(folder())).toEqual([]);
});

function textOf(piece: Uint8Array | undefined): string {
  return new TextDecoder().decode(piece);
}
