import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { imageFromPath } from "../../src/capture/images/from-request.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { flags } from "../../src/governance/health/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import { MemsvcError } from "../../src/operation/errors.ts";
import { embedWaitingImages, imageEmbedder } from "../../src/recall/vision/image-embedder.ts";
import { embedImage, searchImages } from "../../src/recall/vision/operations.ts";
import { builtEmbeddingThread } from "../support/embedding-thread.ts";
import { openTestHttp, type TestHttp } from "../support/http.ts";
import { base64, refOf } from "../support/images.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { solidPng, tinyImageDimensions, writeTinyImageModel } from "../support/tiny-image-model.ts";
import { happen } from "../support/workdays.ts";

const red = solidPng([220, 30, 30]);
const blue = solidPng([30, 30, 220]);
const green = solidPng([30, 200, 30]);
const unknownRef = "0".repeat(64);

let folder: string;
let http: TestHttp;
beforeAll(() => builtEmbeddingThread());
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "allowed"));
});
afterEach(() => http.close());

async function open(env: Readonly<Record<string, string>> = {}, withModel = true): Promise<void> {
  const allowed = { MEMSVC_ALLOWED_ROOTS: join(folder, "allowed") };
  http = await openTestHttp({ env: { MEMSVC_IMAGE_EMBEDDINGS: "true", ...allowed, ...env } });
  if (withModel) writeTinyImageModel(join(http.home, "models", "clip-vit-base-patch32"));
}

/** Writes an image into the allowed folder. */
function file(name: string, content: Uint8Array): string {
  const path = join(folder, "allowed", name);
  writeFileSync(path, content);
  return path;
}

function capture(content: Uint8Array, sessionId: string, agentId?: string): Promise<string> {
  return happen(http, sessionId, "screen", { imageData: base64(content) }, { cwd: folder, agentId });
}

const embedWaiting = () =>
  embedWaitingImages(http.core.ground, http.core.images, new AbortController().signal);

async function found(
  input: Parameters<typeof http.ok<typeof searchImages.input, typeof searchImages.output>>[1],
) {
  const { results } = await http.ok(searchImages, input);
  return results.map(({ imageRef }) => imageRef);
}

const entries = async () =>
  (await http.ok(listAudit, { operation: "vision_embed" })).entries as readonly { details: unknown }[];

