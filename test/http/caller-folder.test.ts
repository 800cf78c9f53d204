import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importTranscripts } from "../../src/capture/replay/operations.ts";
import { migrate } from "../../src/governance/migration/operations.ts";
import { importGraph, importGraphify } from "../../src/graph/imported/operations.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: string;
let http: TestHttp;
beforeEach(async () => {
  folder = temporaryFolder();
  http = await openTestHttp({ env: { MEMSVC_ALLOWED_ROOTS: folder } });
  mkdirSync(join(folder, "graphify-out"));
  writeFileSync(join(folder, "graphify-out", "graph.json"), JSON.stringify({ nodes: [{ id: "till" }] }));
  writeFileSync(join(folder, "export.json"), JSON.stringify({ version: "0.1.0", memories: [] }));
  writeFileSync(join(folder, "log.jsonl"), "");
});
afterEach(() => http.close());

test.each([
  [importGraph, {}],
  [importGraphify, { path: "graphify-out/graph.json" }],
  [migrate, { dbPath: "export.json" }],
  [importTranscripts, { path: "log.jsonl" }],
])("a relative path for $id starts from the caller's folder", async (operation, input) => {
  expect((await http.reply(operation, input)).status).toBeGreaterThanOrEqual(400);
  const headers = { "x-memsvc-folder": encodeURIComponent(folder) };
  expect((await http.reply(operation, input, { headers })).status).toBeLessThan(300);
});
