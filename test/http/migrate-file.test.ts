import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { migrate } from "../../src/governance/migration/operations.ts";
import { getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { applicationId, schemaVersion } from "../../src/store/migrate.ts";
import { readMigrations } from "../../src/store/migrations.ts";
import { graphContent } from "../support/graph-content.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fixturesFolder = new URL("../upgrade/fixtures/", import.meta.url);
const fixtures = readdirSync(fixturesFolder).filter((name) => name.endsWith(".db.gz"));

let folder: string;
let http: TestHttp;
beforeEach(async () => {
  folder = temporaryFolder();
  http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: folder } });
});
afterEach(() => http.close());

/** The database of another store, and its export. */
async function anotherStore(): Promise<{ dbPath: string; whole: Record<string, unknown> }> {
  const other = await openTestHttp();
  const base = { sessionId: "s9", project: "/w/bank", cwd: "/w/bank", timestamp: "2026-02-01T10:00:00Z" };
  await other.ok(observe, {
    ...base,
    hookType: "prompt_submit",
    data: { prompt: "ledgers balance nightly" },
  });
  await other.ok(remember, { content: "Ledgers are balanced at night", project: "bank" });
  const whole = (await other.send("/export")).body;
  const dbPath = join(folder, "old.db");
  // The server is still running, so its latest writes are in the WAL file.
  for (const end of ["", "-wal"]) copyFileSync(join(other.home, `memsvc.db${end}`), `${dbPath}${end}`);
  await other.close();
  return { dbPath, whole };
}

const hashOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

/** A store with the first schema. */
function oldStore(): string {
  const path = join(folder, "first.db");
  const database = new Database(path);
  for (const statement of readMigrations()[0]?.statements ?? []) database.exec(statement);
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec("PRAGMA user_version = 1");
  database.exec(`INSERT INTO memories (id, title, content, type, concepts, files, version, is_latest, project,
    project_key, source_observation_ids, session_ids, supersedes, related_ids, created_at, updated_at,
    strength_anchor, strength_anchor_at, stability_days)
    VALUES ('mem_old', 'Old', 'an old truth about vaults', 'fact', '["vault"]', '[]', 1, 1, 'bank', 'bank', '[]', '[]',
    '[]', '[]', 1767225600000, 1767225600000, 1, 1767225600000, 30)`);
  database.close();
  return path;
}

