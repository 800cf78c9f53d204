import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { linkCommit, listCommits } from "../../src/capture/commits/operations.ts";
import { listProjects } from "../../src/capture/projects/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { databaseFile } from "../../src/config/home.ts";
import { createAction } from "../../src/coordination/actions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { forgetProject } from "../../src/governance/deletion/operations.ts";
import { projectTables } from "../../src/governance/deletion/project-tables.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { graphStats } from "../../src/graph/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { schemaVersion } from "../../src/store/migrate.ts";
import { event } from "../support/exported-store.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

/** Rows of these tables belong to rows of others and go with them; tombstones tell other stores of the deletion. */
const following = [
  "documents",
  "graph_counts",
  "graph_name_words",
  "graph_names",
  "tombstones",
  "vector_codes",
];

/** The rows of every table that has a project column, of the projects with these keys. */
async function rowsOf({ core }: TestHttp, keys: readonly string[]): Promise<Map<string, unknown[]>> {
  const { sql } = core.ground.store.read;
  const tables = await sql.values(
    `SELECT t.name FROM sqlite_master AS t WHERE t.type = 'table'
       AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) AS c WHERE c.name = 'project_key') ORDER BY t.name`,
  );
  const found = new Map<string, unknown[]>();
  for (const [table] of tables) {
    const among = "project_key IN (SELECT value FROM json_each(?))";
    const rows = await sql.values(`SELECT * FROM "${table}" WHERE ${among}`, [JSON.stringify(keys)]);
    found.set(String(table), rows);
  }
  return found;
}

const tablesWith = (rows: ReadonlyMap<string, readonly unknown[]>) =>
  [...rows].filter(([, own]) => own.length > 0).map(([table]) => table);

const findings = async (http: TestHttp) =>
  (await http.ok(diagnose, {})).checks.filter(({ status }) => status !== "pass");

describe("forgetting the project of a store with rows in every table", () => {
  const home = sharedFolder();
  const fixture = new URL(`../upgrade/fixtures/schema-${schemaVersion}.db.gz`, import.meta.url);
  const keys = ["shop", "/srv/shop"];
  let http: TestHttp;
  let found: readonly unknown[];
  let deleted: Readonly<Record<string, number>>;
  let before: ReadonlyMap<string, readonly unknown[]>;
  let ofOthers: ReadonlyMap<string, readonly unknown[]>;
  beforeAll(async () => {
    writeFileSync(databaseFile(home), gunzipSync(readFileSync(fixture)));
    http = await openTestHttp({ home });
    for (const table of ["memories", "actions", "sketches", "team_items"])
      await http.writeSql(`UPDATE ${table} SET project = 'shop', project_key = '/srv/shop'`);
    const other = { project: "/w/blog" };
    await http.ok(startSession, { ...other, sessionId: "blog", cwd: "/w/blog" });
    await http.ok(remember, { ...other, content: "Posts are kept in src/clock.ts", files: ["src/clock.ts"] });
    await http.ok(createAction, { ...other, title: "Write a post" });
    await http.ok(saveLesson, { ...other, content: "Read every post aloud" });
    await http.settled();
    // Answers once everything is in the graph.
    await http.ok(graphStats, {});
    before = await rowsOf(http, keys);
    ofOthers = await rowsOf(http, [other.project]);
    found = await findings(http);
    deleted = (await http.ok(forgetProject, { project: "shop", reason: "the contract ended" })).deleted;
  });
  afterAll(() => http.close());

  test("deletes its rows from every table that has a project column", async () => {
    expect(tablesWith(before)).toEqual([...before.keys()].filter((table) => table !== "tombstones"));
    const own = tablesWith(before).filter((table) => table !== "sessions" && !following.includes(table));
    expect(own.filter((table) => !projectTables.has(table))).toEqual([]);
    expect(Object.entries(deleted).filter(([, count]) => count === 0)).toEqual([]);
    expect(tablesWith(await rowsOf(http, keys))).toEqual(["tombstones"]);
  });

  test("leaves none of its texts in any table, and nothing that doctor would find", async () => {
    const texts = await dumpStore(http, ["audit_entries", "tombstones"]);
    expect(texts).not.toMatch(/srv\/shop|checkout|midnight/u);
    expect(found).toEqual(expect.arrayContaining(await findings(http)));
  });

  test("leaves every row of another project as it was", async () => {
    const tables = ["actions", "documents", "graph_nodes", "lessons", "memories", "sessions"];
    expect(tablesWith(ofOthers)).toEqual(expect.arrayContaining(tables));
    expect(await rowsOf(http, ["/w/blog"])).toEqual(ofOthers);
  });

  test("is in the audit, with the reason", async () => {
    const { entries } = await http.ok(listAudit, { operation: "delete" });
    expect(entries[0]).toMatchObject({
      functionId: "governance.forget-project",
      details: { project: "/srv/shop", reason: "the contract ended", ...deleted },
    });
  });
});

