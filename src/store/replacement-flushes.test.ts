import fs, {
  copyFileSync,
  existsSync,
  fstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { replaceFunctions } from "../../test/support/replaced-functions.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { copyDatabase } from "./database-file.ts";
import { copyDraft, decideReplacement, draftPath, replaceAsDecided } from "./replacement.ts";
import { Store } from "./store.ts";

/** What happens at the flushes of a folder, one after another. */
let atFlushes: (() => void)[] = [];
/** For each file that was flushed: the names in the folder at that moment. */
let namesAtFlush: string[][] = [];
const { fsyncSync } = fs;
replaceFunctions(fs, {
  fsyncSync: (file) => {
    if (fstatSync(file).isDirectory()) atFlushes.shift()?.();
    else namesAtFlush.push(readdirSync(folder));
    fsyncSync(file);
  },
});

const goesWell = () => undefined;
const fails = () => {
  throw Object.assign(new Error("i/o error"), { code: "EIO" });
};

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "memsvc.db");
  namesAtFlush = [];
});

test("a copy of a database is flushed before it gets its name", async () => {
  await (await Store.open({ path, durability: "relaxed" })).close();
  copyDatabase(path, join(folder, "copy.db"));
  expect(namesAtFlush.map((names) => names.filter((name) => name.startsWith("copy")))).toEqual([
    ["copy.db.part"],
  ]);
});

test("a database that is to take a store's place is flushed before that is decided", async () => {
  const draft = `memsvc.db.draft.${process.pid}`;
  writeFileSync(draftPath(path), "new");
  await copyDraft(path);
  decideReplacement(path);
  expect(namesAtFlush).toEqual([[draft, `${draft}-copy`]]);
});

test("a slow replacement that another process has finished keeps what is written since", () => {
  writeFileSync(path, "old");
  writeFileSync(`${draftPath(path)}-copy`, "new");
  const finishElsewhere = () => {
    renameSync(`${path}.incoming.${process.pid}`, path);
    writeFileSync(`${path}-wal`, "acknowledged");
  };
  atFlushes = [finishElsewhere];
  decideReplacement(path);
  replaceAsDecided(path);
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(existsSync(`${path}-wal`)).toBe(true);
});

test.each([
  ["does not reach the disk when it is decided changes nothing", [fails], [["empty"], ["full"]]],
  ["does not reach the disk when it is done is noticed by all", [goesWell, fails], [["empty"]]],
])("a replacement that %s", async (_, flushes, after) => {
  const store = await Store.open({ path, durability: "relaxed" });
  const told: unknown[] = [];
  store.onReplaced(() => void told.push("replaced"));
  const note = (id: string) =>
    store.write(({ sql }) =>
      sql.run("INSERT INTO tombstones (kind, id, deleted_at) VALUES ('', ?, 0)", [id]),
    );
  await note("empty");
  const copy = join(folder, "copy");
  copyDatabase(path, copy);
  await note("full");
  atFlushes = [...flushes];
  await expect(store.replaceDatabase(async (draft) => copyFileSync(copy, draft))).rejects.toMatchObject({
    code: "disk_full",
  });
  const notes = () => store.read.sql.values("SELECT id FROM tombstones ORDER BY id");
  expect(await notes()).toEqual(after);
  await note("more");
  expect(await notes()).toEqual([...after, ["more"]]);
  expect(told).toHaveLength(after.length === 1 ? 1 : 0);
  expect(readdirSync(folder).filter((name) => /incoming|draft/u.test(name))).toEqual([]);
  await store.close();
});
