import fs, { writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../src/governance/migration/operations.ts";
import { importGraph } from "../../src/graph/imported/operations.ts";
import { openTestHttp } from "../support/http.ts";
import { replaceFunctions } from "../support/replaced-functions.ts";
import { sharedFolder } from "../support/temporary-folder.ts";

const folder = sharedFolder();
const graphFile = join(folder, "graph.json");
const store = join(folder, "store.db");
const log = `${store}-wal`;
const unreadable = new Set<unknown>([graphFile, log]);

/** Like the system for files of another user: the tests may run as one who may read everything. */
function refusing<Given extends unknown[], Result>(work: (...given: Given) => Result) {
  return (...given: Given): Result => {
    if (!unreadable.has(given[0])) return work(...given);
    throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES", syscall: "open" });
  };
}

// The casts hold: overloads are handed on.
replaceFunctions(fs, { readFileSync: refusing(fs.readFileSync) as typeof fs.readFileSync });
const { open, copyFile } = promises;
replaceFunctions(promises, {
  open: async (...given) => refusing(open)(...given),
  copyFile: async (...given) => refusing(copyFile)(...given),
});

test("a graph file, a store or an export that cannot be read is a 403 that names it", async () => {
  const http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: folder } });
  writeFileSync(graphFile, "{}");
  writeFileSync(store, "SQLite format 3\0");
  writeFileSync(log, "");
  const told = (path: string) => ({
    status: 403,
    body: { error: `${path} could not be read or written (EACCES)` },
  });
  expect(await http.reply(importGraph, { path: graphFile })).toMatchObject(told(graphFile));
  expect(await http.reply(migrate, { dbPath: graphFile })).toMatchObject(told(graphFile));
  expect(await http.reply(migrate, { dbPath: store })).toMatchObject(told(log));
  await http.close();
});
