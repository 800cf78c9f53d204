import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/config/home.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { schemaVersion } from "../../src/store/migrate.ts";
import { openTestHttp } from "../support/http.ts";
import type { Body } from "../support/mesh-stores.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { columnValues, describeStore } from "./store-contents.ts";

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

/** Columns of the other tables whose values are others after an import. */
const madeAnew: Readonly<Record<string, string>> = {
  "audit_entries.details": "the export and the import are noted themselves",
  "audit_entries.function_id": "the export and the import are noted themselves",
  "audit_entries.id": "the export and the import are noted themselves",
  "audit_entries.operation": "the export and the import are noted themselves",
  "documents.id": "numbered anew",
  "documents.token_version": "indexed by the rules of this version",
  "graph_edge_links.source": "numbered anew",
  "graph_edges.source": "numbered anew",
  "graph_edges.target": "numbered anew",
  "graph_node_links.source": "numbered anew",
  "mesh_arrivals.id": "everything that was imported has arrived",
  "mesh_arrivals.kind": "everything that was imported has arrived",
  "observations.content_hash": "that of an image is computed from what is stored of it",
  "session_summaries.last_observation": "the newest one of the session in this store",
  "sessions.last_stop_at": "the work after a session's end is this store's own",
  "sessions.last_stop_seq": "the work after a session's end is this store's own",
};

const fixtureFile = (version: number) => new URL(`fixtures/schema-${version}.db.gz`, import.meta.url);

function unpack(version: number, path: string): void {
  writeFileSync(path, gunzipSync(readFileSync(fixtureFile(version))));
}

test("an export and import keep the rows and values of every table but those listed here", async () => {
  const home = temporaryFolder();
  unpack(schemaVersion, databaseFile(home));
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
  const values = (path: string) =>
    [...columnValues(path)].filter(
      ([column]) => staying[column.split(".")[0] ?? ""] === undefined && madeAnew[column] === undefined,
    );
  expect(
    Object.fromEntries(values(databaseFile(to.home))),
    "a field of its family's record.ts and transfer.ts",
  ).toEqual(Object.fromEntries(values(databaseFile(home))));
  await from.close();
  await to.close();
});

test.each(["merge", "skip"] as const)(
  "an import of all tables into the store that they are from writes nothing under %s",
  async (strategy) => {
    const home = temporaryFolder();
    unpack(schemaVersion, databaseFile(home));
    const http = await openTestHttp({ home });
    const { body: exportData } = await http.send("/export");
    const { counts } = await http.ok(importStore, { exportData, strategy });
    expect(counts).not.toEqual({});
    for (const [name, { written }] of Object.entries(counts)) expect([name, written]).toEqual([name, 0]);
    await http.close();
  },
);

/** The collections whose deletions other stores are told of, with their kinds. */
const exchanged = {
  memories: "memory",
  relations: "relation",
  semanticMemories: "semantic",
  proceduralMemories: "procedural",
  graphNodes: "graphNode",
  graphEdges: "graphEdge",
  actions: "action",
  actionEdges: "actionEdge",
};

test("records that were deleted here and come back by an import count as changed after their deletion", async () => {
  const home = temporaryFolder();
  unpack(schemaVersion, databaseFile(home));
  const from = await openTestHttp({ home });
  const to = await openTestHttp({ startAt: "2026-03-01T12:30:00Z" });
  const { body } = await from.send("/export");
  const recordsOf = (file: Body, name: string) => file[name] as Record<string, string>[];
  for (const [name, kind] of Object.entries(exchanged))
    for (const { id = "" } of recordsOf(body, name))
      await to.writeSql("INSERT INTO tombstones (kind, id, deleted_at) VALUES (?, ?, ?)", [
        kind,
        id,
        to.now(),
      ]);
  await to.ok(importStore, { exportData: { ...body, tombstones: [] } });
  const { body: after } = await to.send("/export");
  expect(after.tombstones).toEqual([]);
  const deletedAt = new Date(to.now()).toISOString();
  for (const name of Object.keys(exchanged)) {
    const changed = recordsOf(after, name).map(({ updatedAt, createdAt = "" }) => updatedAt ?? createdAt);
    expect([name, changed.length > 0]).toEqual([name, true]);
    for (const time of changed) expect([name, time > deletedAt]).toEqual([name, true]);
  }
  await from.close();
  await to.close();
});

/** Its fixture was made when columns could still be left empty. */
const lastWithEmptyColumns = 12;

test("columns that are newer than schema 12 have a value in the fixture, which the test above looks for", () => {
  const folder = temporaryFolder();
  const columnsOf = (version: number) => {
    unpack(version, join(folder, `${version}.db`));
    return columnValues(join(folder, `${version}.db`));
  };
  const known = columnsOf(lastWithEmptyColumns);
  const empty = [...columnsOf(schemaVersion)]
    .filter(([column, values]) => !known.has(column) && values.every((value) => value === "null"))
    .map(([column]) => column);
  expect(empty, "test/upgrade/make-fixture.ts gives each of them a value").toEqual([]);
});
