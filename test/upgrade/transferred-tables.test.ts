import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/config/home.ts";
import { schemaVersion } from "../../src/store/migrate.ts";
import { openTestHttp } from "../support/http.ts";
import { describeStore } from "./store-contents.ts";

/** Tables whose rows no export holds. */
const staying: Readonly<Record<string, string>> = {
  consolidation_runs: "what was distilled when; the next run finds what is known already",
  counted_searches: "figures of this installation",
  document_changes: "tells other processes what to read again",
  document_vectors: "made anew by the model that is there",
  followup_counts: "figures of this installation",
  image_pins: "come with the images that they keep",
  image_vectors: "made anew by the model that is there",
  images: "come with their files, which this store has not",
  jobs: "work of this installation",
  llm_usage: "what this installation spent",
  pending_compressions: "observations that are told by rules until a model is asked",
  pending_vectors: "made anew for every document",
  vector_changes: "tells other processes what to read again",
  vector_codes: "made anew by the model that is there",
};

test("an export and import keep the rows of every table but those listed here", async () => {
  const home = mkdtempSync(join(tmpdir(), "memsvc-tables-"));
  const fixture = new URL(`fixtures/schema-${schemaVersion}.db.gz`, import.meta.url);
  writeFileSync(databaseFile(home), gunzipSync(readFileSync(fixture)));
  const from = await openTestHttp({ home });
  const to = await openTestHttp();
  const { text } = await from.send("/export");
  const headers = { "content-type": "application/json" };
  const imported = await to.send("/import", { method: "POST", headers, body: `{"exportData":${text}}` });
  expect(imported.status).toBe(200);
  const counts = (path: string) =>
    Object.entries(describeStore(path).rows).filter(([table]) => staying[table] === undefined);
  const stored = counts(databaseFile(home));
  expect(counts(databaseFile(to.home)), "a collection of its family's transfer.ts").toEqual(stored);
  await from.close();
  await to.close();
  rmSync(home, { recursive: true });
});
