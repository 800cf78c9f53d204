import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CLIPVisionModelWithProjection, type PreTrainedModel, Tensor } from "@xenova/transformers";
import { isContainer } from "../../json/is-object.ts";
import { decodePixels } from "./decode-pixels.ts";
import { localFiles } from "./local-files.ts";
import { pixelValues } from "./pixel-values.ts";
import { projected } from "./projected.ts";

const usualSize = 224;

/** The half of a CLIP model that embeds images. */
export class ImageTower {
  readonly #model: PreTrainedModel;
  /** Width and height of the images that the model takes, in pixels. */
  readonly #size: number;

  private constructor(model: PreTrainedModel, size: number) {
    this.#model = model;
    this.#size = size;
  }

  /** Loads its files from a folder. */
  static async load(folder: string): Promise<ImageTower> {
    const config: unknown = JSON.parse(await readFile(join(folder, "config.json"), "utf8"));
    const { name, options } = localFiles(folder, "vision_model");
    return new ImageTower(await CLIPVisionModelWithProjection.from_pretrained(name, options), sizeIn(config));
  }

  /** The unit vector of an image. Error: UnreadableImage. */
  async vector(content: Uint8Array, mime: string): Promise<Float32Array> {
    const values = pixelValues(await decodePixels(content, mime), this.#size);
    const pixels = new Tensor("float32", values, [1, 3, this.#size, this.#size]);
    return projected(await this.#model({ pixel_values: pixels }), "image_embeds");
  }
}

function sizeIn(config: unknown): number {
  const vision = isContainer(config) ? config.vision_config : undefined;
  const size = isContainer(vision) ? vision.image_size : undefined;
  return typeof size === "number" ? size : usualSize;
}