describe("a file to migrate from", () => {
  test("may be another store's database, which is imported and left unchanged", async () => {
    const { dbPath, whole } = await anotherStore();
    const before = [hashOf(dbPath), hashOf(`${dbPath}-wal`), readdirSync(folder)];
    const { sessions, memories } = whole as Record<string, { id: string }[]>;
    expect(await http.ok(migrate, { dbPath })).toMatchObject({
      sessionCount: sessions?.length,
      obsCount: 1,
      summaryCount: 0,
      memoryCount: memories?.length,
    });
    expect([hashOf(dbPath), hashOf(`${dbPath}-wal`), readdirSync(folder)]).toEqual(before);
    expect(readdirSync(http.home).filter((name) => name.startsWith("migrate-"))).toEqual([]);
    expect((await http.ok(smartSearch, { query: "ledgers", project: "bank" })).results).not.toEqual([]);
    expect(graphContent((await http.send("/export")).body)).toEqual(graphContent(whole));
    const { entries } = await http.ok(listAudit, { operation: "migrate" });
    expect(entries).toMatchObject([
      {
        functionId: "store.migrate",
        details: { step: "db-path", counts: { memories: { written: 1, skipped: 0 } } },
      },
    ]);
  });

  test("changes nothing the second time, and counts what it skipped", async () => {
    const { dbPath } = await anotherStore();
    await http.ok(migrate, { dbPath });
    const memories = await http.ok(listMemories, {});
    http.advance(60_000);
    const again = await http.ok(migrate, { dbPath });
    expect(again).toMatchObject({ sessionCount: 0, obsCount: 0, summaryCount: 0, memoryCount: 0 });
    expect("skipped" in again && again.skipped).toBeGreaterThan(2);
    expect((await http.ok(listMemories, {})).total).toBe(memories.total);
  });

  test("does not overwrite stored records, even with later ones", async () => {
    const { memoryId } = await http.ok(remember, { content: "ours" });
    const theirs = { id: memoryId, content: "theirs", createdAt: "2027-01-01T00:00:00Z" };
    const dbPath = join(folder, "backup.json");
    writeFileSync(dbPath, JSON.stringify({ version: "1", memories: [theirs] }));
    expect(await http.ok(migrate, { dbPath })).toMatchObject({ memoryCount: 0, skipped: 1 });
    expect((await http.ok(getMemory, { id: memoryId })).memory.content).toBe("ours");
  });

  test("may be an export", async () => {
    const { whole } = await anotherStore();
    const dbPath = join(folder, "backup.json");
    writeFileSync(dbPath, JSON.stringify(whole));
    expect(await http.ok(migrate, { dbPath })).toMatchObject({ obsCount: 1, memoryCount: 1 });
  });

  test("may have the first schema, and is upgraded in a copy", async () => {
    const dbPath = oldStore();
    const before = hashOf(dbPath);
    expect(await http.ok(migrate, { dbPath })).toMatchObject({ memoryCount: 1 });
    expect(hashOf(dbPath)).toBe(before);
    expect(existsSync(join(folder, "snapshots"))).toBe(false);
    const { graphNodes } = (await http.send("/export")).body as { graphNodes: { name: string }[] };
    expect(graphNodes.map(({ name }) => name)).toEqual(["vault", "bank"]);
  });

  test.each(fixtures)("may be a store of an earlier version: %s", async (name) => {
    const dbPath = join(folder, "left.db");
    writeFileSync(dbPath, gunzipSync(readFileSync(new URL(name, fixturesFolder))));
    const told = JSON.parse(readFileSync(new URL(name.replace(".db.gz", ".json"), fixturesFolder), "utf8"));
    const merged = await http.ok(migrate, { dbPath });
    expect(merged).toMatchObject({ sessionCount: told.sessions.length });
    expect("memoryCount" in merged && merged.memoryCount).toBeGreaterThan(0);
    const { checks } = await http.ok(diagnose, { categories: ["graph", "index", "sessions"] });
    expect(checks.filter(({ status }) => status === "fail")).toEqual([]);
  });

  test("cannot set the replace strategy", async () => {
    await http.ok(remember, { content: "ours" });
    const dbPath = join(folder, "sly.json");
    writeFileSync(dbPath, `{"version":"1","memories":[]},"strategy":"replace"`);
    await http.reply(migrate, { dbPath });
    expect((await http.ok(listMemories, {})).total).toBe(1);
  });

  test.each([
    ["text", "no export at all", /file cannot be imported: it is neither a database nor JSON/u],
    ["an export with a fault", JSON.stringify({ memories: [{ id: "mem_x" }] }), /memories\.0\.content/u],
    ["a cut database", "SQLite format 3\0 and no more", /file cannot be imported: it is damaged/u],
  ])("that is %s is a 400 with the reason, and nothing changes", async (_, content, told) => {
    const before = await dumpStore(http, ["jobs"]);
    const dbPath = join(folder, "file");
    writeFileSync(dbPath, content);
    expect(await http.reply(migrate, { dbPath })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(told) },
    });
    expect(await dumpStore(http, ["jobs"])).toBe(before);
    expect(readdirSync(http.home).filter((name) => /^(?:migrate|import)-/u.test(name))).toEqual([]);
  });

  test.each([
    ["of another program", 1, schemaVersion],
    ["of a newer memsvc", applicationId, schemaVersion + 1],
  ])("that is a database %s is a 400", async (_, application, version) => {
    const dbPath = join(folder, "foreign.db");
    const database = new Database(dbPath);
    database.exec("CREATE TABLE memories (id TEXT)");
    database.exec(`PRAGMA application_id = ${application}`);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    expect((await http.reply(migrate, { dbPath })).status).toBe(400);
  });

  test("is a 404 when missing, a 403 outside the allowed folders and a 400 when it is a folder", async () => {
    expect((await http.reply(migrate, { dbPath: join(folder, "none.db") })).status).toBe(404);
    expect((await http.reply(migrate, { dbPath: "/etc/hosts" })).status).toBe(403);
    expect((await http.reply(migrate, { dbPath: join(http.home, "memsvc.db") })).status).toBe(403);
    expect((await http.reply(migrate, { dbPath: folder })).status).toBe(400);
  });

  test("cannot be combined with a step or a dry run", async () => {
    const dbPath = join(folder, "x.json");
    writeFileSync(dbPath, "{}");
    for (const input of [{ dbPath, step: "infer-memory-projects" }, { dbPath, dryRun: true }, { dbPath: "" }])
      expect((await http.reply(migrate, input)).status).toBe(400);
  });

  test("over the import size limit is a 413", async () => {
    const small = await openTestHttp({
      env: { MEMSVC_ALLOWED_ROOTS: folder, MEMSVC_MAX_IMPORT_BYTES: "2000" },
    });
    const dbPath = join(folder, "large.json");
    writeFileSync(dbPath, JSON.stringify({ memories: [{ content: "x".repeat(4_000) }] }));
    expect((await small.reply(migrate, { dbPath })).status).toBe(413);
    await small.close();
  });
});
