import {
  AutoTokenizer,
  CLIPTextModelWithProjection,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from "@xenova/transformers";
import { localFiles } from "./local-files.ts";
import { projected } from "./projected.ts";

/** The half of a CLIP model that embeds texts: the description of an image gets a vector near the image's own. */
export class TextTower {
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #model: PreTrainedModel;

  private constructor(tokenizer: PreTrainedTokenizer, model: PreTrainedModel) {
    this.#tokenizer = tokenizer;
    this.#model = model;
  }

  /** Loads its files from a folder. */
  static async load(folder: string): Promise<TextTower> {
    const { name, options } = localFiles(folder, "text_model");
    const tokenizer = await AutoTokenizer.from_pretrained(name, options);
    return new TextTower(tokenizer, await CLIPTextModelWithProjection.from_pretrained(name, options));
  }

  /** The unit vector of a text; only as much of its beginning counts as the model reads. */
  async vector(text: string): Promise<Float32Array> {
    const inputs: unknown = this.#tokenizer(text, { padding: true, truncation: true });
    return projected(await this.#model(inputs), "text_embeds");
  }
}
