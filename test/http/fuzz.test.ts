import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { featureFlagTable } from "../../src/config/feature-flag-table.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import type { Operation } from "../../src/operation/define.ts";
import { builtEmbeddingThread } from "../support/embedding-thread.ts";
import { fieldNames, plausibleInput } from "../support/generated-input.ts";
import {
  commitsOf,
  dumpStore,
  openTestHttp,
  type Reply,
  type Sending,
  storeVersion,
  type TestHttp,
} from "../support/http.ts";
import { writeTinyImageModel } from "../support/tiny-image-model.ts";

/*
 * Walks the catalogue, so that a new operation cannot escape: each of its fields gets each of these values, the
 * other fields being right, and its route gets each of these bodies. Whatever comes back is a clear answer, and
 * what was refused has left no trace.
 */

/** More than the longest value, and as little as that allows: each operation gets a body above it. */
const maxBodyBytes = 310_000;
const deep = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

const oddValues: readonly (readonly [string, unknown])[] = [
  ["missing", undefined],
  ["null", null],
  ["an empty text", ""],
  ["blanks", " \t\n\u00a0"],
  ["zero", 0],
  ["a negative number", -1],
  ["a fraction", 1.5],
  ["a number beyond all integers", 1e300],
  ["2^53", 2 ** 53],
  ["true", true],
  ["a number as text", "12"],
  ["no time", "2026-02-30T99:00:00Z"],
  ["an empty array", []],
  ["an array with null", [null]],
  ["an array with arrays", [[["x"]]]],
  ["an array of mixed things", ["x", 1, true, {}, null]],
  ["a long array", Array.from({ length: 2_000 }, (_, at) => `item ${at}`)],
  ["an empty object", {}],
  ["an object", { obsId: 5, a: { b: null } }],
  ["an object named __proto__", JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}')],
  ["the name __proto__", "__proto__"],
  ["the name toString", "toString"],
  ["NUL", "a\u0000b"],
  ["nothing but NUL", "\u0000"],
  ["lone surrogates", "\ud800x\udfff"],
  ["marks that turn writing round", "\u202e\u2066abc"],
  ["quotes and semicolons", "'\"; --`$(x){{y}}<script>%s%n"],
  ["words of the search language", 'NEAR("a b", 3) AND OR NOT * ^ : -'],
  ["a path upwards", "../../../../etc/passwd"],
  ["300 characters", "🙂".repeat(300)],
  ["150,000 characters", "x".repeat(150_000)],
  ["60 levels", deep(60)],
  ["70 levels", deep(70)],
  ["1,000 levels", deep(1_000)],
];

const oddBodies: readonly (readonly [string, Sending["body"]])[] = [
  ["nothing", ""],
  ["blanks", " \n "],
  ["null", "null"],
  ["an array", "[{}]"],
  ["a text", '"x"'],
  ["a number", "1e999"],
  ["no JSON", "sessionId=s1&project=p"],
  ["markup", "<xml/>"],
  ["half an object", '{"sessionId":"s1","project'],
  ["half an escape", '{"sessionId":"\\ud8'],
  ["an unclosed array of 100,000 levels", "[".repeat(100_000)],
  ["an object of 60,000 levels", '{"a":'.repeat(60_000)],
  ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ["NUL bytes", new Uint8Array(64)],
  ["more than allowed", " ".repeat(maxBodyBytes + 1)],
  ["an own __proto__", '{"__proto__":{"sessionId":"s1","content":"x","query":"x"}}'],
];

/** Names of code and database that no client should read. */
const innards =
  /SQLITE|SqliteError|Drizzle|\bSELECT\b|\bINSERT\b|\bUPDATE\b|node_modules|\bat .+:\d+:\d+|\.ts\b/u;

const withRoute = catalogue
  .filter(({ http }) => http !== undefined)
  .map((operation) => [operation.id, operation] as const);

/** Asks, and expects a clear answer; after a refusal the store must be what it was. */
type Asking = (ask: () => Promise<Reply>, name: string) => Promise<void>;

/** Whoever deletes on behalf of the store's owner is on record, also when there was nothing to delete. */
const tracesOfRefusals: Readonly<Record<string, readonly string[]>> = {
  "governance.delete": ["audit_entries"],
};

function watching(http: TestHttp, { id }: Operation): Asking {
  const except = tracesOfRefusals[id];
  // A store that nothing was written to need not be read.
  const state = () => (except === undefined ? storeVersion(http) : dumpStore(http, except));
  // After a refusal nothing is left to be placed in the graph unless something was written.
  const stateAfter = except === undefined ? () => commitsOf(http) : state;
  let before: string | undefined;
  return async (ask, name) => {
    before ??= await state();
    const { status, body, text } = await ask();
    const isFeatureOff = status === 503 && typeof body.flag === "string";
    if (status >= 500 && !isFeatureOff) expect.fail(`${name}: ${status} ${text.slice(0, 200)}`);
    if (status < 400) {
      await http.settled();
      before = undefined;
      return;
    }
    // So many answers are looked at that `expect` would take seconds for it.
    const shown = text.replace(/"(?:notFound|path)":(?:\[[^\]]*\]|"[^"]*")/gu, "");
    const said = saidOf(body.error);
    const isClear = typeof said === "string" && /\S/u.test(said) && !innards.test(shown);
    if (!isClear || "success" in body || "stack" in body) expect.fail(`${name}: ${status} ${text}`);
    if ((await stateAfter()) !== before)
      expect.fail(`${name}: refused with ${status}, yet the store has changed`);
  };
}