describe("a captured image", () => {
  test("is found by words for its content, ranked by similarity, with its observation", async () => {
    await open();
    const first = await capture(red, "s1");
    await capture(blue, "s2");
    expect(await http.ok(searchImages, { queryText: "red" })).toMatchObject({ results: [], total: 0 });
    await embedWaiting();
    const { results, total } = await http.ok(searchImages, { queryText: "red" });
    expect(total).toBe(2);
    expect(results[0]).toEqual({
      imageRef: refOf(red),
      score: expect.any(Number),
      sessionId: "s1",
      observationId: first,
      updatedAt: new Date(http.now()).toISOString(),
    });
    expect(results[0]?.score).toBeGreaterThan(0.9);
    expect(results[1]).toMatchObject({ imageRef: refOf(blue), sessionId: "s2" });
    expect(results[1]?.score).toBeLessThan(0.5);
  });

  test("is found by a similar image, given by reference, by path or as data", async () => {
    await open();
    await capture(red, "s1");
    await capture(blue, "s1");
    await embedWaiting();
    const dark = solidPng([20, 20, 160], 16, 40);
    expect(await found({ queryImageRef: refOf(blue) })).toEqual([refOf(blue), refOf(red)]);
    expect(await found({ queryImageRef: file("dark.png", dark) })).toEqual([refOf(blue), refOf(red)]);
    expect(await found({ queryImageBase64: base64(dark) })).toEqual([refOf(blue), refOf(red)]);
    expect(await found({ queryImageBase64: `data:image/png;base64,${base64(dark)}`, topK: 1 })).toEqual([
      refOf(blue),
    ]);
  });

  test("can be searched for within a session, and is shown at its newest observation", async () => {
    await open();
    await capture(red, "s1");
    const second = await capture(red, "s2");
    await capture(blue, "s2");
    await embedWaiting();
    expect(await found({ queryText: "red", sessionId: "s1" })).toEqual([refOf(red)]);
    expect(await found({ queryText: "red", sessionId: "nowhere" })).toEqual([]);
    const { results } = await http.ok(searchImages, { queryText: "red", topK: 1 });
    expect(results).toMatchObject([{ sessionId: "s2", observationId: second }]);
  });

  test.each([
    ["refused", { refused: true }, 1],
    ["not embedded because the model failed", {}, 0],
  ])("that is %s is left for good or waits for another try", async (_, extra, leftForGood) => {
    await open();
    await capture(red, "s1");
    const { images, ground } = http.core;
    images.vectorOf = async () => {
      throw new MemsvcError("provider_failed", "the model failed", { extra });
    };
    const outcome = await embedWaiting().catch(({ message }: MemsvcError) => message);
    expect(outcome).toBe(leftForGood === 1 ? undefined : "the model failed");
    expect(await ground.store.read.sql.values("SELECT count(*), count(vector) FROM image_vectors")).toEqual([
      [leftForGood, 0],
    ]);
  });

  test("that cannot be decoded is not tried again, and does not hold up others", async () => {
    await open();
    await capture(red.subarray(0, 60), "s1");
    await capture(Buffer.from("GIF89a that is none, but begins like one"), "s1");
    await capture(blue, "s1");
    await embedWaiting();
    await embedWaiting();
    expect(await found({ queryText: "blue" })).toEqual([refOf(blue)]);
    const rows = await http.core.ground.store.read.sql.all<{ n: number }>(
      "SELECT count(*) AS n FROM image_vectors WHERE vector IS NULL",
    );
    expect(rows).toEqual([{ n: 2 }]);
  });

  test.each([
    ["a folder", (path: string) => mkdirSync(path)],
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["another image", (path: string) => writeFileSync(path, green)],
  ])("with %s in the place of its file is a 404, and does not hold up others", async (_, put) => {
    await open();
    await capture(blue, "s1");
    await capture(red, "s1");
    const path = join(http.home, "images", `${refOf(red)}.png`);
    rmSync(path);
    put(path);
    await embedWaiting();
    expect(await found({ queryText: "blue" })).toEqual([refOf(blue)]);
    expect((await http.reply(embedImage, { imageRef: refOf(red) })).status).toBe(404);
  });

  test("is not found any more once forgotten, even before its file is swept", async () => {
    await open();
    await capture(red, "s1");
    await capture(blue, "s2");
    await embedWaiting();
    await http.ok(forget, { sessionId: "s1" });
    expect(await http.ok(searchImages, { queryText: "red" })).toMatchObject({
      results: [{ imageRef: refOf(blue) }],
      total: 1,
    });
    expect((await http.reply(searchImages, { queryImageRef: refOf(red) })).status).toBe(404);
    expect((await http.reply(embedImage, { imageRef: refOf(red) })).status).toBe(404);
  });

  test("loses its vector when it is forgotten and swept", async () => {
    await open();
    await capture(red, "s1");
    await capture(blue, "s2");
    await embedWaiting();
    await http.ok(forget, { sessionId: "s1" });
    await http.core.sweepImages();
    expect(await found({ queryText: "red" })).toEqual([refOf(blue)]);
    const rows = await http.core.ground.store.read.sql.all("SELECT ref FROM image_vectors");
    expect(rows).toEqual([{ ref: refOf(blue) }]);
  });

  test("is embedded again when the model changes", async () => {
    await open();
    await capture(red, "s1");
    await embedWaiting();
    await http.writeSql("UPDATE image_vectors SET fingerprint = 'older'");
    expect(await found({ queryText: "red" })).toEqual([]);
    await embedWaiting();
    expect(await found({ queryText: "red" })).toEqual([refOf(red)]);
  });
});

