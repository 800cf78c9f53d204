import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPeerServer } from "../support/peer-server.ts";
import { buildOnce, openSandbox, type Sandbox } from "./program-process.ts";

/*
 * What a person sees: the program at a pseudo-terminal, which util-linux's `script` gives it. Elsewhere `script` has
 * other flags or is missing, and these tests are skipped.
 */

const program = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));
const colour = "\u001b[";
let sandbox: Sandbox;

function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8", stdio: "pipe" }).includes("util-linux");
  } catch {
    return false;
  }
}

/** Everything that a terminal shows of a command line, with its colours. */
async function seen(
  line: string,
  env: Readonly<Record<string, string>> = {},
  columns = 100,
): Promise<string> {
  const command = `stty cols ${columns}; ${process.execPath} ${program} ${line}`;
  const { stdout } = await promisify(execFile)("script", ["-qec", command, "/dev/null"], {
    cwd: sandbox.home,
    env: { PATH: process.env.PATH ?? "", HOME: sandbox.home, TERM: "xterm-256color", ...env },
  });
  return stdout.replaceAll("\r\n", "\n");
}

/** The same for a command that needs no terminal of its own, within this process. */
async function seenHere(
  line: string,
  env: Readonly<Record<string, string>> = {},
  columns = 100,
): Promise<string> {
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const { shown = "" } = await sandbox.runHere(args, { env: { TERM: "xterm-256color", ...env }, columns });
  return shown;
}

