import {
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
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { evolve, remember } from "../../src/knowledge/memories/operations.ts";
import { readMemoryFile, syncMemoryFile } from "../../src/sharing/bridge/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const on = { MEMSVC_BRIDGE_ENABLED: "true" };
const begin = "<!-- memsvc:begin -->";
const end = "<!-- memsvc:end -->";

let folder: string;
let file: string;
const opened: TestHttp[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, "memory", "MEMORY.md");
});
afterEach(async () => {
  for (const http of opened.splice(0)) await http.close();
});

async function open(env: Readonly<Record<string, string>> = {}): Promise<TestHttp> {
  const settings = { ...on, MEMSVC_BRIDGE_FILE: file, MEMSVC_BRIDGE_PROJECT_PATH: "/w/shop", ...env };
  const http = await openTestHttp({ env: settings });
  opened.push(http);
  return http;
}

function write(text: string): void {
  mkdirSync(join(folder, "memory"), { recursive: true });
  writeFileSync(file, text);
}

const text = () => readFileSync(file, "utf8");
const backup = () => readFileSync(`${file}.memsvc-backup`, "utf8");

async function remembered(http: TestHttp, content: string, fields: Readonly<Record<string, unknown>> = {}) {
  return (await http.ok(remember, { content, project: "/w/shop", ...fields })).memoryId;
}

