import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  type StaticFormat,
  tinyDimensions,
  tinyQuantisedTable,
  tinyTable,
  tinyVocabulary,
  writeTinyStaticModel,
} from "../../../test/support/tiny-model.ts";
import { readQuantisedTable } from "./quantised-table.ts";
import { readSafetensors } from "./safetensors.ts";
import { StaticProvider } from "./static-provider.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const model = { provider: "static", name: "tiny", dimensions: tinyDimensions, fingerprint: "tiny" } as const;

function open(weights = "model.safetensors"): Promise<StaticProvider> {
  return StaticProvider.open({ model, folder, weights });
}

function cosine(a: ArrayLike<number> = [], b: ArrayLike<number> = []): number {
  return Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** The table as a file with one byte per number, as the benchmarks use it. */
describe("a static model", () => {
  test("returns the mean of its tokens' vectors at length 1", async () => {
    writeTinyStaticModel(folder);
    const vector = await (await open()).embedQuery("cat dog");
    const row = (token: string) =>
      tinyTable.slice(
        tinyVocabulary.indexOf(token) * tinyDimensions,
        (tinyVocabulary.indexOf(token) + 1) * tinyDimensions,
      );
    const mean = row("cat").map((value, index) => value + (row("dog")[index] ?? 0));
    const length = Math.sqrt(cosine(mean, mean));
    expect(cosine(vector, mean) / length).toBeCloseTo(1, 5);
  });

  test("has no vector for a text without known tokens", async () => {
    writeTinyStaticModel(folder);
    const provider = await open();
    expect(await provider.embedQuery("ж 日本")).toBeUndefined();
    expect(await provider.embedDocuments(["ж", "cat"])).toMatchObject([[], [{}]]);
  });

  test.each<StaticFormat>(["F16", "I8"])(
    "of %s numbers gives nearly the same vectors as single precision",
    async (format) => {
      writeTinyStaticModel(folder);
      const exact = await (await open()).embedQuery("reset the password of staging");
      writeTinyStaticModel(folder, format);
      const read = await (await open()).embedQuery("reset the password of staging");
      expect(cosine(exact, read)).toBeGreaterThan(0.999);
    },
  );

  test("can be read from a table of one byte per number", async () => {
    writeTinyStaticModel(folder);
    const exact = await (await open()).embedQuery("retry with jitter");
    writeFileSync(join(folder, "tiny.gge1.bin"), tinyQuantisedTable());
    const read = await (await open("tiny.gge1.bin")).embedQuery("retry with jitter");
    expect(cosine(exact, read)).toBeGreaterThan(0.999);
  });

  test.each([
    ["a table cut short", "model.safetensors", (file: Buffer) => file.subarray(0, 1_000)],
    ["a table of another model", "model.safetensors", () => Buffer.from("not a table at all")],
    ["a tokenizer of another family", "tokenizer.json", () => Buffer.from('{"model": {"type": "Unigram"}}')],
    ["a tokenizer that is no JSON", "tokenizer.json", () => Buffer.from("{")],
  ])("with %s is unavailable, with its name and a hint", async (_name, file, damage) => {
    writeTinyStaticModel(folder);
    const path = join(folder, file);
    writeFileSync(path, damage(readFileSync(path)));
    await expect(open()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("tiny"),
      hint: expect.stringContaining("models verify"),
    });
  });

  test.each([
    ["tokenizer.json", () => Buffer.from("{}")],
    ["tokenizer.json", () => Buffer.from("{")],
    [
      "model.safetensors",
      () => Buffer.concat([Buffer.from([8, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{"a": 1}')]),
    ],
    [
      "model.safetensors",
      () => Buffer.concat([Buffer.from([8, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("<!DOCTYP")]),
    ],
  ])("reports in one line that its %s is at fault", async (file, content) => {
    writeTinyStaticModel(folder);
    writeFileSync(join(folder, file), content());
    const refused = expect.stringMatching(new RegExp(`tiny cannot be loaded: ${file}: [^\n]+$`, "u"));
    await expect(open()).rejects.toMatchObject({ message: refused });
  });

  test("is unavailable if its table has other dimensions than its description", async () => {
    writeTinyStaticModel(folder);
    const wrong = StaticProvider.open({
      model: { ...model, dimensions: 8 },
      folder,
      weights: "model.safetensors",
    });
    await expect(wrong).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("reduced vocabularies", () => {
  test("map several tokens to one row and weigh them", () => {
    const numbers = Buffer.concat([
      Buffer.from(Float32Array.of(1, 0, 0, 1).buffer),
      Buffer.from(BigInt64Array.of(0n, 1n, 1n).buffer),
      Buffer.from(Float64Array.of(1, 0.5, 2).buffer),
    ]);
    const header = JSON.stringify({
      __metadata__: { format: "pt" },
      embeddings: { dtype: "F32", shape: [2, 2], data_offsets: [0, 16] },
      mapping: { dtype: "I64", shape: [3], data_offsets: [16, 40] },
      weights: { dtype: "F64", shape: [3], data_offsets: [40, 64] },
    });
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    const table = readSafetensors(Buffer.concat([length, Buffer.from(header), numbers]));
    expect([...(table.rowOf ?? [])]).toEqual([0, 1, 1]);
    expect([...(table.weights ?? [])]).toEqual([1, 0.5, 2]);
  });
});

test("a table shorter than its header states is rejected", () => {
  expect(() => readQuantisedTable(tinyQuantisedTable().subarray(0, 100))).toThrow("shorter");
  expect(() => readQuantisedTable(Buffer.from("GGE2"))).toThrow("GGE1");
});
