import { beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox, type ProgramRun } from "./program-process.ts";

/*
 * The commands of what was learned: what they print for people and programs, and how they end.
 */

beforeAll(buildOnce);

const sandbox = forAllTests(openSandbox);

const env = { MEMSVC_SLOTS: "true", MEMSVC_REFLECT: "true" };

const printedByProcess = async (...args: readonly string[]) => textOf(await sandbox.run(args, { env }));
const printed = async (...args: readonly string[]) => textOf(await sandbox.runHere(args, { env }));

function textOf({ exit, stdout, stderr }: Pick<ProgramRun, "exit" | "stdout" | "stderr">): string {
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout;
}

describe("lesson", () => {
  test("save prints the id with which to strengthen, show and delete the lesson", async () => {
    const id = (
      await printedByProcess("lesson", "save", "Copy first", "--tag", "db", "--project", "shop")
    ).trim();
    expect(id).toMatch(/^lsn_[0-9a-z]{26}$/u);
    expect(await printed("lesson", "list")).toMatch(new RegExp(`^${id}  0.50  Copy first  shop, `, "u"));
    expect(await printed("lesson", "search", "copy")).toContain(id);
    expect(await printed("lesson", "strengthen", id)).toBe("confidence 0.55, confirmed 1×\n");
    expect(await printed("show", id)).toContain("tags: db\nconfidence: 0.55 after 1 confirmation\n");
    expect(await printed("search", "copy", "--include-lessons")).toContain(`lesson · `);
    const deleted = await sandbox.runHere(["lesson", "delete", id]);
    expect(deleted.stdout).toBe(`deleted ${id}\n`);
    expect(deleted.stderr).toContain("stays in the database and in exports");
    expect(await printed("lesson", "list")).toBe("no lessons found\n");
    expect((await sandbox.runHere(["lesson", "delete", id])).exit).toBe(3);
  });

  test("save takes repeated --tag and prints JSON, and list names the offset of the next page", async () => {
    const answer = JSON.parse(await printed("lesson", "save", "x", "--tag", "a", "--tag", "b", "--json"));
    expect(answer).toMatchObject({ success: true, action: "created", lesson: { tags: ["a", "b"] } });
    await printed("lesson", "save", "y");
    expect(await printed("lesson", "list", "--limit", "1")).toMatch(/\n… 1 more: --offset 1\n$/u);
    expect(await printed("lesson", "list", "--limit", "1", "--offset", "1")).not.toContain("more");
    expect(await printed("audit", "--limit", "1")).toMatch(/\n… \d+ more: --offset 1\n$/u);
  });
});

describe("slot", () => {
  test("lists, creates, appends to, empties and deletes slots", async () => {
    expect(await printed("slot", "list", "--project", "shop")).toMatch(
      /^guidance +\(empty\) {2}project, pinned\n/u,
    );
    expect(await printed("slot", "create", "notes", "hello", "there")).toBe("notes\n");
    expect(await printed("slot", "append", "notes", "more")).toBe("notes holds 16 of 2000 characters\n");
    expect(await printedByProcess("slot", "get", "notes")).toBe("hello there\nmore\n");
    expect(await printed("slot", "replace", "notes", "")).toBe("notes holds 0 of 2000 characters\n");
    expect(await printed("slot", "delete", "notes")).toBe("deleted 1 slot\n");
    for (const flags of [["--no-pinned"], ["--pinned"], []]) {
      const made = JSON.parse(await printed("slot", "create", "notes", ...flags, "--json"));
      expect(made.slot.pinned).toBe(flags[0] !== "--no-pinned");
      await printed("slot", "delete", "notes");
    }
  });

  test("exits with 3 for an unknown slot, 5 for an existing one, 1 if too long, 6 if slots are off", async () => {
    const exit = async (args: readonly string[]) => (await sandbox.runHere(args, { env })).exit;
    expect(await exit(["slot", "get", "nowhere"])).toBe(3);
    expect(await exit(["slot", "create", "persona", "--scope", "global"])).toBe(5);
    expect(await exit(["slot", "replace", "persona", "x".repeat(1_001)])).toBe(1);
    expect(await exit(["slot", "reflect", "nobody"])).toBe(3);
    const off = await sandbox.run(["slot", "list"]);
    expect(off.exit).toBe(6);
    expect(off.stderr).toContain("MEMSVC_SLOTS=true");
  });
});

test("relation create links two memories, and relation list shows those of one memory", async () => {
  const first = (await printed("remember", "alpha one two")).trim();
  const second = (await printed("remember", "beta three four")).trim();
  const flags = ["--type", "extends", "--confidence", "0.7"];
  expect(await printed("relation", "create", first, second, ...flags)).toMatch(/^rel_/u);
  expect(await printed("relation", "list")).toBe(
    `${first}  extends  ${second}  alpha one two → beta three four  confidence 0.70\n`,
  );
  expect(await printed("relation", "list", second)).toContain(`  ${first}  alpha one two  confidence 0.70\n`);
});

test.each([
  [["pattern", "list"], "nothing recurs yet"],
  [["fact", "list"], "no facts found; memsvc consolidate derives them from what is stored"],
  [["procedure", "list"], "no procedures found; memsvc consolidate derives them from what is stored"],
  [["insight", "list"], "no insights found; memsvc consolidate derives them from what is stored"],
])("%j says that nothing is stored", async (args, said) => {
  expect(await printed(...args)).toBe(`${said}\n`);
});

