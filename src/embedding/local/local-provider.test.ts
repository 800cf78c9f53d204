import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { builtEmbeddingThread } from "../../../test/support/embedding-thread.ts";
import { sharedFolder } from "../../../test/support/temporary-folder.ts";
import { tinyDimensions, writeTinyOnnxModel } from "../../../test/support/tiny-model.ts";
import { LocalProvider, type LocalProviderOptions } from "./local-provider.ts";

const folder = sharedFolder();
let provider: LocalProvider | undefined;
beforeAll(() => {
  writeTinyOnnxModel(join(folder, "tiny"));
});
afterEach(() => provider?.close());

function open(options: Partial<LocalProviderOptions> = {}): LocalProvider {
  provider = new LocalProvider({
    model: { provider: "local", name: "tiny", dimensions: tinyDimensions, fingerprint: "tiny" },
    folder: join(folder, "tiny"),
    threadFile: builtEmbeddingThread(),
    ...options,
  });
  return provider;
}

const long = "retry the queue with jitter and backoff ".repeat(60);

test("a query is answered before documents that have waited longer", async () => {
  const local = open();
  const order: string[] = [];
  const documents = local.embedDocuments(Array<string>(20).fill(long)).then(() => order.push("documents"));
  const question = local.embedQuery("cat").then(() => order.push("question"));
  await Promise.all([documents, question]);
  expect(order).toEqual(["question", "documents"]);
});

test("aborted documents are given up at once, and the thread goes on", async () => {
  const local = open();
  await local.embedQuery("cat");
  const reason = new Error("no longer wanted");
  const controller = new AbortController();
  const documents = local.embedDocuments(Array<string>(200).fill(long), controller.signal);
  setTimeout(() => controller.abort(reason), 10);
  await expect(documents).rejects.toBe(reason);
  expect(await local.embedQuery("dog")).toHaveLength(tinyDimensions);
});

test("an unused model is unloaded, and loaded again on demand", async () => {
  const local = open({ idleMs: 20 });
  const first = await local.embedQuery("cat");
  expect(local.isLoaded).toBe(true);
  await expect.poll(() => local.isLoaded).toBe(false);
  expect(await local.embedQuery("cat")).toEqual(first);
  expect(local.isLoaded).toBe(true);
});

test("closing ends running work, and a closed provider rejects new work", async () => {
  const local = open();
  await local.embedQuery("cat");
  const documents = local.embedDocuments(Array<string>(200).fill(long));
  const refused = expect(documents).rejects.toMatchObject({ code: "provider_failed" });
  await local.close();
  await refused;
  await expect(local.embedQuery("cat")).rejects.toMatchObject({ code: "provider_failed" });
});

test("providers that follow one another in a process give the same vectors", async () => {
  const vectors: (Float32Array | undefined)[] = [];
  for (let index = 0; index < 5; index += 1) {
    const local = open();
    vectors.push(await local.embedQuery("cat"));
    await local.close();
  }
  for (const vector of vectors) expect(vector).toEqual(vectors[0]);
});

test("a damaged model is unavailable, with a hint", async () => {
  const damaged = join(folder, "damaged");
  writeTinyOnnxModel(damaged);
  writeFileSync(join(damaged, "onnx", "model_quantized.onnx"), "not a model");
  await expect(open({ folder: damaged }).embedQuery("cat")).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/^the embedding model damaged cannot be loaded: .*protobuf/u),
    hint: expect.stringContaining("models verify"),
  });
  mkdirSync(join(folder, "empty"));
  await expect(open({ folder: join(folder, "empty") }).embedQuery("cat")).rejects.toMatchObject({
    code: "unavailable",
  });
});

test("a model of unexpected dimensions is unavailable", async () => {
  const local = open({ model: { provider: "local", name: "tiny", dimensions: 8, fingerprint: "tiny" } });
  await expect(local.embedQuery("cat")).rejects.toMatchObject({
    code: "unavailable",
    hint: expect.stringContaining("models pull"),
  });
});