test.each([
  ["is embedded in the background", "true", 1],
  ["is left alone while the feature is off", "false", 0],
])("a captured image %s", async (_name, flag, vectors) => {
  await open({ MEMSVC_IMAGE_EMBEDDINGS: flag });
  await capture(red, "s1");
  const loop = imageEmbedder(http.core.ground, http.core.images);
  loop.wake();
  await expect.poll(() => loop.state).toBe("idle");
  await loop.close();
  const { sql } = http.core.ground.store.read;
  expect(await sql.all("SELECT ref FROM image_vectors")).toHaveLength(vectors);
  expect(await entries()).toEqual([]);
});

describe("an image embedded on request", () => {
  test("is stored, found at once and audited, and nothing changes the second time", async () => {
    await open();
    const imageRef = file("design.png", green);
    const answer = await http.ok(embedImage, { imageRef, sessionId: "s1" });
    expect(answer).toEqual({ imageRef: refOf(green), dimensions: tinyImageDimensions, embedded: true });
    expect(readdirSync(join(http.home, "images"))).toEqual([`${refOf(green)}.png`]);
    expect(await http.ok(searchImages, { queryText: "green" })).toMatchObject({
      results: [{ imageRef: refOf(green), sessionId: "s1" }],
    });
    expect(await http.ok(embedImage, { imageRef, sessionId: "s1" })).toMatchObject({ embedded: false });
    const headers = { "x-memsvc-folder": encodeURIComponent(join(folder, "allowed")) };
    const named = await http.ok(embedImage, { imageRef: "design.png", sessionId: "s1" }, { headers });
    expect(named).toMatchObject({ imageRef: refOf(green), embedded: false });
    expect(await entries()).toMatchObject([
      {
        functionId: "vision.embed",
        targetIds: [refOf(green)],
        details: { embedded: true, sessionId: "s1" },
      },
    ]);
  });

  test("is embedded and audited once for concurrent requests", async () => {
    await open();
    const imageRef = file("red.png", red);
    const answers = await Promise.all(
      [1, 2, 3].map(() => http.ok(embedImage, { imageRef, sessionId: "s1" })),
    );
    expect(answers.filter(({ embedded }) => embedded)).toHaveLength(1);
    expect(await entries()).toHaveLength(1);
  });

  test("survives the sweep of unreferenced images until its session is forgotten", async () => {
    await open();
    const observationId = await capture(blue, "s1");
    await http.ok(embedImage, { imageRef: file("mine.png", red) });
    await http.ok(embedImage, { imageRef: file("session.png", green), sessionId: "s1" });
    await http.core.sweepImages();
    expect((await found({ queryText: "green" })).toSorted()).toEqual([refOf(green), refOf(red)].toSorted());
    expect(observationId).toMatch(/^obs_/u);
    await http.ok(forget, { sessionId: "s1" });
    await http.core.sweepImages();
    expect(await found({ queryText: "green" })).toEqual([refOf(red)]);
  });

  test("is refused when it exceeds the quota of all images, and leaves nothing behind", async () => {
    await open({ MEMSVC_IMAGE_STORE_MAX_BYTES: String(red.length - 1) });
    const { status, body } = await http.reply(embedImage, { imageRef: file("red.png", red) });
    expect([status, body]).toEqual([413, { error: expect.stringContaining("MEMSVC_IMAGE_STORE_MAX_BYTES") }]);
    expect(existsSync(join(http.home, "images"))).toBe(false);
    expect(await entries()).toEqual([]);
  });

  test("may be stored already, and may be linked to an observation", async () => {
    await open();
    const plain = await capture(red, "s1");
    expect(await http.ok(embedImage, { imageRef: refOf(red) })).toMatchObject({ embedded: true });
    await http.ok(embedImage, { imageRef: file("blue.png", blue), observationId: plain, sessionId: "s1" });
    expect(await http.ok(searchImages, { queryText: "blue", sessionId: "s1", topK: 1 })).toMatchObject({
      results: [{ imageRef: refOf(blue), observationId: plain }],
      total: 2,
    });
  });

  test.each([
    ["an unknown reference", { imageRef: unknownRef }, 404],
    ["a path that is not there", { imageRef: "<allowed>/none.png" }, 404],
    ["an unknown observation", { imageRef: "<allowed>/red.png", observationId: "obs_none" }, 404],
    ["a folder", { imageRef: "<allowed>" }, 400],
    ["a file that is no image", { imageRef: "<allowed>/notes.txt" }, 400],
    ["an image that is cut", { imageRef: "<allowed>/cut.png" }, 400],
    ["an image of a kind that is not decoded", { imageRef: "<allowed>/moving.gif" }, 400],
    ["a path outside the allowed folders", { imageRef: "<folder>/outside.png" }, 403],
    ["a link that leads out of them", { imageRef: "<allowed>/link.png" }, 403],
    ["a sensitive name", { imageRef: "<allowed>/secret.png" }, 403],
    ["a file of more than 10 MiB", { imageRef: "<allowed>/large.png" }, 413],
    ["no reference", {}, 400],
  ])("is refused and leaves nothing behind: %s", async (_name, input, status) => {
    await open();
    file("red.png", red);
    file("notes.txt", Buffer.from("words and nothing else, long enough for a header"));
    file("cut.png", red.subarray(0, 60));
    file("moving.gif", Buffer.from("GIF89a and some frames that nobody looks at"));
    file("secret.png", red);
    truncateSync(file("large.png", red), 10_485_761);
    writeFileSync(join(folder, "outside.png"), red);
    symlinkSync(join(folder, "outside.png"), join(folder, "allowed", "link.png"));
    const given = JSON.parse(
      JSON.stringify(input).replace("<allowed>", join(folder, "allowed")).replace("<folder>", folder),
    ) as Record<string, unknown>;
    const { status: answered, body } = await http.reply(embedImage, given);
    expect([answered, body.error]).toEqual([status, expect.any(String)]);
    const rows = await http.core.ground.store.read.sql.all("SELECT ref FROM images");
    expect([rows, await entries()]).toEqual([[], []]);
  });
});

