import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import fs, {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openPeerServer } from "../support/peer-server.ts";
import { replaceFunctions } from "../support/replaced-functions.ts";
import { buildOnce, type DaemonProcess, openSandbox, type Sandbox, startDaemon } from "./program-process.ts";

/* Export, import and snapshots as a person uses them: with a daemon and without one, killed in the middle. */

let sandbox: Sandbox;
beforeAll(buildOnce);

async function printed(way: "run" | "runHere", args: readonly string[], stdin: string): Promise<string> {
  const done = await sandbox[way](args, { stdin });
  if (done.exit !== 0) throw new Error(`memsvc ${args.join(" ")}: ${done.exit} ${done.stderr}`);
  return done.stdout;
}
const run = (args: readonly string[], stdin = "") => printed("run", args, stdin);
const runHere = (args: readonly string[], stdin = "") => printed("runHere", args, stdin);

async function contents(...flags: string[]): Promise<string[]> {
  const { memories } = JSON.parse(await runHere(["memory", "list", "--json", ...flags])) as {
    memories: { content: string }[];
  };
  return memories.map(({ content }) => content).sort();
}

/** For each file flushed since a test cleared this: whether the export had its name already. */
const namedAtFlush: boolean[] = [];
const exportTarget = () => join(sandbox.folder, "backup.json.gz");
const { fsync } = fs;
replaceFunctions(fs, {
  fsync: Object.assign(
    (...given: Parameters<typeof fsync>) => {
      namedAtFlush.push(existsSync(exportTarget()));
      fsync(...given);
    },
    { __promisify__: fsync.__promisify__ },
  ),
});

const home = () => join(sandbox.home, ".memsvc");
const other = () => ["--home", join(sandbox.folder, "other")];

