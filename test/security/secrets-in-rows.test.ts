import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { databaseFile } from "../../src/config/home.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import type { Operation } from "../../src/operation/define.ts";
import { receiveRows } from "../../src/sharing/mesh/operations.ts";
import { schemaVersion } from "../../src/store/migrate.ts";
import { exported } from "../support/exported-store.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Puts a secret into each text of each record of a store, and hands the rows to an empty one, as a file and as a
 * peer's. Kept as given are only the names by which records are found again: ids, projects, agents, paths,
 * enumerations.
 */

const keptAsGiven =
  /^(?:id|project|projectKey|cwd|file|files|label|from|to|reader|assignedTo|sharedBy|sharedScopes|sha|shortSha|hookType|compression|modality|mime|provider|channel|origin|source|operation|kind|status|type|scope|visibility|targetType|capturedFrom|crystallizedInto|blockReason|config|stepStatus|version|url|forgetAfter|timestamp)$|(?:Ids?|At|Shas|Modified|Affected|Ref|supersedes)$/u;
/** Collections of names and ids alone, and of entries about changes. */
const keptCollections = new Set(["projectAliases", "tombstones", "images", "accessLogs", "pagination"]);
const secret = ["gh", "p_"].join("") + "a1B2c3".repeat(6);
const mark = "[REDACTED_SECRET]";
const env = { MEMSVC_SECRET: "s".repeat(32) };

/** A store with records of every kind. */
async function openFull(): Promise<TestHttp> {
  const home = temporaryFolder();
  const fixture = new URL(`../upgrade/fixtures/schema-${schemaVersion}.db.gz`, import.meta.url);
  writeFileSync(databaseFile(home), gunzipSync(readFileSync(fixture)));
  return openTestHttp({ home, env, authorized: true });
}

const objectFields = {
  actions: "metadata",
  actionEdges: "metadata",
  signals: "metadata",
  graphNodes: "properties",
  graphEdges: "properties",
} as const;

/** Gives the fields that may hold any object a text, and each step of a routine. */
function withObjects(rows: object): Record<string, unknown> {
  const filled: Record<string, unknown> = { ...rows };
  for (const [name, field] of Object.entries(objectFields)) {
    const own = filled[name];
    if (Array.isArray(own))
      filled[name] = own.map((row) => ({ ...row, [field]: { ...row[field], note: ["told"] } }));
  }
  if (Array.isArray(filled.routines))
    filled.routines = filled.routines.map((routine) => ({
      ...routine,
      steps: routine.steps.map((step: object) => ({ ...step, actionTemplate: { description: "told" } })),
    }));
  return filled;
}

/** Calls `onText` with each text that is not kept as given; `place` is its collection and field. */
function mapTexts(rows: object, onText: (text: string, place: string) => string): Record<string, unknown> {
  const walk = (value: unknown, place: string): unknown => {
    if (typeof value === "string") return onText(value, place);
    if (Array.isArray(value)) return value.map((each) => walk(each, place));
    if (typeof value !== "object" || value === null) return value;
    const isFile = "type" in value && value.type === "file";
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        const isName = keptAsGiven.test(key) || (isFile && key === "name");
        return [key, isName ? each : walk(each, `${place.split(" ")[0]} ${key}`)];
      }),
    );
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, each]) => [
      name,
      typeof each === "string" || keptCollections.has(name) ? each : walk(each, name),
    ]),
  );
}

function placesOf(rows: object, isOf: (text: string) => boolean): readonly string[] {
  const places = new Set<string>();
  mapTexts(rows, (text, place) => {
    if (isOf(text)) places.add(place);
    return text;
  });
  return [...places].toSorted();
}

const isMarked = (text: string) => text.includes(mark);

test.each<readonly [string, (from: TestHttp) => Promise<object>, Operation, (rows: object) => object]>([
  ["an imported file", exported, importStore, (rows) => ({ exportData: rows })],
  ["a peer's rows", async (from) => (await from.send("/mesh/export")).body, receiveRows, (rows) => rows],
])("no text of %s is stored with its secret", async (_name, read, operation, inputOf) => {
  const full = await openFull();
  const empty = await openTestHttp({ env, authorized: true });
  const rows = withObjects(await read(full));
  const reply = await empty.reply(operation, { ...inputOf(mapTexts(rows, (text) => `${text} ${secret}`)) });
  expect(reply.status, reply.text).toBe(200);
  expect(await dumpStore(empty)).not.toContain(secret);
  expect(placesOf(await read(empty), isMarked)).toEqual(placesOf(rows, () => true));
  await full.close();
  await empty.close();
});