test.each([
  ["nothing", {}, 400],
  ["two questions", { queryText: "red", queryImageBase64: base64(red) }, 400],
  ["what is no base64", { queryImageBase64: "!!! no base64 !!!" }, 400],
  ["what is no image", { queryImageBase64: base64(Buffer.from("just words, and some more of them")) }, 400],
  ["an image that is cut", { queryImageBase64: base64(red.subarray(0, 60)) }, 400],
  ["words beyond 1,000 characters", { queryText: "r".repeat(1_001) }, 400],
  ["no images at all", { queryText: "red", topK: 0 }, 400],
  ["an unknown reference", { queryImageRef: unknownRef }, 404],
  ["a path outside the allowed folders", { queryImageRef: "/etc/hostname" }, 403],
])("a search for %s is refused", async (_name, input, status) => {
  await open();
  const { status: answered, body } = await http.reply(searchImages, input);
  expect([answered, body.error]).toEqual([status, expect.any(String)]);
});

// Only root can switch to another user for a while.
test.skipIf(process.getuid?.() !== 0)("an unreadable image is refused with a hint", async () => {
  await open();
  const path = file("closed.png", red);
  chmodSync(path, 0o600);
  for (const above of [folder, join(folder, "allowed")]) chmodSync(above, 0o755);
  process.seteuid?.(65_534);
  try {
    const refusal = { code: "forbidden", hint: expect.stringContaining("read it") };
    await expect(imageFromPath(http.core.ground, path)).rejects.toMatchObject(refusal);
  } finally {
    process.seteuid?.(0);
  }
});

test("a search by an image over 10 MiB is a 413", async () => {
  await open({ MEMSVC_MAX_BODY_BYTES: String(64 * 1_048_576) });
  const large = Buffer.concat([red, Buffer.alloc(10_485_761)]);
  expect((await http.reply(searchImages, { queryImageBase64: base64(large) })).status).toBe(413);
});