describe.each([["with a daemon"], ["without one"]])("backups, %s:", (mode) => {
  let daemon: DaemonProcess | undefined;
  beforeAll(async () => {
    sandbox = openSandbox();
    if (mode === "with a daemon") daemon = await startDaemon(sandbox);
  });
  afterEach(() => runHere(["governance", "bulk-delete", "--date-from", "2000-01-01", "--yes"]));
  afterAll(async () => {
    await daemon?.stop();
    sandbox.remove();
  });

  test("an export to a file, plain or .gz, or to standard output can be imported again", async () => {
    await runHere(["remember", "exported and imported"]);
    const file = exportTarget();
    namedAtFlush.length = 0;
    await runHere(["export", file]);
    expect(namedAtFlush, "flushed before it gets its name").toEqual([false]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(gunzipSync(readFileSync(file)).toString()).memories).toHaveLength(1);
    expect(readdirSync(sandbox.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(await runHere(["import", file, ...other()])).toContain(
      "imported 0 sessions, 0 observations, 1 memory",
    );
    await runHere(["remember", "queues are drained", "--concept", "queue"]);
    await run(["export", file]);
    expect(await runHere(["import", file, ...other()])).toMatch(/also .*graph nodes \(\d+\)/u);
    const plain = await run(["export", "-"]);
    const answer = JSON.parse(await run(["import", "-", "--json", "--strategy", "skip"], plain));
    expect(answer).toMatchObject({ success: true, strategy: "skip", memories: 0 });
    expect(await contents(...other())).toContain("exported and imported");
  });

  test("import, search and migrate read an export with a byte order mark, plain or compressed", async () => {
    const old = ["--home", join(sandbox.home, "edited")];
    await runHere(["remember", "marked by an editor", ...old]);
    const marked = `\uFEFF${await runHere(["export", ...old])}`;
    const [plain, zipped] = [join(sandbox.folder, "marked.json"), join(sandbox.home, "marked.json.gz")];
    writeFileSync(plain, marked);
    writeFileSync(zipped, gzipSync(marked));
    expect(await runHere(["import", plain])).toContain("1 memory");
    expect(await runHere(["import", "-"], marked)).toContain("changed nothing");
    expect(await runHere(["import", zipped])).toContain("changed nothing");
    expect(await runHere(["search", "marked", "--in", plain])).toContain("marked by an editor");
    expect(await runHere(["search", "marked", "--in", zipped])).toContain("marked by an editor");
    expect(await runHere(["migrate", "--db-path", zipped])).toContain("0 memories; ");
  });

  test("export writes through a symbolic link and into a named pipe", async () => {
    await runHere(["remember", "kept elsewhere"]);
    const [file, link, pipe] = ["kept.json", "link.json", "pipe"].map((name) =>
      join(sandbox.folder, name),
    ) as [string, string, string];
    writeFileSync(file, "");
    symlinkSync(file, link);
    await runHere(["export", link]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toContain("kept elsewhere");
    execFileSync("mkfifo", [pipe]);
    const read = promisify(execFile)("cat", [pipe]);
    await run(["export", pipe]);
    expect((await read).stdout).toContain("kept elsewhere");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    // How much will come through it is not known.
    const written = promisify(execFile)("sh", ["-c", 'cat "$1" > "$2"', "sh", file, pipe]);
    const imported = await sandbox.runHere(["import", pipe], { columns: 100, env: { TERM: "xterm" } });
    await written;
    expect(imported.shown).toMatch(/ importing pipe {2}\d+ KiB\r/u);
  });

  test("export says why its file cannot be created", async () => {
    const file = join(sandbox.folder, "a-file");
    writeFileSync(file, "");
    for (const [named, problem] of [
      [join(file, "backup.json"), `a folder on the way to ${join(file, "backup.json")} is a file`],
      ["x".repeat(300), `the name of ${"x".repeat(300)} is too long`],
    ] as const) {
      const { exit, stderr } = await sandbox.runHere(["export", named]);
      expect([exit, stderr.split("\n")[0]]).toEqual([2, `memsvc: ${problem}`]);
    }
  });

  test("an export that breaks off keeps the earlier file, and leaves nothing beside it", async () => {
    const folder = join(sandbox.folder, "kept");
    mkdirSync(folder);
    const file = join(folder, "backup.json");
    writeFileSync(file, "the earlier one");
    const dying = await openPeerServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"version":"1","sessions":[', () => response.destroy());
    });
    expect(await sandbox.runHere(["export", file, "--url", dying.url])).toMatchObject({
      exit: 1,
      stderr: "memsvc: the daemon's answer was cut off\nhint: its log says why; the answer is incomplete\n",
    });
    await dying.close();
    expect(readdirSync(folder)).toEqual(["backup.json"]);
    expect(readFileSync(file, "utf8")).toBe("the earlier one");
  });

  test.skipIf(!existsSync("/dev/full"))("an export to a full disk exits with 1 and says so", async () => {
    expect(await sandbox.run(["export", "/dev/full"])).toMatchObject({
      exit: 1,
      stdout: "",
      stderr: "memsvc: no space is left to write /dev/full\nhint: free some disk space, then try again\n",
    });
  });

  test("an empty file name, as of a variable that is not set, is refused as such", async () => {
    for (const command of ["export", "import"])
      expect(await sandbox.runHere([command, ""])).toMatchObject({
        exit: 2,
        stderr: "memsvc: the name of the file is empty\nhint: name one\n",
      });
  });

  test("migrate imports the store file of another home, or an export of it", async () => {
    const old = join(sandbox.home, "old");
    await runHere(["remember", "from the other home", "--home", old]);
    await runHere(["export", join(sandbox.home, "backup.json"), "--home", old]);
    expect(await run(["migrate", "--db-path", "old/memsvc.db"])).toContain(
      "imported 0 sessions, 0 observations, 0 summaries, 1 memory",
    );
    expect(await contents()).toEqual(["from the other home"]);
    expect(await runHere(["migrate", "--db-path", "backup.json"])).toContain("0 memories; ");
    // Wherever the daemon runs, a path starts from the folder of whoever typed it.
    const near = await sandbox.runHere(["migrate", "--db-path", "memsvc.db"], { cwd: old });
    expect(near).toMatchObject({ exit: 0, stderr: "" });
    expect((await sandbox.runHere(["migrate"])).exit).toBe(2);
  });

  test("import refuses a faulty, truncated or missing file in one line and changes nothing", async () => {
    await runHere(["remember", "stays as it is"]);
    const whole = await runHere(["export"]);
    const cut = await sandbox.run(["import", "-"], { stdin: whole.slice(0, whole.length - 40) });
    expect([cut.exit, cut.stderr]).toEqual([
      2,
      expect.stringMatching(/^memsvc: standard input is not valid JSON.*\nhint: .*memsvc export/u),
    ]);
    const faulty = await sandbox.runHere(["import", "-"], { stdin: '{"memories":[{"id":"a"}]}' });
    expect([faulty.exit, faulty.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^memsvc: nothing was imported; in standard input, memories\.0\.content: .*\nhint: .*memsvc export/u,
      ),
    ]);
    expect((await sandbox.runHere(["import", "-"], { stdin: "[]" })).stderr).toMatch(
      /^memsvc: nothing was imported; standard input must be an object\nhint: .*memsvc export/u,
    );
    // What follows the end of an export is not taken for a part of the request.
    await sandbox.runHere(["import", "-"], { stdin: '{"version":"1","memories":[]},"strategy":"replace"' });
    const damaged = join(sandbox.folder, "damaged.gz");
    writeFileSync(damaged, Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    expect((await sandbox.runHere(["import", damaged])).exit).toBe(2);
    expect((await sandbox.runHere(["import", "missing.json"])).exit).toBe(3);
    for (const [name, hint] of [
      ["a talk.jsonl", "memsvc replay import"],
      ["snp_1.db", "memsvc migrate --db-path"],
    ] as const) {
      const file = join(sandbox.folder, name);
      writeFileSync(file, '{"type":"user"}\n{"type":"assistant"}\n');
      const named = file.includes(" ") ? `"${file}"` : file;
      expect((await sandbox.runHere(["import", file])).stderr).toContain(`${hint} ${named}\n`);
    }
    expect(await sandbox.runHere(["import", sandbox.folder])).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/ is a folder\nhint: /u),
    });
    const circle = join(sandbox.folder, "circle.json");
    symlinkSync(circle, circle);
    expect(await sandbox.runHere(["import", circle])).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/ is a link that leads back to itself\nhint: /u),
    });
    expect(await contents()).toEqual(["stays as it is"]);
  });

  test("import refuses a socket in one line", async () => {
    const socket = join(sandbox.folder, "s.json");
    const server = createServer().listen(socket);
    await once(server, "listening");
    try {
      expect(await sandbox.runHere(["import", socket])).toMatchObject({
        exit: 2,
        stderr: expect.stringMatching(/^memsvc: [^\n]+ is not a file that can be read\nhint: [^\n]+\n$/u),
      });
    } finally {
      server.close();
    }
  });

  test("snapshots are created, listed, verified and restored, and a restore can be undone", async () => {
    await runHere(["remember", "in the snapshot"]);
    const id =
      (await runHere(["snapshot", "create", "--message", "by hand,\n\nas planned"])).split(" ")[0] ?? "";
    expect(id).toMatch(/^snp_/u);
    await runHere(["remember", "written after it was made"]);
    expect(await runHere(["snapshot", "list"])).toMatch(new RegExp(`^${id} .* · by hand, as planned\n`, "u"));
    expect(await runHere(["snapshot", "verify", id])).toContain(`whole: ${id}`);
    const restored = await run(["snapshot", "restore", id]);
    expect(await contents()).toEqual(["in the snapshot"]);
    expect(await runHere(["search", "snapshot"])).toContain("in the snapshot");
    await runHere(["remember", "written into the restored store"]);
    const safety = /snapshot (snp_\S+)/u.exec(restored)?.[1] ?? "";
    await runHere(["snapshot", "restore", safety]);
    expect(await contents()).toEqual(["in the snapshot", "written after it was made"]);
    expect(await runHere(["snapshot", "list", "--limit", "1", "--offset", "1"])).toMatch(
      /\n… 1 more: --offset 2\n$/u,
    );
    expect(await runHere(["snapshot", "list", "--offset", "2"])).not.toContain("more");
    expect((await sandbox.runHere(["snapshot", "restore", "snp_nope"])).exit).toBe(3);
    expect((await sandbox.runHere(["snapshot", "restore"])).exit).toBe(2);
  });

  test("import --strategy replace needs a file and, without a terminal, --yes, and names its safety snapshot", async () => {
    await runHere(["remember", "replaced"]);
    const empty = '{"version":"1","memories":[]}';
    expect((await sandbox.runHere(["import", "-", "--strategy", "replace"], { stdin: empty })).exit).toBe(2);
    expect(await sandbox.runHere(["import", "gone.json", "--strategy", "replace"])).toMatchObject({
      exit: 3,
      stderr: "memsvc: there is no file gone.json\nhint: check the path\n",
    });
    expect(await runHere(["import", "-", "--strategy", "replace", "--yes"], empty)).toMatch(/snapshot snp_/u);
    expect(await contents()).toEqual([]);
  });
});

