import {
  AutoModel,
  AutoTokenizer,
  mean_pooling as meanPooling,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  Tensor,
} from "@xenova/transformers";
import { isContainer } from "../../json/is-object.ts";
import { chunkTokens, window } from "../chunks.ts";
import { localFiles } from "./local-files.ts";

/** Most tokens of one run, with padding. It bounds the memory that the runtime takes. */
const tokensPerRun = 2_000;

/** A batch: chunks of texts that are run through the model together. */
export type Run = readonly ChunkOfText[];

interface ChunkOfText {
  readonly text: number;
  readonly chunk: number;
  readonly ids: readonly number[];
}

/** A sentence model: token ids in, mean of the last layer out, at length 1. */
export class FeatureExtractor {
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #model: PreTrainedModel;
  readonly #start: readonly number[];
  readonly #end: readonly number[];
  readonly #paddingId: number;

  private constructor(tokenizer: PreTrainedTokenizer, model: PreTrainedModel) {
    this.#tokenizer = tokenizer;
    this.#model = model;
    // The special tokens around an empty text are those around every text.
    const frame: number[] = tokenizer.encode("");
    const half = Math.ceil(frame.length / 2);
    this.#start = frame.slice(0, half);
    this.#end = frame.slice(half);
    this.#paddingId = tokenizer.pad_token_id ?? 0;
  }

  /** Loads the files of a folder; nothing is ever fetched. */
  static async load(folder: string): Promise<FeatureExtractor> {
    const { name, options } = localFiles(folder, "model");
    const tokenizer = await AutoTokenizer.from_pretrained(name, options);
    const model = await AutoModel.from_pretrained(name, options);
    return new FeatureExtractor(tokenizer, model);
  }

  /** Cuts texts into windows and packs windows of like length into runs. */
  plan(texts: readonly string[], windowsPerText: number): Run[] {
    const room = window.tokens - this.#start.length - this.#end.length;
    const chunks = texts.flatMap((text, index) => {
      const ids: number[] = this.#tokenizer.encode(text, null, { add_special_tokens: false });
      return chunkTokens(ids, room, window.overlap)
        .slice(0, windowsPerText)
        .map((part, chunk) => ({ text: index, chunk, ids: [...this.#start, ...part, ...this.#end] }));
    });
    chunks.sort((a, b) => a.ids.length - b.ids.length);
    const runs: ChunkOfText[][] = [];
    let open: ChunkOfText[] = [];
    for (const chunk of chunks) {
      // Chunks are sorted by length, so this one is the longest so far, and all others are padded to it.
      if (open.length > 0 && (open.length + 1) * chunk.ids.length > tokensPerRun) {
        runs.push(open);
        open = [];
      }
      open.push(chunk);
    }
    return open.length === 0 ? runs : [...runs, open];
  }

  async vectors(run: Run): Promise<Float32Array[]> {
    const length = Math.max(...run.map(({ ids }) => ids.length));
    const size = run.length * length;
    const ids = new BigInt64Array(size).fill(BigInt(this.#paddingId));
    const mask = new BigInt64Array(size);
    for (const [row, chunk] of run.entries()) {
      for (const [column, id] of chunk.ids.entries()) {
        ids[row * length + column] = BigInt(id);
        mask[row * length + column] = 1n;
      }
    }
    const shape = [run.length, length];
    const attention = new Tensor("int64", mask, shape);
    const output: unknown = await this.#model({
      input_ids: new Tensor("int64", ids, shape),
      attention_mask: attention,
    });
    const pooled = meanPooling(lastLayer(output), attention).normalize(2, -1);
    const [rows = 0, dimensions = 0] = pooled.dims;
    const values = Float32Array.from(pooled.data as Float32Array);
    return Array.from({ length: rows }, (_, row) => values.slice(row * dimensions, (row + 1) * dimensions));
  }
}

function lastLayer(output: unknown): Tensor {
  const layer = isContainer(output) ? output.last_hidden_state : undefined;
  if (!(layer instanceof Tensor)) throw new Error("the model gives no last_hidden_state");
  return layer;
}