test.each([
  [["insight", "search", "x"], "no insight matches"],
  [["lesson", "search", "zebra"], "no lesson matches"],
])("%j says that nothing matches and exits with 3", async (args, said) => {
  expect(await sandbox.run(args)).toMatchObject({ exit: 3, stdout: `${said}\n` });
});

test("pattern rules prints a bullet list for an agent's instructions, or says that there is none", async () => {
  const none = await sandbox.runHere(["pattern", "rules", "--project", "empty"]);
  expect(none).toMatchObject({ exit: 0, stdout: "" });
  expect(none.stderr).toMatch(/^no rules yet\nhint: no session or memory belongs to a project empty; .*\n$/u);
  const unknown = await sandbox.runHere(["context", "--home", "empty"]);
  expect(unknown).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "nothing is known about this project yet\n",
  });
  await printed("remember", "Use spaces", "--type", "preference");
  const long = `Pass the current time in as a parameter, in tests as in the program, ${"and so on, ".repeat(5)}always.`;
  await printed("remember", long, "--type", "preference");
  expect((await printed("pattern", "rules")).split("\n").sort()).toEqual(["", `- ${long}`, "- Use spaces"]);
});

test("migrate --dry-run says what would change, and an unknown step is refused", async () => {
  const { exit, stdout, stderr } = await sandbox.runHere(["migrate", "infer-memory-projects", "--dry-run"]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "nothing was changed\n" });
  expect(stdout).toMatch(
    /^0 memories would get a project; \d+ without a stored source, 0 of several projects\n$/u,
  );
  expect((await sandbox.runHere(["migrate", "coffee"])).exit).toBe(2);
});

test("a text given as - is what comes through standard input, and nothing changes if nothing comes", async () => {
  const piped = (stdin: string, ...args: readonly string[]) => sandbox.runHere(args, { env, stdin });
  await printed("slot", "create", "plan", "first");
  textOf(await piped("from a\npipe\r\n", "slot", "replace", "plan", "-"));
  textOf(await piped("and more\n", "slot", "append", "plan", "-"));
  const empty = await piped("", "slot", "replace", "plan", "-");
  expect(empty).toMatchObject({ exit: 2, stdout: "" });
  expect(empty.stderr).toContain("nothing was changed");
  expect(await printed("slot", "get", "plan")).toBe("from a\npipe\nand more\n");
  const memory = (await printed("remember", "Owls hunt at night")).trim();
  textOf(await piped("Owls hunt at dusk\n", "evolve", memory, "-"));
  textOf(await piped("Look where owls sit\n", "lesson", "save", "-"));
  textOf(await piped("An owl is here\n", "signal", "send", "-", "--from", "a", "--to", "b"));
  expect(await printed("memory", "list")).toContain("Owls hunt at dusk");
  expect(await printed("lesson", "list")).toContain("Look where owls sit");
  expect(await printed("signal", "read", "b")).toContain("An owl is here");
  await printed("slot", "delete", "plan");
});

describe("verify", () => {
  test("names a memory by its present text, and tells which versions are superseded", async () => {
    const first = (await printed("remember", "Invoices are kept in SQLite")).trim();
    const second = (await printed("evolve", first, "Invoices are kept in Postgres")).trim();
    expect(await printed("verify", second)).toBe(
      "Invoices are kept in Postgres  fact, version 2, strength 1\nno stored source\n",
    );
    expect(await printed("verify", first)).toMatch(/^Invoices are kept in SQLite {2}.*, superseded\n/u);
  });

  test("tells the session of an observation, and graph query what it is connected with", async () => {
    const event = {
      sessionId: "edits",
      project: "till",
      cwd: "/w/till",
      hookType: "post_tool_use",
      timestamp: "2026-01-01T00:01:00Z",
      data: { tool_name: "Edit", tool_input: { file_path: "src/queue.ts" }, tool_output: "ok" },
    };
    await sandbox.runHere(["observe"], { stdin: JSON.stringify(event) });
    const [id = ""] = /obs_\w+/u.exec(await printed("session", "show", "edits")) ?? [];
    expect(await printed("verify", id)).toBe(
      "Edited src/queue.ts  file_edit, importance 6, 2026-01-01T00:01:00.000Z\nsession edits of till, active\nno memory depends on it\n",
    );
    const model = { GRAPH_EXTRACTION_ENABLED: "true", ANTHROPIC_API_KEY: "k-0123456789" };
    const query = async (...words: string[]) =>
      (await sandbox.runHere(["graph", "query", ...words], { env: model })).stdout;
    expect(await query()).toMatch(/^file {10}src\/queue\.ts {2}2 edges, 1 source, gnd_\w+$/mu);
    expect(await query()).toMatch(/\n\nsrc\/queue\.ts related_to \d\.\d\d \w+\n/u);
    expect(await query()).toMatch(/\n\n3 nodes of 3, 2 edges between them\n$/u);
    expect(await query("--limit", "1")).toMatch(
      /^1 node of 3, .*; there is more, see --offset and --limit$/mu,
    );
    expect(await query("nothing like it")).toBe("no nodes\n");
  });
});
