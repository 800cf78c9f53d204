import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeCorpus, seededRandom } from "../corpus.ts";

const modelDimensions = 384;
/** The model knows the most frequent words of the corpus; a document has some dozens of them. */
const knownWords = 4_000;
/**
 * Weight of a direction that all vectors share: texts without a common word have a similarity of about a third, as with
 * real models.
 */
const commonShare = 0.7;

/**
 * Writes a static embedding model for the words of the made-up corpus. A word's vector is noise plus a direction that
 * all share, so texts are similar when they share words. It embeds in microseconds, so that the search is what is
 * measured.
 */
export function writeWordModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const vocabulary = ["[UNK]", ...makeCorpus({ documents: 0 }).vocabulary.slice(0, knownWords)];
  const random = seededRandom(11);
  const draw = () => random() + random() + random() - 1.5;
  const common = Float32Array.from({ length: modelDimensions }, draw);
  const table = new Float32Array(vocabulary.length * modelDimensions);
  for (let at = 0; at < table.length; at += 1)
    table[at] = draw() + commonShare * (common[at % modelDimensions] ?? 0);
  const bytes = Buffer.from(table.buffer);
  const header = JSON.stringify({
    embeddings: {
      dtype: "F32",
      shape: [vocabulary.length, modelDimensions],
      data_offsets: [0, bytes.length],
    },
  });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  writeFileSync(join(folder, "model.safetensors"), Buffer.concat([length, Buffer.from(header), bytes]));
  const config = { model_type: "model2vec", hidden_dim: modelDimensions, normalize: true };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const tokenizer = {
    normalizer: { type: "BertNormalizer", handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: "BertPreTokenizer" },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
}
