import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { field, float, int64, message, modelOf, node, port, tensor } from "./onnx.ts";

/*
 * Embedding models so small that a test can write them, in the layouts in which real ones are published: a BERT-shaped
 * ONNX model (embedding of word and type, one dense layer, mask) and a Model2Vec table, over the same vocabulary. Each
 * word has a random vector of its own, so texts that share words are similar.
 */

export const tinyDimensions = 64;

const words =
  "the a on how to my is in of and cat sat mat dog ran queue retry retries jitter backoff deploy deployment staging " +
  "password reset login forgot credentials token database migration schema index vector memory test";
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789.,-_/:;!?()'";
export const specialTokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
export const tinyVocabulary: readonly string[] = [
  ...specialTokens,
  ...new Set([...words.split(" "), ...alphabet, ...[...alphabet].map((letter) => `##${letter}`)]),
];

/** Numbers between -1 and 1 that are the same in every run (mulberry32). */
function noise(count: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2_147_483_648 - 1;
  });
}

/** One row per word of the vocabulary. */
export const tinyTable = noise(tinyVocabulary.length * tinyDimensions, 7);

/** Writes the model files that the `local` provider reads into a folder. */
export function writeTinyOnnxModel(folder: string): void {
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "onnx", "model_quantized.onnx"), onnxModel());
  writeTokenizer(folder);
  const config = { model_type: "bert", architectures: ["BertModel"], hidden_size: tinyDimensions };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
}

export type StaticFormat = "F32" | "F16" | "I8";

/** Writes the model files that the `static` provider reads into a folder. */
export function writeTinyStaticModel(folder: string, format: StaticFormat = "F32"): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "model.safetensors"), safetensors(format));
  writeTokenizer(folder);
  const config = { model_type: "model2vec", hidden_dim: tinyDimensions, normalize: true };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
}

/** The same table in the compact format, with one byte per number. */
export function tinyQuantisedTable(): Buffer {
  const tokens = tinyVocabulary.length;
  const header = Buffer.alloc(12);
  header.write("GGE1");
  header.writeUInt32LE(tokens, 4);
  header.writeUInt32LE(tinyDimensions, 8);
  const scales = new Float32Array(tokens).fill(1 / 127);
  return Buffer.concat([
    header,
    Buffer.from(scales.buffer),
    Buffer.from(Int8Array.from(tinyTable, (value) => Math.round(value * 127)).buffer),
    ...tinyVocabulary.map((token) => {
      const text = Buffer.from(token);
      const length = Buffer.alloc(2);
      length.writeUInt16LE(text.length);
      return Buffer.concat([length, text]);
    }),
  ]);
}

/** Writes a BERT tokenizer over a vocabulary that begins with the special tokens. */
export function writeTokenizer(folder: string, vocabulary: readonly string[] = tinyVocabulary): void {
  const frame = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const idOf = (token: string) => vocabulary.indexOf(token);
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: specialTokens.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [frame("[CLS]"), { Sequence: { id: "A", type_id: 0 } }, frame("[SEP]")],
      pair: [],
      special_tokens: Object.fromEntries(
        ["[CLS]", "[SEP]"].map((id) => [id, { id, ids: [idOf(id)], tokens: [id] }]),
      ),
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
  const names = { pad_token: "[PAD]", unk_token: "[UNK]", cls_token: "[CLS]", sep_token: "[SEP]" };
  const config = {
    ...names,
    mask_token: "[MASK]",
    do_lower_case: true,
    model_max_length: 512,
    tokenizer_class: "BertTokenizer",
  };
  writeFileSync(join(folder, "tokenizer_config.json"), JSON.stringify(config));
}

function safetensors(format: StaticFormat): Buffer {
  const values = {
    F32: () => Buffer.from(tinyTable.buffer),
    F16: () => Buffer.from(Uint16Array.from(tinyTable, halfOf).buffer),
    I8: () => Buffer.from(Int8Array.from(tinyTable, (value) => Math.round(value * 127)).buffer),
  }[format]();
  const shape = [tinyVocabulary.length, tinyDimensions];
  const header = JSON.stringify({ embeddings: { dtype: format, shape, data_offsets: [0, values.length] } });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, Buffer.from(header), values]);
}

/** The nearest half-precision number below, for values of ordinary size. */
function halfOf(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  return exponent <= 0 ? 0 : ((bits >>> 16) & 0x8000) | (exponent << 10) | ((bits >>> 13) & 0x3ff);
}

function onnxModel(): Buffer {
  const size = tinyDimensions;
  // Close to the identity matrix, so that similar texts stay similar.
  const dense = noise(size * size, 11).map((value, at) => value * 0.05 + (at % (size + 1) === 0 ? 1 : 0));
  const castToFloat = message(field(1, "to"), field(3, float), field(20, 2));
  const graph = message(
    field(1, node("Gather", ["word_table", "input_ids"], "words")),
    field(1, node("Gather", ["type_table", "token_type_ids"], "types")),
    field(1, node("Add", ["words", "types"], "embedded")),
    field(1, node("MatMul", ["embedded", "dense"], "multiplied")),
    field(1, node("Add", ["multiplied", "bias"], "shifted")),
    field(1, node("Tanh", ["shifted"], "layer")),
    field(1, node("Cast", ["attention_mask"], "mask", castToFloat)),
    field(1, node("Unsqueeze", ["mask", "last_axis"], "wide_mask")),
    field(1, node("Mul", ["layer", "wide_mask"], "last_hidden_state")),
    field(2, "tiny"),
    field(5, tensor("word_table", float, [tinyVocabulary.length, size], tinyTable.buffer)),
    field(5, tensor("type_table", float, [2, size], noise(2 * size, 13).map((value) => value * 0.01).buffer)),
    field(5, tensor("dense", float, [size, size], dense.buffer)),
    field(5, tensor("bias", float, [size], noise(size, 17).map((value) => value * 0.01).buffer)),
    field(5, tensor("last_axis", int64, [1], BigInt64Array.of(2n).buffer)),
    ...["input_ids", "attention_mask", "token_type_ids"].map((name) =>
      field(11, port(name, int64, ["batch", "length"])),
    ),
    field(12, port("last_hidden_state", float, ["batch", "length", size])),
  );
  return modelOf(graph);
}
