import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { enrich } from "../../src/recall/enrich/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
});
afterEach(() => http.close());

const shop = "/w/shop";
const bank = "/w/bank";

async function observed(sessionId: string, cwd: string, hookType: string, data: object) {
  http.advance(60_000);
  const timestamp = new Date(http.now()).toISOString();
  return (await http.ok(observe, { sessionId, hookType, project: cwd, cwd, timestamp, data })).observationId;
}

const edited = (sessionId: string, cwd: string, file: string) =>
  observed(sessionId, cwd, "post_tool_use", {
    tool_name: "Edit",
    tool_input: { file_path: file, new_string: "const limit = 5;" },
  });

const begun = (sessionId: string, cwd: string) => observed(sessionId, cwd, "session_start", {});

const asked = async (sessionId: string, ...files: string[]) => http.ok(enrich, { sessionId, files });

test("a session that touches a file of another known project is told of that project's file", async () => {
  const inShop = await http.ok(remember, {
    content: "Config is read once",
    project: shop,
    files: ["src/config.ts"],
  });
  const inBank = await http.ok(remember, {
    content: "Config has hosts only",
    project: bank,
    files: ["src/config.ts"],
  });
  const own = await edited("s1", shop, `${shop}/src/config.ts`);
  const other = await edited("s2", bank, `${bank}/src/config.ts`);
  await begun("now", shop);
  const ofBank = await asked("now", `${bank}/src/config.ts`);
  expect(ofBank.relatedMemories.map(({ obsId }) => obsId)).toEqual([inBank.memoryId]);
  expect(ofBank.editHistory.map(({ obsId }) => obsId)).toEqual([other]);
  expect(ofBank.context).toContain(`project="${bank}"`);
  const ofShop = await asked("now", `${shop}/src/config.ts`);
  expect(ofShop.relatedMemories.map(({ obsId }) => obsId)).toEqual([inShop.memoryId]);
  expect(ofShop.editHistory.map(({ obsId }) => obsId)).toEqual([own]);
  const both = await asked("now", `${shop}/src/config.ts`, `${bank}/src/config.ts`);
  expect(both.files.map(({ editHistory }) => editHistory.map(({ obsId }) => obsId))).toEqual([
    [own],
    [other],
  ]);
  expect(both.relatedMemories.map(({ obsId }) => obsId).sort()).toEqual(
    [inShop.memoryId, inBank.memoryId].sort(),
  );
});

test("a project that is named is the project of all files", async () => {
  const own = await edited("s1", shop, `${shop}/src/config.ts`);
  await begun("now", bank);
  const input = { sessionId: "now", files: [`${shop}/src/config.ts`], project: shop };
  expect((await http.ok(enrich, input)).editHistory.map(({ obsId }) => obsId)).toEqual([own]);
});

test("of a file that belongs to no project only what names it in full is told", async () => {
  await http.ok(remember, { content: "Notes are kept forever", project: shop, files: ["notes.md"] });
  await edited("s1", shop, `${shop}/notes.md`);
  await observed("s1", shop, "stop", { lastAssistantMessage: "Still to do: write notes.md." });
  await begun("now", shop);
  const known = await asked("now", `${shop}/notes.md`);
  expect(known).toMatchObject({ editHistory: [{}], relatedMemories: [{}] });
  expect(known.context).toContain("left to do");
  expect(await asked("now", "/elsewhere/notes.md")).toMatchObject({
    context: "",
    relatedMemories: [],
    editHistory: [],
  });
  const edit = await edited("s2", shop, "/elsewhere/notes.md");
  expect((await asked("now", "/elsewhere/notes.md")).editHistory.map(({ obsId }) => obsId)).toEqual([edit]);
});

test("a session in a folder of its project is told of files in other folders, and of other working copies", async () => {
  const top = temporaryFolder();
  const tree = temporaryFolder();
  mkdirSync(join(top, ".git", "worktrees", "feature"), { recursive: true });
  writeFileSync(join(tree, ".git"), `gitdir: ${top}/.git/worktrees/feature\n`);
  const files = [top, tree].map((root) => join(root, "src", "config.ts"));
  for (const file of [...files, join(top, "web", "page.ts")]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  const edit = await edited("s1", top, join(top, "src/config.ts"));
  http.advance(60_000);
  const timestamp = new Date(http.now()).toISOString();
  const place = { project: top, cwd: join(top, "web"), timestamp };
  await http.ok(observe, { ...place, sessionId: "now", hookType: "session_start", data: {} });
  for (const file of files)
    expect(
      (await asked("now", file)).editHistory.map(({ obsId }) => obsId),
      file,
    ).toEqual([edit]);
});

test("a memory that names a file of the repository is not about another file of the same name", async () => {
  const top = temporaryFolder();
  mkdirSync(join(top, ".git"));
  for (const file of ["src/index.ts", "packages/admin/src/index.ts"].map((name) => join(top, name))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  await begun("now", top);
  const related = async (file: string) =>
    (await asked("now", join(top, file))).relatedMemories.map(({ title }) => title);
  await http.ok(remember, { content: "Panel", project: top, files: ["packages/admin/src/index.ts"] });
  await http.ok(remember, { content: "Entry", project: top, files: ["src/index.ts"] });
  await http.ok(remember, { content: "Moved away", project: top, files: ["old/src/index.ts"] });
  expect((await related("src/index.ts")).sort()).toEqual(["Entry", "Moved away"]);
  expect(await related("packages/admin/src/index.ts")).toEqual(["Panel"]);
});

test("what is left to do in a file is told also when many sessions had to do with other files since", async () => {
  await observed("s0", shop, "stop", { lastAssistantMessage: "Still to do: paging in src/list.ts." });
  for (let n = 1; n <= 20; n += 1) await edited(`s${n}`, shop, `${shop}/src/other${n}.ts`);
  await begun("now", shop);
  expect((await asked("now", `${shop}/src/list.ts`)).context).toContain("paging in src/list.ts");
});