describe("a project to forget", () => {
  const http = forEachTest(openTestHttp);

  test("is found by its folder or by its name, and can begin anew", async () => {
    await event(http, "s1", "the queue loses wakeups");
    await http.ok(remember, { content: "Queues are drained", project: "shop" });
    const { project, total } = await http.ok(forgetProject, { project: "shop" });
    expect([project, total]).toEqual([{ project: "/w/shop", folders: [], names: ["shop"] }, 3]);
    expect((await http.ok(listProjects, {})).projects).toEqual([]);
    expect((await http.ok(smartSearch, { query: "queue wakeups" })).results).toEqual([]);
    await http.ok(remember, { content: "Queues are drained", project: "/w/shop" });
    expect((await http.reply(listMemories, { project: "shop" })).body.memories).toMatchObject([
      { content: "Queues are drained", version: 1 },
    ]);
  });

  test("takes the commits along that only its sessions are linked to", async () => {
    await event(http, "s1", "the queue loses wakeups");
    await http.ok(startSession, { sessionId: "blog", project: "/w/blog", cwd: "/w/blog" });
    await http.ok(linkCommit, { sha: "aaaaaaa1", sessionId: "s1", message: "Wake the queue" });
    for (const sessionId of ["s1", "blog"]) await http.ok(linkCommit, { sha: "bbbbbbb2", sessionId });
    await http.ok(linkCommit, { sha: "ccccccc3" });
    await http.ok(forgetProject, { project: "shop" });
    const { commits } = await http.ok(listCommits, {});
    expect(commits.map(({ sha, sessionIds }) => [sha, sessionIds])).toEqual([
      ["ccccccc3", []],
      ["bbbbbbb2", ["blog"]],
    ]);
    expect(await dumpStore(http, ["audit_entries"])).not.toContain("aaaaaaa1");
  });

  test("can begin anew in a process that has written to it, though another one forgets it", async () => {
    for (const content of ["Queues are drained", "Cats are fed"])
      await http.ok(remember, { content, project: "/w/shop" });
    const other = await openTestHttp({ home: http.home });
    expect((await other.ok(forgetProject, { project: "shop" })).total).toBe(2);
    await other.close();
    await http.ok(remember, { content: "Mice are counted", project: "/w/shop" });
    expect((await http.reply(listMemories, { project: "shop" })).body.memories).toHaveLength(1);
  });

  test("must be known", async () => {
    const { status, body } = await http.reply(forgetProject, { project: "/w/nowhere" });
    expect([status, body.error]).toEqual([404, "nothing is stored for the project /w/nowhere"]);
  });

  test("must be named by its folder if several share its name", async () => {
    for (const folder of ["/a/shop", "/b/shop"])
      await http.ok(remember, { content: `kept in ${folder}`, project: folder });
    const { status, body } = await http.reply(forgetProject, { project: "shop" });
    expect([status, body.error]).toEqual([
      409,
      "2 folders are called shop: /a/shop, /b/shop; name the folder of the one to forget",
    ]);
    await http.ok(forgetProject, { project: "/a/shop" });
    const { body: left } = await http.reply(listMemories, {});
    expect(left.memories).toMatchObject([{ content: "kept in /b/shop" }]);
  });
});