describe("the image embeddings feature", () => {
  test.each([
    ["is off", { MEMSVC_IMAGE_EMBEDDINGS: "false" }, true],
    ["has no model", {}, false],
  ])(
    "answers a 503 with its flag, before it checks the input, while it %s",
    async (_name, env, withModel) => {
      await open(env, withModel);
      for (const operation of [searchImages, embedImage]) {
        const { status, body } = await http.reply(operation, {});
        expect(status).toBe(503);
        expect(body).toMatchObject({
          flag: "MEMSVC_IMAGE_EMBEDDINGS",
          enableHow: expect.any(String),
          docsHref: "docs/config.md#memsvc_image_embeddings",
        });
      }
      expect((await http.ok(flags, {})).features).toContainEqual(
        expect.objectContaining({ key: "MEMSVC_IMAGE_EMBEDDINGS", effective: false }),
      );
    },
  );

  test("works as soon as a model is installed", async () => {
    await open({}, false);
    expect((await http.reply(searchImages, { queryText: "red" })).status).toBe(503);
    writeTinyImageModel(join(http.home, "models", "clip-tiny"));
    expect((await http.reply(searchImages, { queryText: "red" })).status).toBe(200);
  });

  test("answers a 503 without its flag when the model files are damaged", async () => {
    await open();
    const network = join(http.home, "models", "clip-vit-base-patch32", "onnx", "text_model_quantized.onnx");
    writeFileSync(network, "not a model");
    const { status, body } = await http.reply(searchImages, { queryText: "red" });
    expect(status).toBe(503);
    expect(body).not.toHaveProperty("flag");
  });
});

describe("in isolated scope agents", () => {
  beforeEach(() => open({ MEMSVC_AGENT_SCOPE: "isolated" }));

  test("find only their own images, and must be named", async () => {
    await capture(red, "s1", "ada");
    await capture(blue, "s2", "bob");
    await embedWaiting();
    expect(await found({ queryText: "blue", agentId: "ada" })).toEqual([refOf(red)]);
    expect(await found({ queryText: "blue", agentId: "*" })).toEqual([refOf(blue), refOf(red)]);
    expect((await http.reply(searchImages, { queryText: "blue" })).status).toBe(400);
  });

  test("cannot use another agent's image references or observations", async () => {
    const theirs = await capture(blue, "s2", "bob");
    const agentId = "ada";
    expect((await http.reply(embedImage, { imageRef: refOf(blue), agentId })).status).toBe(404);
    expect((await http.reply(searchImages, { queryImageRef: refOf(blue), agentId })).status).toBe(404);
    const imageRef = file("red.png", red);
    expect((await http.reply(embedImage, { imageRef, observationId: theirs, agentId })).status).toBe(404);
    await http.ok(embedImage, { imageRef, agentId });
    expect(await found({ queryText: "red", agentId })).toEqual([refOf(red)]);
    expect(await found({ queryText: "red", agentId: "bob" })).toEqual([]);
  });

  test("do not learn that another agent has the same image", async () => {
    await capture(blue, "s2", "bob");
    await embedWaiting();
    const imageRef = file("blue.png", blue);
    expect(await http.ok(embedImage, { imageRef, agentId: "ada" })).toMatchObject({ embedded: true });
    expect(await found({ queryText: "blue", agentId: "ada" })).toEqual([refOf(blue)]);
    expect(await found({ queryText: "blue", agentId: "bob" })).toEqual([refOf(blue)]);
  });

  test("find images without an agent only with includeOrphans", async () => {
    await capture(red, "s1");
    await embedWaiting();
    expect(await found({ queryText: "red", agentId: "ada" })).toEqual([]);
    expect(await found({ queryText: "red", agentId: "ada", includeOrphans: true })).toEqual([refOf(red)]);
  });
});