/** The sentence of an error; JSON-RPC puts it beside a code. */
function saidOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "message" in error ? error.message : error;
}

const imageModel = mkdtempSync(join(tmpdir(), "memsvc-fuzz-model-"));
const memoryFiles = mkdtempSync(join(tmpdir(), "memsvc-fuzz-bridge-"));

/** What can be switched on without a language model is on, so that no operation hides behind its switch. */
const env = {
  MEMSVC_MAX_BODY_BYTES: String(maxBodyBytes),
  MEMSVC_SLOTS: "true",
  MEMSVC_REFLECT: "true",
  MEMSVC_IMAGE_EMBEDDINGS: "true",
  MEMSVC_TEAM_ID: "core",
  MEMSVC_USER_ID: "ann",
  MEMSVC_SECRET: "a-secret-of-the-mesh",
  MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1",
  MEMSVC_BRIDGE_ENABLED: "true",
  MEMSVC_BRIDGE_FILE: join(memoryFiles, "MEMORY.md"),
};

beforeAll(() => {
  builtEmbeddingThread();
  writeTinyImageModel(imageModel);
});
afterAll(() => {
  for (const folder of [imageModel, memoryFiles]) rmSync(folder, { recursive: true });
});

async function open() {
  const http = await openTestHttp({ env, authorized: true });
  mkdirSync(join(http.home, "models"));
  symlinkSync(imageModel, join(http.home, "models", "clip"));
  const { memoryId } = await http.ok(remember, { content: "there from the start" });
  return {
    http,
    inputOf: (operation: Operation) => plausibleInput(operation, memoryId),
  };
}

describe.each(withRoute)("%s", (_id, operation) => {
  let http: TestHttp;
  let good: Readonly<Record<string, unknown>>;
  let expectClearAnswer: Asking;

  beforeAll(async () => {
    const opened = await open();
    http = opened.http;
    good = opened.inputOf(operation);
    expectClearAnswer = watching(http, operation);
  });
  afterAll(() => http.close());

  test("answers odd values of every field clearly, and a refusal changes nothing", async () => {
    for (const field of fieldNames(operation)) {
      for (const [name, value] of oddValues) {
        const input = { ...good, [field]: value };
        await expectClearAnswer(() => http.reply(operation, input), `${field}: ${name}`);
      }
    }
  });

  test("answers odd bodies and queries clearly, and a refusal changes nothing", async () => {
    const bodies = [
      ...oddBodies,
      ["half of a good one", JSON.stringify(good).slice(0, -2)] as const,
      ["a good one with each key twice", JSON.stringify(good).replace(/^\{(.*)\}$/su, "{$1,$1}")] as const,
    ];
    for (const [name, body] of bodies) {
      await expectClearAnswer(
        () => odd(http, operation, good, { ...(body === undefined ? {} : { body }) }),
        name,
      );
    }
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/xml", "\u00ff"]) {
      const headers = { "content-type": type };
      await expectClearAnswer(
        () => odd(http, operation, good, { headers, body: JSON.stringify(good) }),
        type,
      );
    }
    for (const query of [
      "?%",
      "?__proto__=x&constructor=y",
      `?${"a=1&".repeat(2_000)}`,
      "?sessionId=a&sessionId=b",
      "?agentId=%00",
      "?dryRun=maybe",
    ]) {
      const path = (operation.http?.path ?? "").replace(/:\w+/gu, "x");
      await expectClearAnswer(
        () => http.send(`${path}${query}`, { method: operation.http?.method ?? "GET" }),
        query,
      );
    }
  });
});

/** A request without a body where the route takes none, since fetch refuses to send one. */
function odd(
  http: TestHttp,
  operation: Operation,
  input: Record<string, unknown>,
  sending: Sending,
): Promise<Reply> {
  const { body: _none, ...rest } = sending;
  return http.reply(operation, input, operation.http?.method === "GET" ? rest : sending);
}

test("no operation refuses its generated valid input as invalid", async () => {
  const { http, inputOf } = await open();
  const needsLlm = new Set<string>(featureFlagTable.filter((flag) => flag.needsLlm).map(({ key }) => key));
  for (const [id, operation] of withRoute) {
    if (operation.features?.some((key) => needsLlm.has(key))) continue;
    const { status, text } = await http.reply(operation, inputOf(operation));
    expect([200, 201, 202, 404, 409], `${id}: ${text}`).toContain(status);
  }
  await http.close();
});
