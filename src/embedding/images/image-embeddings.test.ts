import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { builtEmbeddingThread } from "../../../test/support/embedding-thread.ts";
import { sharedFolder } from "../../../test/support/temporary-folder.ts";
import {
  solidPng,
  tinyImageDimensions,
  writeTinyImageModel,
} from "../../../test/support/tiny-image-model.ts";
import { writeTinyOnnxModel } from "../../../test/support/tiny-model.ts";
import { Metrics } from "../../operation/metrics.ts";
import { defaultImageModel } from "./choose-image-model.ts";
import { ImageEmbeddings } from "./image-embeddings.ts";

const home = sharedFolder();
let images: ImageEmbeddings;
beforeAll(() => {
  builtEmbeddingThread();
  writeTinyImageModel(join(home, "models", defaultImageModel));
});
afterEach(() => images.close());

const isQuery = true;
const wait = { isQuery };

function open(folder = home): ImageEmbeddings {
  images = new ImageEmbeddings(folder, new Metrics());
  return images;
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const png = (content: Uint8Array) => ({ kind: "image", content, mime: "image/png" }) as const;

const red = solidPng([220, 30, 30]);
const jpeg =
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wCEAAMDAwMDAwQEBAQFBQUFBQcHBgYHBwsICQgJCAsRCwwLCwwLEQ8SDw4PEg8bFRMTFRsfGhkaHyYiIiYwLTA+PlQBAwMDAwMDBAQEBAUFBQUFBwcGBgcHCwgJCAkICxELDAsLDAsRDxIPDg8SDxsVExMVGx8aGRofJiIiJjAtMD4+VP/CABEIABAAGAMBEQACEQEDEQH/xAApAAEBAAAAAAAAAAAAAAAAAAAABwEBAQEAAAAAAAAAAAAAAAAAAAcI/9oADAMBAAIQAxAAAACJSrfoAA//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/AF//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/AF//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/AF//2Q==";
const webp =
  "UklGRkgAAABXRUJQVlA4IDwAAAAQAwCdASoYABAAPjEUiEKiISEYBAAgAwSgB2APwAAShYAA/vRRH//5+Z3bi/qt//+tg/rYP62D/60AAAA=";

test("an image is closer to the words for its content than to other words", async () => {
  const model = open();
  const vector = await model.vectorOf(png(red), wait);
  const [same, other] = await Promise.all(
    ["red", "blue"].map((text) => model.vectorOf({ kind: "text", text }, wait)),
  );
  if (same === undefined || other === undefined) throw new Error("a text has no vector");
  expect(vector).toHaveLength(tinyImageDimensions);
  expect(dot(vector, vector)).toBeCloseTo(1, 5);
  expect(dot(vector, same)).toBeGreaterThan(dot(vector, other) + 0.5);
});

test.each([
  ["JPEG", "image/jpeg", jpeg],
  ["WebP", "image/webp", webp],
])("the same picture as %s has the same vector", async (_name, mime, base64) => {
  const model = open();
  const content = Buffer.from(base64, "base64");
  const [one, other] = await Promise.all([
    model.vectorOf(png(red), wait),
    model.vectorOf({ kind: "image", content, mime }, wait),
  ]);
  expect(dot(one, other)).toBeGreaterThan(0.999);
});

test.each([
  ["a PNG that is cut", "image/png", red.subarray(0, 50)],
  ["a PNG that ends in its head", "image/png", red.subarray(0, 18)],
  ["a JPEG that is cut", "image/jpeg", Buffer.from(jpeg, "base64").subarray(0, 100)],
  ["a WebP that is cut", "image/webp", Buffer.from(webp, "base64").subarray(0, 40)],
  ["a GIF", "image/gif", Buffer.from("GIF89a and what follows")],
  ["a picture of too many pixels", "image/png", hugePng()],
])("%s is rejected with the supported formats, and the next image is read", async (_name, mime, content) => {
  const model = open();
  await expect(model.vectorOf({ kind: "image", content, mime }, wait)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^the image cannot be read: /u),
    hint: expect.stringContaining("PNG, JPEG and WebP"),
  });
  expect(await model.vectorOf(png(red), wait)).toHaveLength(tinyImageDimensions);
});

function hugePng(): Buffer {
  const png = Buffer.from(red);
  png.writeUInt32BE(60_000, 16);
  png.writeUInt32BE(60_000, 20);
  return png;
}

test("a text model embeds no images, and an image model installed later is found", async () => {
  const empty = join(home, "other");
  writeTinyOnnxModel(join(empty, "models", "words"));
  const model = open(empty);
  expect(model.model).toBeUndefined();
  await expect(model.vectorOf(png(red), wait)).rejects.toMatchObject({ code: "unavailable" });
  writeTinyImageModel(join(empty, "models", "clip-tiny"));
  expect(model.model).toMatchObject({ name: "clip-tiny", dimensions: tinyImageDimensions });
  expect(await model.vectorOf(png(red), wait)).toHaveLength(tinyImageDimensions);
});

test("a damaged model is unavailable, with a hint", async () => {
  const broken = join(home, "broken");
  const folder = join(broken, "models", "clip-broken");
  mkdirSync(folder, { recursive: true });
  writeTinyImageModel(folder);
  writeFileSync(join(folder, "onnx", "vision_model_quantized.onnx"), "not a model");
  await expect(open(broken).vectorOf(png(red), wait)).rejects.toMatchObject({
    code: "unavailable",
    hint: expect.stringContaining("models verify"),
  });
});
