import * as z from "zod";

/** The parts of `tokenizer.json` that a BERT tokenizer needs. */
const TokenizerFile = z.object({
  normalizer: z
    .object({
      type: z.literal("BertNormalizer"),
      lowercase: z.boolean(),
      strip_accents: z.boolean().nullish(),
      handle_chinese_chars: z.boolean(),
    })
    .describe("how texts are cleaned"),
  pre_tokenizer: z.object({ type: z.literal("BertPreTokenizer") }),
  model: z.object({
    type: z.literal("WordPiece").optional(),
    unk_token: z.string(),
    continuing_subword_prefix: z.string(),
    max_input_chars_per_word: z.number(),
    vocab: z.record(z.string(), z.number()),
  }),
});

/** Words and single punctuation marks; a few ASCII symbols count as punctuation too. */
const wordOrMark = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;
const ideograph =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const unprintable = /(?![\t\n\r])[\p{Cc}\p{Cf}\u{fffd}]/gu;

/** WordPiece tokenizer of the BERT family. */
export class WordPiece {
  readonly #file: z.infer<typeof TokenizerFile>;
  readonly #vocabulary: ReadonlyMap<string, number>;

  /** Takes the parsed `tokenizer.json`; throws when it is of another family. */
  constructor(file: unknown) {
    this.#file = TokenizerFile.parse(file);
    this.#vocabulary = new Map(Object.entries(this.#file.model.vocab));
  }

  get size(): number {
    return this.#vocabulary.size;
  }

  /** Ids of the known pieces, in order; words that cannot be made of pieces are left out. */
  known(text: string): number[] {
    const ids: number[] = [];
    for (const [word] of this.#clean(text).matchAll(wordOrMark)) this.#pieces(word, ids);
    return ids;
  }

  #clean(text: string): string {
    const { lowercase, strip_accents: stripAccents, handle_chinese_chars: spaced } = this.#file.normalizer;
    let cleaned = text.replace(unprintable, "");
    if (spaced) cleaned = cleaned.replace(ideograph, " $& ");
    if (stripAccents ?? lowercase) cleaned = cleaned.normalize("NFD").replace(/\p{Mn}/gu, "");
    return lowercase ? cleaned.toLowerCase() : cleaned;
  }

  /** The longest known piece, then the longest known continuation, and so on; nothing when one of them is missing. */
  #pieces(word: string, ids: number[]): void {
    const { max_input_chars_per_word: longest, continuing_subword_prefix: prefix } = this.#file.model;
    const letters = [...word];
    if (letters.length > longest) return;
    const before = ids.length;
    let start = 0;
    while (start < letters.length) {
      let end = letters.length;
      let id: number | undefined;
      while (id === undefined && end > start) {
        const piece = letters.slice(start, end).join("");
        id = this.#vocabulary.get(start === 0 ? piece : prefix + piece);
        end -= 1;
      }
      if (id === undefined) {
        ids.length = before;
        return;
      }
      ids.push(id);
      start = end + 1;
    }
  }
}
