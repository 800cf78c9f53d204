import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildOnce, type DaemonProcess, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";

/*
 * The everyday verbs, in this process and through a daemon: the same commands with the same outcome.
 */

beforeAll(buildOnce);

const memoryId = /^mem_[0-9a-z]+\n$/u;
/** A store that is in order; the second where the machine is so busy that its database answers late. */
const working = /^(?:healthy|degraded)$/u;

describe.each(["in process", "through the daemon"])("everyday commands %s:", (way) => {
  let sandbox: Sandbox;
  let daemon: DaemonProcess | undefined;

  beforeAll(async () => {
    sandbox = openSandbox();
    if (way === "through the daemon") daemon = await startDaemon(sandbox);
  });
  afterAll(async () => {
    await daemon?.stop();
    sandbox.remove();
  });

  async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { stdout } = await sandbox.runHere([...args, "--json"]);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  async function remembered(text: string, ...flags: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await sandbox.runHere(["remember", text, ...flags]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(memoryId);
    return stdout.trim();
  }

  test("status names the daemon if one answers, and says so if none does", async () => {
    await remembered("Status counts what is stored");
    const { exit, stdout } = await sandbox.run(["status"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      daemon === undefined ? /no daemon/u : /daemon at http:\/\/127\.0\.0\.1:\d+\/memsvc/u,
    );
    expect(stdout).toMatch(/^home {7}\S+\.memsvc, \d+(?:\.\d+)? [KM]iB\nstored {5}1 memory, 0 sessions$/mu);
    const report = await json("status");
    expect(report).toMatchObject({ memories: 1, sessions: 0, status: expect.stringMatching(working) });
    expect(typeof report.daemon).toBe(daemon === undefined ? "object" : "string");
  });

  test("remember records the user as the origin of the memory", async () => {
    const { memory } = await json("remember", "Told by hand, whichever way it went in");
    expect(memory).toMatchObject({ origin: { channel: "user" } });
  });

  test("remember prints the id under which show, memory get and search find the memory", async () => {
    const id = await remembered("Retries use full jitter", "--type", "architecture", "--project", "shop");
    const shown = await sandbox.run(["show", id]);
    expect(shown.exit).toBe(0);
    expect(shown.stdout).toContain(`id: ${id}\ntype: architecture\nproject: shop\n`);
    const got = await sandbox.runHere(["memory", "get", id]);
    expect(got.stdout).toContain("Retries use full jitter");
    const found = await sandbox.runHere(["search", "full", "jitter"]);
    expect(found.stdout).toContain(`· shop · ${id}\n`);
    expect((await json("memory", "list", "--project", "shop")).total).toBe(1);
    // A filter that lets nothing through is no empty store.
    const filtered = await sandbox.runHere(["memory", "list", "--project", "nowhere"]);
    expect(filtered.stdout).toBe("no memories found\n");
  });

  test("remember without a terminal names the replaced memory on stderr", async () => {
    const first = await remembered("The customer Acme Corporation is on the gold plan since March");
    const again = ["remember", "The customer Initech Corporation is on the gold plan since March"];
    const { stdout, stderr } = await sandbox.run(again);
    expect(stdout).toMatch(memoryId);
    expect(stderr).toBe(
      `replaces ${first}, as version 2; the old text is still there: memsvc show ${first}; if both hold: memsvc remember --separate <old text>\n`,
    );
    const repeated = await sandbox.runHere(again);
    expect(repeated.stderr).toBe(`was known in the same words: ${stdout.trim()}; this is version 3\n`);
    expect((await sandbox.runHere([...again, "--quiet"])).stderr).toBe("");
    const back = "The customer Acme Corporation is on the gold plan since March";
    const separate = await sandbox.run(["remember", "--separate", back]);
    expect(separate).toMatchObject({ exit: 0, stderr: "" });
    const { stdout: kept } = await sandbox.runHere(["memory", "list", "--latest"]);
    expect(kept.match(/(?:Acme|Initech) Corporation/gu)?.sort()).toEqual([
      "Acme Corporation",
      "Initech Corporation",
    ]);
  });

  test("remember on a terminal names the store with the command that shows the replaced memory", async () => {
    const inOther = (text: string) =>
      sandbox.runHere(["remember", text, "--home", "other"], { columns: 120 });
    await inOther("Deploys of the shop go through staging first");
    const { stdout } = await inOther("Deploys of the shop go through staging first, always");
    expect(stdout).toMatch(/the old text is still there: memsvc --home other show mem_/u);
  });

  test("evolve creates a new version, and for an old version fails with the id of the newest", async () => {
    const first = await remembered("Backups run at two");
    const evolved = await sandbox.runHere(["evolve", first, "Backups", "run", "at", "three"]);
    expect(evolved.stdout).toMatch(memoryId);
    const second = evolved.stdout.trim();
    const [newest, older] = (await sandbox.runHere(["memory", "list"])).stdout.split("\n");
    expect(newest).toMatch(new RegExp(`^${second}  .*, strength 1\\.00$`, "u"));
    expect(older).toMatch(new RegExp(`^${first}  .*, superseded$`, "u"));
    const again = await sandbox.run(["evolve", first, "Backups run at four"]);
    expect({ exit: again.exit, stdout: again.stdout }).toEqual({ exit: 5, stdout: "" });
    expect(again.stderr).toMatch(/^memsvc: memory \S+ has a newer version, \S+\nhint: /u);
    expect(again.stderr.split("\n")[1]).toContain(`memsvc evolve ${second}`);
    const restored = await sandbox.runHere(["forget", second, "--restore-previous"]);
    expect(restored.stdout).toBe(`deleted 1 memory; ${first} is the latest version again\n`);
  });

  test("forget deletes several memories", async () => {
    const first = await remembered("Snapshots are kept for a week");
    const second = await remembered("Deploys need a second pair of eyes");
    const gone = await sandbox.runHere(["forget", first, second]);
    expect(gone).toMatchObject({ exit: 0, stdout: "deleted 1 memory\ndeleted 1 memory\n" });
    for (const id of [first, second]) expect((await sandbox.runHere(["memory", "get", id])).exit).toBe(3);
    // Not even a word of theirs waits to be taken out of the index.
    expect((await sandbox.runHere(["status"])).stdout).toContain("0 waiting");
  });

  test("forget --include-session says that it deleted the session", async () => {
    await sandbox.runHere(["session", "start", "to-go"]);
    const forget = ["forget", "--session", "to-go", "--include-session"];
    expect((await sandbox.runHere([...forget, "--dry-run"])).stdout).toBe("would delete 1 session\n");
    expect((await sandbox.runHere(forget)).stdout).toBe("deleted 1 session\n");
  });

  test("forget goes on after an unknown id, and names the unknown ids at the end", async () => {
    const known = await remembered("Invoices are numbered by year");
    const gone = await sandbox.run(["forget", "mem_x", known, "mem_y", known]);
    expect(gone).toMatchObject({ exit: 3, stdout: "deleted 1 memory\n" });
    expect(gone.stderr).toMatch(/mem_x not known\n.*mem_y not known\nhint: /u);
    const deleted = ["governance", "delete", await remembered("Invoices are printed"), "mem_x"];
    expect(await sandbox.runHere(deleted)).toMatchObject({
      exit: 3,
      stdout: "deleted 1 memory; not known: mem_x\n",
    });
    expect((await sandbox.runHere(["memory", "get", known])).exit).toBe(3);
  });

  test("timeline around words that match nothing says so and exits with 3", async () => {
    expect(await sandbox.runHere(["timeline", "zebra"])).toMatchObject({
      exit: 3,
      stdout: "nothing matches\n",
    });
  });

  test("a missing record exits with 3, one line and a hint", async () => {
    const runs = [
      ["show", "mem_none"],
      ["memory", "get", "mem_none"],
      ["evolve", "mem_none", "text"],
      ["session", "show", "none"],
      ["session", "end", "none"],
    ];
    for (const args of runs) {
      const { exit, stdout, stderr } = await sandbox.runHere(args);
      expect({ exit, stdout }, args.join(" ")).toEqual({ exit: 3, stdout: "" });
      expect(stderr).toMatch(/^memsvc: [^\n]+\nhint: [^\n]+\n$/u);
    }
  });

  test.each([
    [
      "show ins_none cry_none",
      "read it with the command of its kind: memsvc insight list --limit 500, memsvc crystal list --limit 200",
    ],
    ["show mem_none", "search for it: memsvc search <query>"],
    [
      "show mem_none my-session",
      "search for it: memsvc search <query>; or, if it is a session: memsvc session show my-session",
    ],
    ["snapshot verify snp_none", "list the known ones: memsvc snapshot list"],
    ["lesson strengthen lsn_none", "search for it: memsvc lesson search <query>"],
    ["session by-commit abc1234", "list the linked commits: memsvc session commits"],
    ["governance delete mem_none", "list what there is: memsvc memory list"],
    ["verify mem_none", "search for it: memsvc search <query>"],
    ["graph import none.json", "check the path"],
    ["replay import", "name a transcript, or a folder of them: memsvc replay import <path>"],
    ["compress-file none.md", "check the path"],
    ["import none.json", "check the path"],
    ["export none/backup.json", "check the path"],
  ])("%s: exit 3 with a hint that fits the command", async (line, wayOut) => {
    const { exit, stderr } = await sandbox.runHere(line.split(" "));
    expect({ exit, hint: stderr.split("\n")[1] }).toEqual({ exit: 3, hint: `hint: ${wayOut}` });
  });

  test("recall without a terminal prints search results and asks nothing", async () => {
    await remembered("Deploys go through staging first");
    const recalled = await sandbox.run(["recall", "how do we deploy to staging"]);
    expect(recalled.exit).toBe(0);
    expect(recalled.stdout).toContain("Deploys go through staging first");
    const nothing = await sandbox.runHere(["recall", "zebra"]);
    expect(nothing).toMatchObject({ exit: 3, stdout: "nothing matches\n", stderr: "" });
  });

  test("session start prints the context block, and the session is listed, shown and ended", async () => {
    await remembered("The parcel queue wakes up by itself", "--project", "parcels");
    const start = ["session", "start", "morning", "--project", "parcels", "--title", "wake the queue"];
    const started = await sandbox.runHere(start);
    expect(started.stdout).toMatch(/^<memsvc-context project="parcels">\n[\s\S]*<\/memsvc-context>\n$/u);
    expect(started.stdout).toContain("The parcel queue wakes up by itself");
    expect(await json(...start)).toMatchObject({ success: true, session: { id: "morning" } });
    const list = await sandbox.runHere(["session", "list"]);
    expect(list.stdout).toMatch(/^morning {2}parcels {2}active, 0 observations, \S+Z {2}wake the queue$/mu);
    expect((await sandbox.runHere(["session", "show", "morning"])).stdout).toMatch(
      /^morning {2}parcels {2}active/u,
    );
    expect((await sandbox.runHere(["session", "end", "morning"])).stdout).toBe("session completed\n");
    expect((await json("session", "list", "--status", "completed")).total).toBe(1);
  });

  test("context prints the context block of a project", async () => {
    await remembered("Lint runs before every commit", "--project", "parcels");
    const { stdout } = await sandbox.runHere(["context", "--project", "parcels", "--budget", "300"]);
    expect(stdout).toMatch(/^<memsvc-context project="parcels">\n/u);
    expect(stdout).toContain("Lint runs before every commit");
    expect(await json("context", "--project", "parcels")).toMatchObject({ success: true, truncated: false });
    const cut = await sandbox.runHere(["context", "--project", "parcels", "--budget", "50"]);
    expect(cut).toMatchObject({ exit: 0, stdout: "", stderr: expect.stringContaining("larger --budget") });
  });

  test("relative paths start from the current folder of the command", async () => {
    const cwd = join(sandbox.home, "work");
    mkdirSync(join(cwd, "graphify-out"), { recursive: true });
    writeFileSync(join(cwd, "graphify-out", "graph.json"), '{"nodes":[{"label":"Heron"}]}');
    writeFileSync(join(cwd, "backup.json"), '{"version":"1.0.0","memories":[]}');
    const imported = await sandbox.run(["graph", "import", "--json"], { cwd });
    expect(imported).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(imported.stdout)).toMatchObject({ newNodes: 1 });
    const named = await sandbox.runHere(["graph", "import", "graphify-out/graph.json"], { cwd });
    expect(named).toMatchObject({ exit: 0, stderr: "" });
    const migrated = await sandbox.runHere(["migrate", "--db-path", "backup.json"], { cwd });
    expect(migrated).toMatchObject({ exit: 0, stderr: "" });
  });

  test("profile, enrich and file-context use only the current checkout, not others of its name", async () => {
    for (const place of ["east", "west"]) {
      const cwd = join(sandbox.folder, place, "shop");
      mkdirSync(cwd, { recursive: true });
      const event = {
        hookType: "post_tool_use",
        sessionId: `in ${place}`,
        project: "shop",
        cwd,
        timestamp: new Date().toISOString(),
        data: {
          toolName: "Edit",
          toolInput: { file_path: `${cwd}/till.ts`, old_string: "a", new_string: place },
        },
      };
      expect((await sandbox.runHere(["observe", "--strict"], { stdin: JSON.stringify(event) })).exit).toBe(0);
    }
    for (const place of ["east", "west"]) {
      const cwd = join(sandbox.folder, place, "shop");
      const profile = await sandbox.runHere(["profile", "--json"], { cwd });
      expect(JSON.parse(profile.stdout)).toMatchObject({ project: "shop", sessionCount: 1 });
      const notes = JSON.parse((await sandbox.runHere(["enrich", "till.ts", "--json"], { cwd })).stdout);
      expect(notes.editHistory).toMatchObject([{ sessionId: `in ${place}` }]);
      const history = JSON.parse(
        (await sandbox.runHere(["file-context", "till.ts", "--json"], { cwd })).stdout,
      );
      expect(history.files).toMatchObject([{ observations: [{ sessionId: `in ${place}` }] }]);
    }
    const both = await sandbox.runHere(["profile", "shop", "--json"]);
    expect(JSON.parse(both.stdout)).toMatchObject({ sessionCount: 2 });
  });

  test("a block about files of which nothing is known is empty, so that it can be put into a prompt", async () => {
    for (const [command, told] of [
      ["enrich", "nothing is known about these files\n"],
      ["file-context", "no earlier session touched these files\n"],
    ] as const)
      expect(await sandbox.runHere([command, "no-such-file.ts"])).toMatchObject({
        exit: 0,
        stdout: "",
        stderr: told,
      });
  });

  test("enrich and file-context use the project of a given session, or this folder's, or that of the file", async () => {
    for (const place of ["north", "south"]) {
      const cwd = join(sandbox.folder, place);
      mkdirSync(cwd, { recursive: true });
      for (const session of ["first", "second"]) {
        const event = {
          hookType: "post_tool_use",
          sessionId: `${session} in ${place}`,
          project: place,
          cwd,
          timestamp: new Date().toISOString(),
          data: {
            toolName: "Edit",
            toolInput: { file_path: `${cwd}/quay.ts`, old_string: "a", new_string: place },
          },
        };
        expect((await sandbox.runHere(["observe", "--strict"], { stdin: JSON.stringify(event) })).exit).toBe(
          0,
        );
      }
    }
    const cwd = join(sandbox.folder, "north");
    for (const [session, found] of [
      ["second in south", ["first in south"]],
      ["not begun", ["first in north", "second in north"]],
    ] as const) {
      const asked = async (command: string) =>
        JSON.parse(
          (await sandbox.runHere([command, "quay.ts", "--session", session, "--json"], { cwd })).stdout,
        );
      const edits: { sessionId: string }[] = (await asked("enrich")).editHistory;
      expect(edits.map(({ sessionId }) => sessionId).sort(), session).toEqual(found);
      const [history]: { observations: { sessionId: string }[] }[] = (await asked("file-context")).files;
      expect(history?.observations.map(({ sessionId }) => sessionId).sort(), session).toEqual(found);
    }
    const edited = async (...files: string[]) => {
      const { stdout } = await sandbox.runHere(["enrich", ...files, "--json"], { cwd });
      const notes: { editHistory: { sessionId: string }[] }[] = JSON.parse(stdout).files;
      return notes.map(({ editHistory }) => editHistory.map(({ sessionId }) => sessionId).sort());
    };
    const [inNorth, inSouth] = ["north", "south"].map((place) => [`first in ${place}`, `second in ${place}`]);
    expect(await edited("../south/quay.ts")).toEqual([inSouth]);
    expect(await edited("quay.ts", "../south/quay.ts")).toEqual([inNorth, inSouth]);
  });

  test("a folder named with --cwd decides the project, also by its tilde", async () => {
    const here = join(sandbox.home, "here", "shop");
    const there = join(sandbox.home, "there", "there-shop");
    for (const folder of [here, there]) mkdirSync(folder, { recursive: true });
    for (const named of ["../../there/there-shop", "~/there/there-shop"]) {
      const args = ["session", "start", `--cwd=${named}`, "--json"];
      const { stdout } = await sandbox.runHere(args, { cwd: here });
      expect(JSON.parse(stdout).session).toMatchObject({ project: "there-shop", cwd: there });
      const block = await sandbox.runHere(["context", `--cwd=${named}`, "--json"], { cwd: here });
      expect(block.stdout).toContain('project=\\"there-shop\\"');
    }
  });

  test("project forget takes a name with a slash for a name, unless there is a folder of that path", async () => {
    const cwd = join(sandbox.home, "owners");
    mkdirSync(join(cwd, "acme", "till"), { recursive: true });
    await sandbox.runHere(["remember", "Tills are counted at night", "--project", "acme/shop"], { cwd });
    await sandbox.runHere(["remember", "Coins are sorted by a machine", "--project", "./acme/till"], { cwd });
    const meant = { "acme/shop": "acme/shop", "acme/till": join(cwd, "acme", "till") };
    for (const [named, project] of Object.entries(meant)) {
      const { stdout } = await sandbox.runHere(["project", "forget", named, "--dry-run"], { cwd });
      expect(stdout).toContain(`would delete 1 record of ${project}\n`);
    }
  });

  test("profile, audit, flags and health print text for people", async () => {
    expect((await sandbox.runHere(["profile", "nowhere"])).stdout).toBe("nowhere\nNo sessions yet.\n");
    expect((await sandbox.runHere(["audit", "--limit", "1"])).stdout).toMatch(/^\S+Z {2}\w+ {2,}/u);
    expect((await sandbox.runHere(["flags"])).stdout).toMatch(
      /^language model: none; [^\n]+\n[A-Z_]+ +off {2}/u,
    );
    expect((await sandbox.run(["health"])).stdout).toMatch(
      /^(?:healthy|degraded), memsvc \d[^\n]+, up \d+ \w+\ndocuments \d+, database \d+ KiB, write-ahead log \d/u,
    );
    expect(await json("flags")).toHaveProperty("features");
  });
});

test("the daemon and the command read each other's memories, and --offline works beside a daemon", async () => {
  const sandbox = openSandbox();
  await sandbox.runHere(["remember", "Written without a daemon"]);
  const daemon = await startDaemon(sandbox);
  await sandbox.run(["remember", "Written through the daemon"]);
  const both = JSON.parse((await sandbox.runHere(["memory", "list", "--json"])).stdout) as { total: number };
  expect(both.total).toBe(2);
  const alone = await sandbox.run(["status", "--offline"]);
  // It runs all the same.
  expect(alone.stdout).toMatch(/^memsvc \S+ {2}daemon at http:\S+\n/u);
  expect(alone.stdout).toContain("2 memories");
  await daemon.stop();
  sandbox.remove();
});

test("status on an empty home says what to do first, and creates no store", async () => {
  const sandbox = openSandbox();
  const { exit, stdout } = await sandbox.run(["status"]);
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^memsvc \S+ {2}nothing stored yet in \S+\n/u);
  expect(stdout).toContain("see it work: memsvc demo\n");
  const again = await sandbox.runHere(["status", "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ daemon: null, memories: 0 });
  sandbox.remove();
});