describe("a process that is killed", () => {
  beforeAll(() => {
    sandbox = openSandbox();
  });
  afterAll(() => sandbox.remove());

  test("during an export leaves a part file that the next export to the folder removes, and no others", async () => {
    const names = [
      "b-2026-11-27.json.memsvc-0a1b2c3d.part",
      "b-2026-11-28.json.memsvc-0a1b2c3d.part",
      "b-2026-11-28.json.memsvc-ffffffff.part",
      "b-2026-11-28.json.mine.part",
      "b-2026-11-28.json.0a1b2c3d.part",
    ];
    for (const name of names) writeFileSync(join(sandbox.folder, name), "half");
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of names.filter((name) => !name.includes("ffff")))
      utimesSync(join(sandbox.folder, name), longAgo, longAgo);
    await run(["export", join(sandbox.folder, "b-2026-11-28.json")]);
    expect(readdirSync(sandbox.folder).filter((name) => name.endsWith(".part"))).toEqual([
      "b-2026-11-28.json.0a1b2c3d.part",
      "b-2026-11-28.json.memsvc-ffffffff.part",
      "b-2026-11-28.json.mine.part",
    ]);
  });

  test("during a restore leaves the old store or the restored one, whole", async () => {
    const text = (word: string) => Array.from({ length: 300 }, (_, at) => `${word}${at}`).join(" ");
    for (let at = 0; at < 3; at += 1) await runHere(["remember", text(`old${at}x`)]);
    const old = await contents();
    const id = (await runHere(["snapshot", "create"])).split(" ")[0] ?? "";
    await runHere(["remember", text("newer")]);
    const newer = await contents();
    const restored = () => sandbox.run(["snapshot", "restore", id]);
    // The quicker of two, so that one that something held up does not make all moments late.
    const tookMs = Math.min((await restored()).tookMs, (await restored()).tookMs);
    await runHere(["remember", text("newer")]);
    const outcomes = new Set<string>();
    const moments = Array.from({ length: 16 }, (_, at) => 0.4 + 0.06 * at);
    // On a machine that is busier or idler by now than when the time was taken, all of those are too early or too late.
    const furtherMoments = [2, 4, 8, 0.2, 0.1];
    for (const [at, share] of [...moments, ...furtherMoments].entries()) {
      if (at >= moments.length && outcomes.size === 2) break;
      const child = sandbox.start(["snapshot", "restore", id]);
      const ended = new Promise((resolve) => child.on("close", resolve));
      await sleep(tookMs * share);
      child.kill("SIGKILL");
      await ended;
      const found = await contents();
      expect([JSON.stringify(old), JSON.stringify(newer)]).toContain(JSON.stringify(found));
      outcomes.add(JSON.stringify(found));
      expect(readdirSync(home()).filter((name) => /draft|incoming/u.test(name))).toEqual([]);
      if (found.length === old.length) await runHere(["remember", text("newer")]);
    }
    expect(outcomes.size).toBe(2);
  });
});
