import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageFolder } from "../../store/migrations.ts";
import { imageSize } from "./image-size.ts";
import type { Pixels } from "./pixel-values.ts";

/**
 * An image that cannot be decoded. It is recognized by its name, because bundles have different copies of the class.
 */
class UnreadableImage extends Error {
  override readonly name = "UnreadableImage";
}

/** Larger images would take the decoders more than half a gigabyte of memory. */
const mostPixels = 50_000_000;

/** The decoders' code lies in files beside the built thread. */
const decoders: Readonly<Record<string, { readonly code: string; readonly decode: Decode }>> = {
  "image/png": {
    code: "squoosh_png_bg.wasm",
    decode: async (content, code) => {
      const { decode, init } = await import("@jsquash/png/decode.js");
      await init(code);
      return decode(content);
    },
  },
  "image/jpeg": {
    code: "mozjpeg_dec.wasm",
    decode: async (content, code) => {
      const { default: decode, init } = await import("@jsquash/jpeg/decode.js");
      // A new decoder for each image, because one that has failed cannot be used again.
      await init({ wasmBinary: code });
      return decode(content);
    },
  },
  "image/webp": {
    code: "webp_dec.wasm",
    decode: async (content, code) => {
      const { default: decode, init } = await import("@jsquash/webp/decode.js");
      await init({ wasmBinary: code });
      return decode(content);
    },
  },
};

type Decode = (content: ArrayBuffer, code: ArrayBuffer) => Promise<Pixels>;

/** The pixels of a PNG, JPEG or WebP file. Error: UnreadableImage. */
export async function decodePixels(content: Uint8Array, mime: string): Promise<Pixels> {
  const decoder = decoders[mime];
  if (decoder === undefined) throw new UnreadableImage(`images of the kind ${mime} are not decoded`);
  const size = imageSize(content, mime);
  if (size === undefined || size.width === 0 || size.height === 0) throw new UnreadableImage("it is damaged");
  if (size.width * size.height > mostPixels)
    throw new UnreadableImage(`its ${size.width} × ${size.height} pixels are too many`);
  const code = await readFile(join(packageFolder(), "dist", decoder.code));
  try {
    const { width, height, data } = await decoder.decode(
      Uint8Array.from(content).buffer,
      Uint8Array.from(code).buffer,
    );
    return { width, height, data };
  } catch {
    // What the decoders throw says nothing but that they could not.
    throw new UnreadableImage("it is damaged");
  }
}