/** How a command ends that is given a key where it asks something, and all that was to be seen. */
function whenAsked(
  line: string,
  answers: readonly (readonly [question: string, key: string])[],
  columns = 100,
): Promise<{ readonly exit: number | null; readonly shown: string }> {
  const command = `stty cols ${columns}; ${process.execPath} ${program} ${line}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: sandbox.home,
    env: { PATH: process.env.PATH ?? "", HOME: sandbox.home, TERM: "xterm-256color" },
  });
  const left = [...answers];
  let shown = "";
  child.stdout.on("data", (part: Buffer) => {
    shown += part.toString();
    const [asked] = left;
    if (asked === undefined || !shown.includes(asked[0])) return;
    left.shift();
    child.stdin.write(asked[1]);
  });
  return new Promise((resolve) => child.on("close", (exit) => resolve({ exit, shown })));
}

describe.skipIf(!hasScript())("at a terminal", () => {
  beforeAll(() => {
    buildOnce();
    sandbox = openSandbox();
  });
  afterAll(() => sandbox.remove());

  test("config list and get describe settings", async () => {
    const listed = await seenHere("--no-color config list");
    expect(listed).toContain("MEMSVC_PORT=3111  (default)\n  API port; 0 takes a free one\n");
    expect(listed).toContain("MEMSVC_VIEWER_PORT=  (default: API port + 2)\n");
    expect(await seen("--no-color config get MEMSVC_PORT")).toBe("3111\nAPI port; 0 takes a free one\n");
    expect(await seenHere("-q config get MEMSVC_PORT")).toBe("3111\n");
  });

  test("a lease that ends within the minute is shown with the time of its end", async () => {
    const own = openSandbox();
    const id = (await own.runHere(["action", "create", "Paint the boat"])).stdout.trim();
    const lease = ["lease", "acquire", id, "--agent-id", "ann", "--ttl-ms", "30000"];
    const { shown } = await own.runHere(lease, { columns: 100 });
    expect(shown).toMatch(/ until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/u);
    own.remove();
  });

  test("the time when a memory is forgotten and that of the graph's snapshot are local, as all others", async () => {
    const own = openSandbox();
    const id = (await own.runHere(["remember", "No releases this week", "--ttl-days", "3"])).stdout.trim();
    await own.runHere(["graph", "snapshot-rebuild"]);
    for (const [line, time] of [
      [`show ${id}`, /forget after: (.+)$/mu],
      ["graph stats", /snapshot of (.+?): \d/u],
    ] as const) {
      const { shown } = await own.runHere(["--no-color", ...line.split(" ")], { columns: 100 });
      expect(time.exec(shown ?? "")?.[1], line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
      const { stdout } = await own.runHere(line.split(" "));
      expect(time.exec(stdout)?.[1], line).toMatch(/^\d{4}-\d\d-\d\dT\S+Z$/u);
    }
    own.remove();
  });

  test("a secret is not read where it would be shown as it is typed", async () => {
    const { exit, shown } = await whenAsked("--no-input config set MEMSVC_SECRET", [["secret", "hunter2\r"]]);
    expect(exit).toBe(2);
    expect(shown).toMatch(
      /^memsvc: MEMSVC_SECRET is a secret, and there is nobody to be asked for it\r\nhint: /u,
    );
  });

  test("memsvc without arguments says what is stored and what to do next", async () => {
    const empty = await seenHere("--no-color");
    expect(empty).toMatch(/^memsvc \S+ {2}nothing stored yet in \S+\nsee it work: memsvc demo\n/u);
    await sandbox.runHere(["session", "start", "morning", "--project", "shop"]);
    expect(await seenHere("--no-color")).toMatch(/\nnext {7}memsvc remember "…"\n$/u);
    await sandbox.runHere(["remember", "Retries use full jitter", "--project", "shop"]);
    const filled = await seen("--no-color", {}, 120);
    expect(filled).toMatch(/^memsvc \S+ {2}no daemon \(start it: memsvc daemon start\)\n/u);
    expect(filled).toMatch(/^stored {5}1 memory, 1 session$/mu);
    expect(filled).toMatch(/\nnext {7}memsvc search "…"\n$/u);
    const labels = filled.split("\n").slice(1, -1);
    for (const line of labels) expect(line).toMatch(/^[a-z]+ +(?<=^.{11})\S/u);
    expect(await seenHere("status --no-color", {}, 60)).toMatch(/^note {7}the .{0,44}\n {11}\S.{0,48}\n/mu);
  });

  test("a terminal of unknown width counts as one of the usual width", async () => {
    expect(await seen("search retries --no-color", {}, 0)).toContain(" 1. Retries use full jitter\n");
    expect(await seenHere("--help", {}, 0)).toBe(await seenHere("--help"));
  });

  test("memsvc without arguments offers to connect an installed agent, and lists connected ones", async () => {
    mkdirSync(join(sandbox.home, ".claude"));
    expect(await seenHere("--no-color")).toMatch(/\nnext {7}memsvc connect claude-code\n$/u);
    await sandbox.runHere(["connect", "claude-code"]);
    expect(await seenHere("--no-color")).toMatch(/\nagents {5}Claude Code\nnext {7}memsvc daemon start\n$/u);
    await sandbox.runHere(["disconnect", "claude-code"]);
  });

  test("output has colours, but not with --no-color, NO_COLOR, --json or a dumb terminal", async () => {
    expect(await seen("status")).toContain(colour);
    expect(await seenHere("status --no-color")).not.toContain(colour);
    expect(await seen("status", { NO_COLOR: "1" })).not.toContain(colour);
    expect(await seenHere("status", { TERM: "dumb" })).not.toContain(colour);
    expect(await seenHere("memory list --json")).not.toContain(colour);
  });

  test("times are relative in lists and exact in JSON", async () => {
    for (const line of ["memory list", "search jitter", "session list", "audit", "status"]) {
      const text = await seenHere(`${line} --no-color`);
      expect(text, line).toMatch(/just now|\d+ min ago/u);
      expect(text, line).not.toMatch(/\d{4}-\d{2}-\d{2}T/u);
    }
    expect(await seen("memory list --json")).toMatch(/"createdAt":"\d{4}-\d{2}-\d{2}T[\d:.]+Z"/u);
  });

  test("remember confirms the memory, and memory list cuts its lines at the terminal's width", async () => {
    const said = await seen('remember "Deploys go through staging first" --no-color');
    expect(said).toMatch(/^remembered mem_\S+\n/u);
    const long = `${"a long story about deploys ".repeat(20)}.`;
    await sandbox.runHere(["remember", long]);
    const listed = await seenHere("memory list --no-color");
    for (const line of listed.split("\n")) expect([...line].length, line).toBeLessThanOrEqual(100);
    expect(listed).toMatch(/^mem_\S+ {2}a long story .*…/mu);
    const piped = await sandbox.runHere(["memory", "list"]);
    expect(piped.stdout).toContain("  a long story about deploys a long story about deploys a long story ab");
  });

  test("a new version names the one that it replaces, and how to read the old text", async () => {
    const text = "Backups run at night because nobody writes then";
    const first = /^remembered (mem_\S+)/u.exec(
      await seenHere(`remember "${text}, as they lock it" --no-color`),
    );
    const said = await seenHere(`remember "${text}" --no-color`);
    expect(said).toContain(`replaces ${first?.[1]}, as version 2`);
    const [, shown = ""] = /still there: memsvc (show mem_\S+)/u.exec(said) ?? [];
    const old = await seenHere(`${shown} --no-color`);
    expect(old).toContain("as they lock it");
    expect(old).toContain(`version: 1 (there is a newer one: ${/^remembered (mem_\S+)/u.exec(said)?.[1]})`);
  });

  test("remember and lesson save without a project say that they apply in every project", async () => {
    for (const line of ['remember "Tabs, never blanks"', 'lesson save "Read the error before the code"']) {
      const told = /\n {2}applies in every project; --project \. limits it to the one of this folder\n/u;
      expect(await seenHere(`${line} --no-color`)).toMatch(told);
      expect(await seenHere(`${line} --project . --no-color`)).not.toContain("applies in every project");
    }
  });

  test("lists name the project of memories and slots, and slot append says if it applies to all", async () => {
    const env = { MEMSVC_SLOTS: "true" };
    await sandbox.runHere(["remember", "Coupons are checked twice", "--project", "shop"]);
    await sandbox.runHere(["remember", "Spaces, never tabs"]);
    const memories = await seenHere("memory list --no-color", env);
    expect(memories).toMatch(/Coupons are checked twice\s+fact, shop, /u);
    expect(memories).toMatch(/Spaces, never tabs\s+fact, every project, /u);
    await sandbox.runHere(["slot", "append", "pending_items", "coupons", "--project", "shop"], { env });
    expect(await seenHere("slot list --project shop --no-color", env)).toMatch(
      /pending_items +coupons +project shop, pinned/u,
    );
    expect(await seenHere("slot list --no-color", env)).toMatch(
      /pending_items +\(empty\) +the default project, pinned/u,
    );
    const note = /\n {2}used in every project that has none of its own; --project \. means this folder's\n/u;
    expect(await seenHere("slot append pending_items more --no-color", env)).toMatch(note);
    expect(await seenHere("slot append pending_items more --project shop --no-color", env)).not.toMatch(note);
  });

  test("search shows the matching passage with the matching words in bold", async () => {
    const content = `${"Nothing of note. ".repeat(20)}Kestrels nest in the attic, as ever. ${"It rained. ".repeat(30)}`;
    await sandbox.runHere(["remember", content, "--title", "Minutes"]);
    await sandbox.runHere([
      "remember",
      `The crow's nest, ${"which is high up, ".repeat(12)} has a gull`,
      "--title",
      "Masts",
    ]);
    const bold = (text: string) => `\u001b[1m${text}\u001b[22m`;
    expect(await seen("search a nest of a kestrel")).toContain(
      `    … ${bold("Kestrels")} ${bold("nest")} in the attic, as ever.`,
    );
    const plain = await seenHere("search a nest of a kestrel --no-color");
    expect(plain).toContain("    … Kestrels nest in the attic, as ever.");
    // Of the beginning so much is shown as two lines hold.
    expect(await seenHere("search gull --no-color")).toMatch(/\n {4}… (?:[^\n]*\n {4})?[^\n]*has a gull\n/u);
  });

  test("memory list fits 80 columns also with double-width characters", async () => {
    await sandbox.runHere([
      "remember",
      "再試行には完全なジッターを使い、最大五回までとします。".repeat(3),
      "--type",
      "architecture",
    ]);
    for (const line of (await seenHere("memory list --no-color", {}, 80)).split("\n")) {
      const wide = line.match(/[\u3000-\u30ff\u4e00-\u9fff]/gu)?.length ?? 0;
      expect(line.length + wide, line).toBeLessThanOrEqual(80);
    }
  });

  test("recall shows all hits in full that are chosen, however many", async () => {
    const createdAt = "2026-01-01T00:00:00.000Z";
    const memories = Array.from({ length: 21 }, (_, at) => ({
      ...{ id: `mem_${at}`, content: `Walrus number ${at} sleeps on ice floe ${at * 7}`, createdAt },
    }));
    const stdin = JSON.stringify({ version: "0.1.0", memories });
    expect(await sandbox.runHere(["import", "-"], { stdin })).toMatchObject({ exit: 0 });
    const all = await whenAsked("recall walrus --limit 30", [["Which ones in full?", "a\r"]]);
    expect(all.exit).toBe(0);
    expect(all.shown.match(/\bmem_\d+\r\n\S*type:/gu)).toHaveLength(21);
  });

  test("^D and ^C at a question both exit with 130", async () => {
    const elsewhere = `--home ${join(sandbox.home, "broken-off")}`;
    for (const key of ["\u0003", "\u0004"]) {
      expect((await whenAsked("recall jitter", [["Which ones in full?", key]])).exit).toBe(130);
      expect((await whenAsked(`init ${elsewhere}`, [["store its data?", key]])).exit).toBe(130);
    }
  });

  test("a model is removed only if its user says yes", async () => {
    const folder = join(sandbox.home, ".memsvc", "models", "mine");
    mkdirSync(folder, { recursive: true });
    const [remove, question] = ["models remove mine", "Remove mine (0 KiB)?"];
    for (const key of ["n", "\r"]) {
      const { exit, shown } = await whenAsked(remove, [[question, key]]);
      expect(exit).toBe(130);
      expect(shown).toMatch(/nothing was changed\r?\n$/u);
      expect(existsSync(folder)).toBe(true);
    }
    expect(await whenAsked(remove, [[question, "y"]])).toMatchObject({ exit: 0 });
    expect(existsSync(folder)).toBe(false);
  });

  test("^C during an export removes the progress bar and says that nothing was written", async () => {
    const slow = await openPeerServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"version":"1","sessions":[');
    });
    const line = `export cut.json --url ${slow.url}`;
    const { exit, shown } = await whenAsked(line, [["exporting", "\u0003"]]);
    await slow.close();
    expect(exit).toBe(130);
    expect(shown).toMatch(/\r\u001b\[Kinterrupted: cut\.json was not written\r\n$/u);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "the cursor is shown again when %s ends a question",
    async (signal) => {
      const hidden = "\u001b[?25l";
      const child = spawn(
        "script",
        ["-qec", `stty cols 100; exec ${process.execPath} ${program} recall jitter`, "/dev/null"],
        {
          cwd: sandbox.home,
          env: { PATH: process.env.PATH ?? "", HOME: sandbox.home, TERM: "xterm-256color" },
        },
      );
      let shown = "";
      let wasKilled = false;
      child.stdout.on("data", (part: Buffer) => {
        shown += part.toString();
        if (!shown.includes("Which ones in full?") || wasKilled) return;
        wasKilled = true;
        const [asking] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
        process.kill(Number(asking), signal);
      });
      await once(child, "close");
      expect(shown.slice(shown.lastIndexOf(hidden))).toContain("\u001b[?25h");
    },
  );

  test("a deletion by filter shows what it would delete and asks first, unless --yes or piped", async () => {
    await sandbox.runHere(["remember", "Old ways of the old shop", "--project", "old-shop"]);
    const bulkDelete = "governance bulk-delete --project old-shop --no-color";
    const question = "Delete it for good?";
    expect(await seen("governance bulk-delete --help")).toContain("asks first; --yes confirms.");
    const refused = await whenAsked(bulkDelete, [[question, "n"]]);
    expect(refused).toMatchObject({ exit: 130, shown: expect.stringContaining("would delete 1 memory") });
    expect(refused.shown).not.toContain("deleted");
    expect(refused.shown).toMatch(/\nnothing was changed\r?\n$/u);
    const agreed = await whenAsked(bulkDelete, [[question, "y"]]);
    expect(agreed).toMatchObject({ exit: 0, shown: expect.stringContaining("\ndeleted 1 memory") });
    for (const line of [bulkDelete, `${bulkDelete} --yes`])
      expect(await seenHere(line)).toMatch(
        /^deleted 0 memories\nhint: no session or memory belongs to .*\n$/u,
      );
    expect((await sandbox.run(bulkDelete.split(" "))).stdout).toBe("deleted 0 memories\n");
    const rememberAgain = () => sandbox.runHere(["remember", "Old ways came back", "--project", "old-shop"]);
    await rememberAgain();
    expect(await seenHere(`${bulkDelete} --dry-run`)).toMatch(
      /^would delete 1 memory\n.*nothing was changed\n$/su,
    );
    expect(JSON.parse(await seenHere(`${bulkDelete} --dry-run --json`))).toMatchObject({ wouldDelete: 1 });
    expect(await seenHere(`${bulkDelete} --yes`)).toMatch(/^deleted 1 memory\n/u);
    await rememberAgain();
    expect(JSON.parse(await seenHere(`${bulkDelete} --json`))).toMatchObject({ deleted: 1 });
    await rememberAgain();
    expect((await sandbox.runHere(bulkDelete.split(" "))).stdout).toMatch(/^deleted 1 memory\n/u);
    // The return key alone means no.
    expect((await whenAsked("graph reset", [[question, "\r"]])).exit).toBe(130);
    const unfiltered = await whenAsked("governance bulk-delete --no-color", [[question, "y"]]);
    expect(unfiltered).toEqual({ exit: 2, shown: expect.stringMatching(/^memsvc: a filter is needed/u) });
  });

  test("init asks for each step, also whether agents get the context, until that is decided", async () => {
    const home = join(sandbox.home, "set-up");
    mkdirSync(join(sandbox.home, ".claude"), { recursive: true });
    const enter = "\r";
    const line = `init --no-color --home ${home}`;
    const steps = [
      ["Where should memsvc store its data?", enter],
      ["Should the daemon require a secret?", enter],
      ["Download the embedding model", "n"],
      ["Which agents should be connected?", enter],
    ] as const;
    const context = "Should new sessions start with what is known about their project?";
    const distillation = "Should sessions be distilled into lasting memories in the background?";
    const asked = await whenAsked(line, [...steps, [context, "y"], [distillation, "y"]]);
    expect(asked).toMatchObject({ exit: 0, shown: expect.stringContaining("Claude Code: connected") });
    expect(asked.shown).toContain("context      given to new sessions");
    expect(asked.shown).not.toContain("hint:");
    expect(asked.shown).toContain("sessions     distilled in the background");
    expect(readFileSync(join(home, ".env"), "utf8")).toMatch(
      /^MEMSVC_INJECT_CONTEXT=true\nCONSOLIDATION_ENABLED=true$/mu,
    );
    await sandbox.runHere(["disconnect", "claude-code"]);
    const unknownWidth = 0;
    const again = await whenAsked(line, steps, unknownWidth);
    expect(again).toMatchObject({ exit: 0, shown: expect.stringContaining("context      given to") });
    expect(again.shown).not.toContain(context);
    expect(again.shown).not.toContain(distillation);
    await sandbox.runHere(["disconnect", "claude-code"]);
  });

  test("session list is aligned in columns, but not in a pipe", async () => {
    const home = ["--home", join(sandbox.home, "columns")];
    for (const [id, project] of [
      ["a", "shop"],
      ["much-longer", "billing-service"],
    ] as const)
      await sandbox.runHere(["session", "start", id, "--project", project, "--title", "the bill", ...home]);
    const listed = await seenHere(`session list --no-color ${home.join(" ")}`);
    const starts = (words: string) => listed.split("\n").flatMap((line) => line.match(words)?.index ?? []);
    expect(new Set([...starts("shop|billing"), ...starts("active").map((at) => at - 17)])).toEqual(
      new Set(["much-longer  ".length]),
    );
    expect((await sandbox.runHere(["session", "list", ...home])).stdout).toMatch(/^a {2}shop {2}active/mu);
  });

  test("memory list stops after a hundred with the flag for the next page, but not in a pipe", async () => {
    const home = ["--home", join(sandbox.home, "filled")];
    await sandbox.runHere(["remember", "One of many", ...home]);
    const exported = JSON.parse((await sandbox.runHere(["export", "-", ...home])).stdout);
    const memories = Array.from({ length: 102 }, (_, at) => ({
      ...exported.memories[0],
      id: `mem_copy${at}`,
    }));
    const stdin = JSON.stringify({ ...exported, memories });
    await sandbox.runHere(["import", "-", "--strategy", "replace", "--yes", ...home], { stdin });
    const listed = (await seenHere(`memory list --no-color ${home.join(" ")}`)).trimEnd().split("\n");
    expect([listed.length, listed.at(-1)]).toEqual([101, "… 2 more: --offset 100"]);
    const piped = (await sandbox.runHere(["memory", "list", ...home])).stdout.trimEnd().split("\n");
    expect(piped).toHaveLength(102);
  });

  test("--no-input suppresses questions", async () => {
    expect(await seen("recall jitter --no-input --no-color")).toMatch(/^ 1\. Retries use full jitter\n/u);
  });
});
