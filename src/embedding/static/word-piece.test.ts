import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AutoTokenizer, env } from "@xenova/transformers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { writeTinyStaticModel } from "../../../test/support/tiny-model.ts";
import { WordPiece } from "./word-piece.ts";

test("reads every text as the model library's tokenizer does, without unknown words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-tokens-"));
  try {
    writeTinyStaticModel(join(folder, "tiny"));
    env.allowRemoteModels = false;
    env.localModelPath = folder;
    const reference = await AutoTokenizer.from_pretrained("tiny");
    const file: unknown = JSON.parse(readFileSync(join(folder, "tiny", "tokenizer.json"), "utf8"));
    const ours = new WordPiece(file);
    const unknown = 1;
    const expected = (text: string): number[] =>
      (reference.encode(text, null, { add_special_tokens: false }) as number[]).filter(
        (id) => id !== unknown,
      );
    for (const text of [
      "Deploy to STAGING, then re-try!",
      "naïve café résumé",
      "snake_case camelCase kebab-case path/to/file.ts",
      "日本語 and 漢字mixed",
      "tab\tnew\nline\u00a0nbsp\u200bzero",
      "don't (stop) 3.14 $100 a+b=c <x> `y` ~z^",
      "a".repeat(101),
      "",
    ])
      expect([text, ours.known(text)]).toEqual([text, expected(text)]);
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        // The library treats names of special tokens, such as [CLS], as markup; for us they are text.
        fc.pre(!text.includes("["));
        expect(ours.known(text)).toEqual(expected(text));
      }),
      { numRuns: 300 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
