import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { field, float, int64, message, modelOf, node, port, tensor } from "./onnx.ts";
import { specialTokens, writeTokenizer } from "./tiny-model.ts";

/*
 * An image model so small that a test can write it, in the file layout in which CLIP models are published. The vector
 * of an image is its mean colour, that of a text the mean of the colours that it names.
 */

type Colour = readonly [red: number, green: number, blue: number];

export const tinyImageDimensions = 3;
/** Width and height of the images that the network takes, in pixels. */
const imageSize = 8;

const colours: Readonly<Record<string, Colour>> = {
  red: [1, -1, -1],
  green: [-1, 1, -1],
  blue: [-1, -1, 1],
};

/** Writes the files of the image model into a folder. */
export function writeTinyImageModel(folder: string): void {
  mkdirSync(join(folder, "onnx"), { recursive: true });
  writeFileSync(join(folder, "onnx", "vision_model_quantized.onnx"), imageNetwork());
  writeFileSync(join(folder, "onnx", "text_model_quantized.onnx"), textNetwork());
  writeTokenizer(folder, [...specialTokens, ...Object.keys(colours)]);
  const config = {
    model_type: "clip",
    architectures: ["CLIPModel"],
    projection_dim: tinyImageDimensions,
    vision_config: { image_size: imageSize },
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
}

/** A PNG file of one colour. */
export function solidPng([red, green, blue]: Colour, width = 24, height = 16): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => [red, green, blue]).flat()]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(checksum(body), body.length + 4);
  return framed;
}

/** CRC-32, bit by bit. */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function imageNetwork(): Buffer {
  const graph = message(
    field(1, mean("pixel_values", "image_embeds", [2, 3])),
    field(2, "tiny-images"),
    field(11, port("pixel_values", float, ["batch", 3, imageSize, imageSize])),
    field(12, port("image_embeds", float, ["batch", tinyImageDimensions])),
  );
  return modelOf(graph);
}

function textNetwork(): Buffer {
  const table = Float32Array.from([
    ...specialTokens.flatMap(() => [0, 0, 0.01]),
    ...Object.values(colours).flat(),
  ]);
  const rows = table.length / tinyImageDimensions;
  const graph = message(
    field(1, node("Gather", ["table", "input_ids"], "words")),
    field(1, mean("words", "text_embeds", [1])),
    field(2, "tiny-texts"),
    field(5, tensor("table", float, [rows, tinyImageDimensions], table.buffer)),
    field(11, port("input_ids", int64, ["batch", "length"])),
    field(12, port("text_embeds", float, ["batch", tinyImageDimensions])),
  );
  return modelOf(graph);
}

function mean(input: string, output: string, axes: readonly number[]): Buffer {
  const over = message(field(1, "axes"), ...axes.map((axis) => field(8, axis)), field(20, 7));
  const dropped = message(field(1, "keepdims"), field(3, 0), field(20, 2));
  return Buffer.concat([node("ReduceMean", [input], output, over), field(5, dropped)]);
}
