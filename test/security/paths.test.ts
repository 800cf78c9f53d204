import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import { Path } from "../../src/operation/fields.ts";
import { plausibleInput } from "../support/generated-input.ts";
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";
import { sharedFolder } from "../support/temporary-folder.ts";
import { writeTinyImageModel } from "../support/tiny-image-model.ts";

/*
 * Walks the catalogue: each field for the path of a file or folder gets paths outside of the allowed
 * folders and paths to secrets. All of them exist, so that only the check can refuse them.
 */

/** A field of this type is a path on the disk, except `cwd`, which only is the base of other paths. */
const { maxLength: pathLength } = z.toJSONSchema(Path);

const pathFields = catalogue.flatMap((operation) => {
  const { properties = {} } = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).flatMap(([field, schema]) => {
    const isPath = typeof schema === "object" && schema.maxLength === pathLength && field !== "cwd";
    return isPath ? [[operation.id, field, operation] as const] : [];
  });
});

/** Extensions that the operation accepts, so that it refuses a path only for its place. */
const endings: Readonly<Record<string, string>> = { "replay.import": ".jsonl", "files.compress": ".md" };

const told = "what lies outside";

const base = sharedFolder();
let http: TestHttp;
let memoryId: string;
beforeAll(async () => {
  for (const folder of ["allowed/deep/.ssh", "outside", "image-model"])
    mkdirSync(join(base, folder), { recursive: true });
  for (const ending of [".jsonl", ".md", ".json"]) {
    for (const name of ["outside/a", "allowed/deep/.ssh/a", "allowed/deep/my-secrets"])
      writeFileSync(join(base, `${name}${ending}`), told);
    symlinkSync(join(base, `outside/a${ending}`), join(base, `allowed/link${ending}`));
    symlinkSync(join(base, `allowed/deep/my-secrets${ending}`), join(base, `allowed/harmless${ending}`));
  }
  symlinkSync(join(base, "outside"), join(base, "allowed/way-out"));
  writeTinyImageModel(join(base, "image-model"));
  http = await openTestHttp({
    env: { MEMSVC_ALLOWED_ROOTS: join(base, "allowed"), MEMSVC_IMAGE_EMBEDDINGS: "true" },
  });
  mkdirSync(join(http.home, "models"));
  symlinkSync(join(base, "image-model"), join(http.home, "models", "clip"));
  ({ memoryId } = await http.ok(remember, { content: "what must stay" }));
});
afterAll(() => http.close());

test("the catalogue has path fields for files, folders, images and stores", () => {
  expect(pathFields.map(([, field]) => field)).toEqual(
    expect.arrayContaining(["path", "filePath", "dbPath", "vaultDir", "imageRef", "queryImageRef"]),
  );
});

describe.each(pathFields)("%s", (id, field, operation) => {
  const ending = endings[id] ?? ".json";
  const ask = (path: string, cwd?: string) => {
    const { queryText: _other, step: _another, ...input } = plausibleInput(operation, memoryId);
    return http.reply(operation, { ...input, [field]: path, ...(cwd === undefined ? {} : { cwd }) });
  };

  test.each([
    ["an absolute path outside", () => join(base, `outside/a${ending}`)],
    ["a way upwards", () => `${base}/allowed/deep/../../outside/a${ending}`],
    ["many steps upwards", () => `${"../".repeat(40)}${base.slice(1)}/outside/a${ending}`],
    ["a link that leads out", () => join(base, `allowed/link${ending}`)],
    ["a folder that leads out", () => join(base, `allowed/way-out/a${ending}`)],
    ["a sensitive name", () => join(base, `allowed/deep/my-secrets${ending}`)],
    ["a file in a sensitive folder", () => join(base, `allowed/deep/.ssh/a${ending}`)],
    ["a link to a sensitive name", () => join(base, `allowed/harmless${ending}`)],
  ])(`refuses %s as its ${field}, without revealing or touching anything`, async (_name, path) => {
    const before = [await dumpStore(http), filesBelow(base)];
    const { status, text } = await ask(path());
    expect(status, text).toBe(403);
    expect(text).not.toContain(told);
    expect([await dumpStore(http), filesBelow(base)]).toEqual(before);
  });

  test(`refuses a relative ${field} from a folder outside`, async () => {
    const { status, text } = await ask(`../outside/a${ending}`, join(base, "allowed"));
    expect(status, text).toBe(403);
  });
});

test("the store's own database is refused as a file to migrate from", async () => {
  for (const [id, field, operation] of pathFields) {
    if (field !== "dbPath") continue;
    const reply = await http.reply(operation, { [field]: join(http.home, "memsvc.db") });
    expect([id, reply.status]).toEqual([id, 403]);
  }
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${readFileSync(path).length}` : path;
    })
    .sort();
}