describe("a bridge sync", () => {
  test("removes only the temporary files that a killed sync left for this file", async () => {
    const http = await open();
    await remembered(http, "Rounding is done at the end");
    write("# Mine\n");
    const [left, inWork, other] = [
      "MEMORY.md.memsvc-99-1.tmp",
      `MEMORY.md.memsvc-${process.pid}-2.tmp`,
      "notes.memsvc-99-1.tmp",
    ];
    for (const name of [left, inWork, other]) writeFileSync(join(folder, "memory", name), "half");
    for (const name of [left, other]) utimesSync(join(folder, "memory", name), 0, 0);
    await http.ok(syncMemoryFile, {});
    const expected = ["MEMORY.md", inWork, "MEMORY.md.memsvc-backup", other];
    expect(readdirSync(join(folder, "memory")).sort()).toEqual(expected.sort());
  });

  test("creates the file with the profile and the strongest latest memories of the project", async () => {
    const http = await open();
    const session = { sessionId: "s1", project: "/w/shop", cwd: "/w/shop" };
    await http.ok(startSession, session);
    const timestamp = new Date(http.now()).toISOString();
    await http.ok(observe, { ...session, hookType: "prompt_submit", timestamp, data: { prompt: "round" } });
    const old = await remembered(http, "Rounding is done\nonce", { type: "bug" });
    await remembered(http, "Of another project", { project: "/w/till" });
    http.advance(30 * 86_400_000);
    await http.ok(evolve, {
      memoryId: old,
      newContent: "Rounding is done\nat the end",
      newTitle: "Money",
    });
    await remembered(http, "The till has <!-- four --> keys", { title: "Keys" });
    http.advance(86_400_000);
    expect(await http.ok(syncMemoryFile, {})).toEqual({ path: file, lines: 6, memories: 2, changed: true });
    expect(text()).toBe(`${begin}
## What memsvc remembers

1 session with 1 observation; mainly about round.

- (bug) Money: Rounding is done at the end
- (fact) Keys: The till has < !-- four --> keys
${end}
`);
    expect(existsSync(`${file}.memsvc-backup`)).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { entries } = await http.ok(listAudit, { operation: "bridge_sync" });
    expect(entries).toMatchObject([{ functionId: "bridge.sync", details: { path: file, memories: 2 } }]);
  });

  test("writes a changed memory without the title of its old text", async () => {
    const http = await open();
    const memoryId = await remembered(http, "Rounding is done once");
    await http.ok(evolve, { memoryId, newContent: "Rounding is done at the end" });
    await http.ok(syncMemoryFile, {});
    expect(text()).toContain("- (fact) Rounding is done at the end\n");
  });

  test("keeps the rest of the file, backs it up and does nothing when nothing changed", async () => {
    const http = await open();
    await remembered(http, "one");
    const before = `# Mine\r\n\r\nkept\r\n${begin}\r\nold\r\n${end}\r\n\r\n## After\r\nkept too`;
    write(before);
    expect((await http.ok(syncMemoryFile, {})).changed).toBe(true);
    expect(text()).toBe(
      `# Mine\r\n\r\nkept\r\n${begin}\r\n## What memsvc remembers\r\n\r\n- (fact) one\r\n${end}\r\n\r\n## After\r\nkept too`,
    );
    expect(backup()).toBe(before);
    expect((await http.ok(syncMemoryFile, {})).changed).toBe(false);
    expect(backup()).toBe(before);
    expect((await http.ok(listAudit, { operation: "bridge_sync" })).total).toBe(1);
    expect(readdirSync(join(folder, "memory")).sort()).toEqual(["MEMORY.md", "MEMORY.md.memsvc-backup"]);
  });

  test.each([
    ["without a section", "# Mine\n\nkept"],
    ["with half a mark before", `kept\n${begin}\nkept as well\n`],
    ["with half a mark behind", `kept\n${end}\nkept as well\n\n`],
    ["with a mark in a line", `use ${begin} and ${end} so\n`],
  ])("appends the section to a file %s, and updates it the next time", async (_name, before) => {
    const http = await open();
    await remembered(http, "one");
    write(before);
    await http.ok(syncMemoryFile, {});
    expect(text().startsWith(before)).toBe(true);
    expect(text().trimEnd().endsWith(`- (fact) one\n${end}`)).toBe(true);
    await remembered(http, "two is more than one");
    await http.ok(syncMemoryFile, {});
    expect(text().startsWith(before)).toBe(true);
    expect(text().match(/What memsvc remembers/gu)).toHaveLength(1);
    expect(text()).toContain("- (fact) two is more than one");
  });

  test.each([1, 2, 3, 5])("stays within a budget of %i lines", async (budget) => {
    const http = await open({ MEMSVC_BRIDGE_LINE_BUDGET: String(budget) });
    for (const content of ["alpha beta", "gamma delta", "epsilon zeta", "eta theta"])
      await remembered(http, content);
    const { lines, memories } = await http.ok(syncMemoryFile, {});
    const [, section = ""] = text().split(/<!-- memsvc:(?:begin|end) -->\n/u);
    expect([lines, memories]).toEqual([budget === 2 ? 1 : budget, Math.max(0, budget - 2)]);
    expect(section.trimEnd().split("\n")).toHaveLength(lines);
  });

  test("keeps text written into the file while the sync runs", async () => {
    const http = await open();
    await remembered(http, "one");
    write("# Mine\n");
    let isWritten = false;
    const writeMeanwhile = () => {
      if (isWritten) return;
      isWritten = readdirSync(join(folder, "memory")).some((name) => /^MEMORY\.md\.memsvc-\d/u.test(name));
      if (isWritten) write("# Mine\n\nlate\n");
      else setImmediate(writeMeanwhile);
    };
    writeMeanwhile();
    expect((await http.ok(syncMemoryFile, {})).changed).toBe(true);
    expect(isWritten).toBe(true);
    expect(text()).toBe(`# Mine\n\nlate\n\n${begin}\n## What memsvc remembers\n\n- (fact) one\n${end}\n`);
    expect(backup()).toBe("# Mine\n\nlate\n");
  });

  test("changes nothing on a dry run, but reports whether it would", async () => {
    const http = await open();
    write("mine\n");
    expect((await http.ok(syncMemoryFile, { dryRun: true })).changed).toBe(true);
    expect(text()).toBe("mine\n");
    expect((await http.ok(listAudit, { operation: "bridge_sync" })).total).toBe(0);
  });

  test("writes to the target of a symbolic link and keeps the link", async () => {
    const http = await open();
    mkdirSync(join(folder, "memory"));
    writeFileSync(join(folder, "real.md"), "mine\n");
    symlinkSync(join(folder, "real.md"), file);
    await http.ok(syncMemoryFile, {});
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "real.md"), "utf8")).toContain(begin);
  });

  test("refuses a broken link and leaves it in place", async () => {
    const http = await open();
    mkdirSync(join(folder, "memory"));
    symlinkSync(join(folder, "moved.md"), file);
    const { status, body } = await http.reply(syncMemoryFile, {});
    expect([status, body.error]).toEqual([403, expect.stringContaining(`${file} is a broken link`)]);
    expect(readdirSync(join(folder, "memory"))).toEqual(["MEMORY.md"]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  test("in isolated scope writes only the memories of AGENT_ID, and needs it", async () => {
    const isolated = { MEMSVC_AGENT_SCOPE: "isolated" };
    const http = await open({ ...isolated, AGENT_ID: "builder" });
    await remembered(http, "mine");
    await remembered(http, "of another", { agentId: "tester" });
    await http.ok(syncMemoryFile, {});
    expect(text()).toContain("- (fact) mine");
    expect(text()).not.toContain("of another");
    const nobodys = await open(isolated);
    const { status, body } = await nobodys.reply(syncMemoryFile, {});
    expect([status, body.error]).toEqual([400, expect.stringContaining("AGENT_ID")]);
  });

  test("in isolated scope writes the memories of the caller's agent rather than AGENT_ID's", async () => {
    const http = await open({ MEMSVC_AGENT_SCOPE: "isolated", AGENT_ID: "builder" });
    await remembered(http, "the builder's");
    await remembered(http, "the tester's", { agentId: "tester" });
    await http.ok(syncMemoryFile, {}, { headers: { "x-memsvc-agent": "tester" } });
    expect(text()).toContain("- (fact) the tester's");
    expect(text()).not.toContain("the builder's");
    const { entries } = await http.ok(listAudit, { operation: "bridge_sync" });
    expect(entries).toEqual([expect.objectContaining({ agentId: "tester" })]);
  });

  test("writes memories of all projects when no project is set", async () => {
    const http = await openTestHttp({ env: { ...on, MEMSVC_BRIDGE_FILE: file } });
    opened.push(http);
    await http.ok(remember, { content: "of none" });
    await http.ok(remember, { content: "of the shop", project: "shop" });
    expect(await http.ok(syncMemoryFile, {})).toMatchObject({ memories: 2 });
  });

  test.each([
    ["is a folder", () => mkdirSync(file, { recursive: true }), 400],
    ["is no UTF-8", () => write(""), 400],
    ["has a file for its folder", () => writeFileSync(join(folder, "memory"), ""), 403],
  ])("to a path that %s is refused and changes nothing", async (name, make, status) => {
    const http = await open();
    make();
    if (name === "is no UTF-8") writeFileSync(file, new Uint8Array([0x61, 0xff]));
    expect((await http.reply(syncMemoryFile, {})).status).toBe(status);
    expect((await http.reply(readMemoryFile, {})).status).toBe(status);
    expect(readdirSync(folder)).toEqual(["memory"]);
  });
});

describe("reading the bridge file", () => {
  test("returns its content and the text under each level-2 heading", async () => {
    const http = await open();
    write(
      "# Top\nintro\n\n## One ##\na\n### Deeper\nb\n```\n## no heading\n```\n## Two\n\n## One\nc\n# Next\nd\n",
    );
    expect(await http.ok(readMemoryFile, {})).toEqual({
      content: text(),
      sections: { One: "a\n### Deeper\nb\n```\n## no heading\n```\nc", Two: "" },
      path: file,
      parsed: true,
    });
  });

  test("leaves the marks of memsvc's section out of the texts", async () => {
    const http = await open();
    write("## Mine\nmy own note\n");
    await http.ok(syncMemoryFile, {});
    const { content, sections } = await http.ok(readMemoryFile, {});
    expect(content).toContain("<!-- memsvc:begin -->");
    expect(sections).toMatchObject({ Mine: "my own note" });
    expect(Object.values(sections).join("\n")).not.toContain("<!--");
  });

  test("returns no content and the expected path when the file is missing", async () => {
    const http = await openTestHttp({ env: { ...on, MEMSVC_BRIDGE_PROJECT_PATH: "~/w/my_shop.v2/" } });
    opened.push(http);
    expect(await http.ok(readMemoryFile, {})).toEqual({
      content: "",
      sections: {},
      path: "/home/dev/.claude/projects/-home-dev-w-my-shop-v2/memory/MEMORY.md",
      parsed: false,
    });
  });
});

test.each([{}, on, { MEMSVC_BRIDGE_FILE: "/x/MEMORY.md" }])(
  "with only %j both routes answer 503 and say how to enable the bridge",
  async (env) => {
    const http = await openTestHttp({ env });
    opened.push(http);
    for (const operation of [readMemoryFile, syncMemoryFile]) {
      const { status, body } = await http.reply(operation, {});
      expect([status, body.flag]).toEqual([503, "MEMSVC_BRIDGE_ENABLED"]);
      expect(body.enableHow).toContain("MEMSVC_BRIDGE_PROJECT_PATH");
    }
  },
);
