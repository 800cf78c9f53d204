import { rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, type DaemonProcess, openSandbox, startDaemon } from "./program-process.ts";

const sandbox = forAllTests(openSandbox);
let daemon: DaemonProcess;

beforeAll(async () => {
  buildOnce();
  daemon = await startDaemon(sandbox);
  const event = { hook_event_name: "UserPromptSubmit", session_id: "s1", cwd: "/code/shop" };
  await sandbox.runHere(["observe"], {
    stdin: JSON.stringify({ ...event, prompt: "Why does checkout time out?" }),
  });
  await sandbox.runHere(["remember", "Checkout asks the bank twice", "--project", "shop"]);
  await sandbox.runHere(["remember", "Checkout of the repository is shallow", "--project", "ci"]);
});
afterAll(() => daemon.stop());

interface Found {
  readonly totalCount: number;
  readonly results: readonly { readonly obsId: string; readonly title: string; readonly project?: string }[];
}

async function titles(...flags: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await sandbox.runHere(["search", "checkout", "--json", ...flags]);
  return (JSON.parse(stdout) as Found).results.map(({ title }) => title).sort();
}

const bank = "Checkout asks the bank twice";
const shallow = "Checkout of the repository is shallow";
const question = "Why does checkout time out?";

describe("memsvc search", () => {
  test("takes times in words, and says which it takes", async () => {
    for (const since of ["today", "yesterday", "2h", "last week"]) {
      expect(await titles("--project", "shop", "--since", since)).toEqual([bank, question]);
    }
    expect(await titles("--project", "shop", "--until", "today")).toEqual([bank, question]);
    expect(await titles("--project", "shop", "--until", "yesterday")).toEqual([]);
    for (const since of ["soonish", "2026-11", "2026"]) {
      const { exit, stderr } = await sandbox.runHere(["search", "checkout", "--since", since]);
      expect({ exit, stderr }).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(
          `--since must be a time such as 2025-01-31, yesterday or 2h, not "${since}"`,
        ),
      });
    }
    const { stdout } = await sandbox.runHere(["audit", "--since", "2 hours ago", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ entries: expect.arrayContaining([expect.anything()]) });
  });

  test.each([
    ["with the daemon", []],
    ["offline", ["--offline"]],
  ])("tells apart words that differ in their last letter, %s", async (_where, flags) => {
    await sandbox.runHere(["remember", "The menu has six entries", "--project", "meals"]);
    expect((await sandbox.runHere(["search", "menu", "--project", "meals", ...flags])).exit).toBe(0);
    expect((await sandbox.runHere(["search", "men", "--project", "meals", ...flags])).exit).toBe(3);
  });

  test("prints the API's answer with --json, and exits with 3 when nothing matches", async () => {
    const { daemon: url } = JSON.parse((await sandbox.runHere(["status", "--json"])).stdout) as {
      daemon: string;
    };
    const asked = { query: "checkout", limit: 2, source: "viewer" };
    // Has what was just stored put in its place in the graph, which else comes between the two searches.
    await fetch(`${url}/graph/stats`);
    const response = await fetch(`${url}/smart-search`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(asked),
    });
    const line = ["search", "checkout", "--limit", "2", "--source", "viewer", "--json"];
    expect((await sandbox.run(line)).stdout).toBe(`${await response.text()}\n`);
    expect(await sandbox.runHere(["search", "zebra"])).toMatchObject({
      exit: 3,
      stdout: "nothing matches\n",
      stderr: "",
    });
    expect((await sandbox.runHere(["search", "zebra", "--json"])).exit).toBe(3);
  });

  test.each([
    ["with the daemon", []],
    ["offline", ["--offline"]],
  ])("shows the passage of a long text that matches, %s", async (_where, flags) => {
    const content = `${"Nothing of note was decided. ".repeat(12)}Kestrels nest in the attic. ${"It rained. ".repeat(30)}`;
    const title = ["--title", "Minutes of May", "--project", "birds"];
    const id = (await sandbox.runHere(["remember", content, ...title])).stdout.trim();
    const asked = ["where does a kestrel nest", "--project", "birds", ...flags];
    const passage = "… Kestrels nest in the attic. It rained.";
    const printed = expect.stringMatching(new RegExp(`^ 1\\. Minutes of May\\n.*\\n {4}${passage}`, "u"));
    expect(await sandbox.run(["search", ...asked, "--explain"])).toMatchObject({ exit: 0, stdout: printed });
    expect(await sandbox.runHere(["recall", ...asked])).toMatchObject({ exit: 0, stdout: printed });
    const { stdout } = await sandbox.runHere(["search", ...asked, "--json"]);
    const results = [{ narrative: content.slice(0, 300), passage: expect.stringContaining(passage) }];
    expect(JSON.parse(stdout)).toMatchObject({ results });
    await sandbox.runHere(["forget", id]);
  });

  test("without any stream exits with 1 and says that nothing was searched", async () => {
    const env = { MEMSVC_BM25_WEIGHT: "0", MEMSVC_VECTOR_WEIGHT: "0", MEMSVC_GRAPH_WEIGHT: "0" };
    const line = ["search", "checkout", "--offline"];
    const asked = await sandbox.run(line, { env });
    expect(asked).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^nothing was searched: /u) });
    for (const name of Object.keys(env)) expect(asked.stdout).toContain(name);
    expect((await sandbox.runHere([...line, "--json"], { env })).exit).toBe(1);
    expect((await sandbox.runHere(["recall", "checkout", "--offline"], { env })).exit).toBe(1);
  });

  test("filters by --kind, --project, --since and --until", async () => {
    expect(await titles()).toEqual([bank, shallow, question]);
    expect(await titles("--kind", "observation")).toEqual([question]);
    expect(await titles("--project", "ci")).toEqual([shallow]);
    expect(await titles("--until", "2020-01-01")).toEqual([]);
    expect(await titles("--since", "2020-01-01", "--kind", "memory")).toEqual([bank, shallow]);
  });

  test("takes --project . as the current folder's project", async () => {
    const id = (await sandbox.runHere(["remember", "Checkout lives here", "--project", "."])).stdout.trim();
    const here = await sandbox.runHere(["search", "checkout", "--project", ".", "--json"]);
    expect((JSON.parse(here.stdout) as Found).results.map(({ obsId }) => obsId)).toEqual([id]);
    await sandbox.runHere(["forget", id]);
  });

  test.each([
    ["search checkout --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    [
      "search checkout --project Shop --format full",
      "no session or memory belongs to a project Shop; did you mean shop?",
    ],
    ["recall checkout --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    ["memory list --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    ["context --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    ["next --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    [
      "enrich src/a.ts --project /code/shpo",
      "no session or memory belongs to a project /code/shpo; did you mean /code/shop?",
      "nothing is known about these files\n",
    ],
    [
      "governance bulk-delete --project warehouse",
      "no session or memory belongs to a project warehouse; memsvc project list shows the known ones",
    ],
    ["graph stats --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    [
      "memory list --count --project shpo",
      "no session or memory belongs to a project shpo; did you mean shop?",
    ],
    ["profile shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    ["consolidate --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    [
      "vault export notes --project shpo",
      "no session or memory belongs to a project shpo; did you mean shop?",
    ],
    ["crystal auto --project shpo", "no session or memory belongs to a project shpo; did you mean shop?"],
    [
      "graph stats --agent-id bulider",
      "no recent session or memory belongs to an agent bulider; did you mean builder?",
    ],
    ["audit --operation rember", "no operation is called rember; did you mean remember?"],
    ["audit --operation restore", "no operation is called restore; did you mean snapshot_restore?"],
    [
      "session list --agent-id bulider",
      "no recent session or memory belongs to an agent bulider; did you mean builder?",
    ],
  ])("answers %s with a hint to what may have been meant", async (line, hint, told = "") => {
    await sandbox.runHere(["remember", "Scripts are run by the builder", "--agent-id", "builder"]);
    expect((await sandbox.runHere(line.split(" "))).stderr).toBe(`${told}hint: ${hint}\n`);
  });

  test("gives no hint about a project whose actions, sketches or lessons were filtered out", async () => {
    const { stdout } = await sandbox.runHere(["action", "create", "Write docs", "--project", "shep"]);
    await sandbox.runHere(["action", "update", stdout.trim(), "--status", "done"]);
    await sandbox.runHere(["sketch", "create", "Perhaps", "--project", "shap"]);
    await sandbox.runHere(["lesson", "save", "Always test", "--project", "ship"]);
    for (const line of [
      "next --project shep",
      "frontier --project shep",
      "action list --project shep --status active",
      "crystal list --project shep",
      "next --project shap",
      "sketch list --project shap --status promoted",
      "lesson list --project ship --min-confidence 0.99",
    ]) {
      expect({ line, ...(await sandbox.runHere(line.split(" "))) }).toMatchObject({
        line,
        exit: 0,
        stderr: "",
      });
    }
  });

  test("points to matching lessons when nothing else matches, without doubting the project", async () => {
    await sandbox.runHere(["lesson", "save", "Zeppelins need helium", "--project", "airship"]);
    for (const verb of ["search", "recall"])
      expect(await sandbox.runHere([verb, "zeppelins helium", "--project", "airship"])).toMatchObject({
        exit: 3,
        stderr: 'hint: 1 lesson matches; memsvc lesson search "zeppelins helium" shows it\n',
      });
    expect((await sandbox.runHere(["search", "zeppelins", "--kind", "memory"])).stderr).toBe("");
    expect((await sandbox.runHere(["search", "zeppelins", "--include-lessons"])).exit).toBe(0);
    expect((await sandbox.runHere(["context", "--project", "airship"])).stderr).toBe("");
  });

  test("points to a lesson with most of the words beside weak hits", async () => {
    await sandbox.runHere(["remember", "The mooring mast is rusty", "--project", "harbour"]);
    await sandbox.runHere([
      "lesson",
      "save",
      "Dirigibles leave their mooring at dawn",
      "--project",
      "harbour",
    ]);
    const asked = ["search", "dirigibles at dawn leaving their mooring", "--project", "harbour"];
    const { stdout, stderr } = await sandbox.runHere(asked);
    expect(stdout).toContain("The mooring mast is rusty");
    expect(stderr).toMatch(/^hint: 1 lesson matches; memsvc lesson search "dirigibles /u);
    expect((await sandbox.runHere([...asked, "--include-lessons"])).stderr).toBe("");
  });

  test("gives a hint with the total if --offset skips the whole list", async () => {
    expect((await sandbox.runHere(["memory", "list", "--project", "shop", "--offset", "99"])).stderr).toMatch(
      /^hint: --offset 99 skips everything: there are only \d+\n$/u,
    );
  });

  test.each([
    "search zebra --project shop",
    "search zebra --project /code/shop",
    "search checkout --project shpo --json",
    "search checkout --project shpo --quiet",
    "session list --project ci",
    "session list --agent-id scribe",
    "memory list --offset 1",
    "audit --operation lesson_delete",
    "graph stats --project shop",
    "context",
  ])("gives no hint for %s, which names what exists or wants no messages", async (line) => {
    expect((await sandbox.runHere(line.split(" "))).stderr).toBe("");
  });

  test("explains a score by the share of each stream with --explain", async () => {
    const { stdout } = await sandbox.runHere(["search", "bank", "--explain"]);
    expect(stdout).toMatch(/^ {4}score [\d.]+ = keyword: rank 1, score [\d.]+, adds [\d.]+/mu);
  });

  test("prints results in the requested --format and within the --token-budget", async () => {
    const full = await sandbox.runHere(["search", "bank", "--format", "full"]);
    expect(full.stdout).toBe(`${bank}\n${bank}\n`);
    const narrative = await sandbox.runHere(["search", "bank", "--format", "Narrative"]);
    expect(narrative.stdout).toContain(`1. ${bank}`);
    const budgeted = await sandbox.runHere([
      "search",
      "checkout",
      "--format",
      "compact",
      "--token-budget",
      "60",
      "--json",
    ]);
    expect(JSON.parse(budgeted.stdout)).toMatchObject({ format: "compact", tokens_budget: 60 });
  });

  test("shows the records that --expand names, without a query", async () => {
    const [found] = JSON.parse((await sandbox.runHere(["search", "bank", "--json"])).stdout).results;
    const { exit, stdout } = await sandbox.runHere(["search", "--expand", found.obsId]);
    expect(exit).toBe(0);
    expect(stdout).toContain(bank);
  });

  test("says if the token budget is too small for every result", async () => {
    const line = ["search", "bank", "--format", "compact", "--token-budget", "1"];
    expect(await sandbox.runHere(line)).toMatchObject({
      exit: 0,
      stdout: "1 record found, none of which fits into 1 tokens\n",
    });
    expect((await sandbox.runHere([...line.with(1, "zebra")])).exit).toBe(3);
  });

  test.each([["--kind", "memory"], ["--since", "2020-01-01"], ["--explain"]])(
    "refuses %s together with --format",
    async (...flag) => {
      const { exit, stderr } = await sandbox.runHere(["search", "checkout", "--format", "full", ...flag]);
      expect(exit).toBe(2);
      expect(stderr).toContain(`${flag[0]} cannot be combined with --format`);
    },
  );
});

const backup = {
  version: "0.1.0",
  sessions: [{ id: "old", project: "shop" }],
  memories: [
    {
      id: "mem_1",
      title: "Coupons",
      content: "Coupons expire at midnight",
      isLatest: true,
      createdAt: "2025-01-02T03:04:05.000Z",
      project: "shop",
    },
    {
      id: "mem_0",
      title: "Coupons once",
      content: "Coupons never expired",
      isLatest: false,
      createdAt: "2024-01-02T03:04:05.000Z",
    },
  ],
  observations: {
    old: [
      {
        id: "obs_1",
        sessionId: "old",
        title: "Coupons failed",
        narrative: "The coupon test failed",
        timestamp: "2025-03-02T03:04:05.000Z",
        // As deep as a request may bring it.
        raw: { hookType: "stop", data: JSON.parse(`${"[".repeat(63)}${"]".repeat(63)}`) },
      },
    ],
  },
};

describe("memsvc search --in", () => {
  let plain: string;
  let zipped: string;

  beforeAll(() => {
    plain = join(sandbox.folder, "export.json");
    zipped = join(sandbox.folder, "export.json.gz");
    writeFileSync(plain, JSON.stringify(backup));
    writeFileSync(zipped, gzipSync(JSON.stringify(backup)));
  });

  async function ids(file: string, ...flags: readonly string[]): Promise<readonly string[]> {
    const { stdout, stderr } = await sandbox.runHere(["search", "coupons", "--in", file, "--json", ...flags]);
    expect(stderr).toBe("");
    return (JSON.parse(stdout) as Found).results.map(({ obsId }) => obsId).sort();
  }

  test("finds the results of a store in its export, plain or compressed", async () => {
    expect(await ids(plain)).toEqual(["mem_1", "obs_1"]);
    expect(await ids(zipped)).toEqual(["mem_1", "obs_1"]);
    const shown = await sandbox.runHere(["search", "coupons", "--in", zipped, "--limit", "1"]);
    expect(shown.stdout).toMatch(/^ 1\. Coupons/u);
    expect(shown.stdout).toContain("1 more: --limit 2");
    expect((await sandbox.runHere(["search", "zebra", "--in", plain])).exit).toBe(3);
  });

  test("shows the passage of a long text that matches", async () => {
    const file = join(sandbox.folder, "long.json");
    const content = `${"Nothing of note. ".repeat(20)}Coupons are printed weekly. ${"It rained. ".repeat(30)}`;
    const memory = { id: "mem_2", title: "Minutes", content, createdAt: "2025-01-02T03:04:05.000Z" };
    writeFileSync(file, JSON.stringify({ version: "0.1.0", memories: [memory] }));
    const asked = ["search", "a printed coupon", "--in", file];
    expect((await sandbox.runHere(asked)).stdout).toContain("\n    … Coupons are printed weekly. It rained.");
    const { results } = JSON.parse((await sandbox.runHere([...asked, "--json"])).stdout);
    expect(results).toMatchObject([
      {
        narrative: content.slice(0, 300),
        passage: expect.stringMatching(/^… Coupons are printed weekly\./u),
      },
    ]);
  });

  test("filters by kind, time and project, and refuses an invalid day and --explain", async () => {
    expect(await ids(plain, "--kind", "memory")).toEqual(["mem_1"]);
    expect(await ids(plain, "--since", "2025-02-01")).toEqual(["obs_1"]);
    expect(await ids(plain, "--until", "2025-01-02T03:04:05")).toEqual(["mem_1"]);
    expect(await ids(plain, "--until", "2025-01-02")).toEqual(["mem_1"]);
    const noDay = await sandbox.runHere(["search", "coupons", "--in", plain, "--since", "2025-02-30"]);
    expect({ exit: noDay.exit, stderr: noDay.stderr }).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("ISO 8601"),
    });
    expect(await ids(plain, "--project", "shop")).toEqual(["mem_1", "obs_1"]);
    expect(await ids(plain, "--project", "ci")).toEqual([]);
    const unfit = await sandbox.runHere(["search", "coupons", "--in", plain, "--explain"]);
    expect(unfit).toMatchObject({ exit: 2, stdout: "" });
    expect(unfit.stderr).toContain("--explain cannot be combined with --in");
  });

  test("leaves out expired memories, raw events and other projects, and checks --limit", async () => {
    const file = join(sandbox.folder, "others.json");
    const memory = (id: string, more: object) => ({
      id,
      title: "Coupons",
      content: "Coupons expire",
      createdAt: "2025-01-02T03:04:05.000Z",
      ...more,
    });
    const memories = [
      memory("general", {}),
      memory("by_path", { project: "/code/shop/" }),
      memory("twin", { project: "/other/shop" }),
      memory("foreign", { project: "/code/workshop" }),
      memory("expired", { project: "shop", forgetAfter: "2025-02-01T00:00:00.000Z" }),
    ];
    writeFileSync(file, JSON.stringify({ memories, observations: { s: [{ ...memory("event", {}) }] } }));
    expect(await ids(file, "--project", "shop")).toEqual(["by_path", "general", "twin"]);
    expect(await ids(file, "--project", "/code/shop")).toEqual(["by_path", "general"]);
    for (const limit of ["0", "-1", "1.5"])
      expect((await sandbox.runHere(["search", "coupons", "--in", file, "--limit", limit])).exit).toBe(2);
  });

  test("searches lessons only with --kind lesson or --include-lessons", async () => {
    const file = join(sandbox.folder, "lessons.json");
    const lesson = (id: string, more: object) => ({
      id,
      content: "Coupons need a clock of their own",
      createdAt: "2025-01-02T03:04:05.000Z",
      ...more,
    });
    const lessons = [
      lesson("general", { tags: ["time"] }),
      lesson("own", { project: "shop" }),
      lesson("foreign", { project: "ci" }),
      lesson("gone", { deleted: true }),
    ];
    writeFileSync(file, JSON.stringify({ ...backup, lessons }));
    expect(await ids(file)).toEqual(["mem_1", "obs_1"]);
    expect(await ids(file, "--kind", "lesson", "--project", "shop")).toEqual(["general", "own"]);
    expect(await ids(file, "--include-lessons")).toEqual(["foreign", "general", "mem_1", "obs_1", "own"]);
  });

  test("skips invalid records, and reads times in milliseconds", async () => {
    const file = join(sandbox.folder, "foreign.json");
    const row = { title: "Coupons", content: "Coupons expire", narrative: "Coupons expire" };
    const memories = [
      5,
      { ...row, id: "without_content", content: undefined },
      { ...row, id: "text", createdAt: "2025-01-02T03:04:05.000Z" },
      { ...row, id: "number", createdAt: Date.parse("2025-02-03") },
    ];
    const observations = { s1: [null, { ...row, id: "event", timestamp: Date.parse("2025-03-04") }], s2: 5 };
    writeFileSync(file, JSON.stringify({ memories, observations, sessions: [7] }));
    expect(await ids(file)).toEqual(["event", "number", "text"]);
    expect(await ids(file, "--since", "2025-02-01")).toEqual(["event", "number"]);
  });

  test.each([
    ["text", "Dear diary"],
    ["JSON of another kind", '{"rows": []}'],
    ["a list", "[]"],
    ["null", "null"],
    ["nothing", ""],
    ["a broken archive", Buffer.from([0x1f, 0x8b, 0x08, 1, 2, 3])],
  ])("refuses %s as not an export", async (_name, content) => {
    const file = join(sandbox.folder, "other");
    writeFileSync(file, content);
    const { exit, stderr } = await sandbox.runHere(["search", "x", "--in", file]);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/^memsvc: \S+ is not an export of memsvc\nhint: an export is JSON, [^\n]+\n$/u);
  });

  test("refuses a folder, and a link to itself, as such", async () => {
    const circle = join(sandbox.folder, "circle");
    symlinkSync(circle, circle);
    const told = async (file: string) => sandbox.runHere(["search", "x", "--in", file]);
    expect(await told(sandbox.folder)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/ is a folder[^\n]*\nhint: /u),
    });
    expect(await told(circle)).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/ is a link that leads back to itself\nhint: /u),
    });
  });

  test("says of a file that memory cannot hold how it is searched", async () => {
    const file = join(sandbox.folder, "large.json");
    writeFileSync(file, "");
    truncateSync(file, 2 ** 31);
    const { exit, stderr } = await sandbox.runHere(["search", "x", "--in", file]);
    rmSync(file);
    expect(exit).toBe(1);
    expect(stderr).toMatch(
      / is too large to be searched as it is\nhint: [^\n]+memsvc import \S+ --home <dir>\n$/u,
    );
  });

  test("exits with 3 for a missing file", async () => {
    const { exit, stderr } = await sandbox.run(["search", "x", "--in", "missing.json"]);
    expect({ exit, stderr }).toEqual({
      exit: 3,
      stderr: "memsvc: missing.json cannot be read\nhint: check the path given with --in\n",
    });
  });
});
