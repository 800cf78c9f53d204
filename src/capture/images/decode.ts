import { sha256 } from "../../system/sha256.ts";
import { formatNamed, formatOf, type ImageFormat } from "./format.ts";

export const mostImageBytes = 10_485_760;

export interface Image extends ImageFormat {
  /** SHA-256 of the content, in hex. */
  readonly ref: string;
  readonly content: Uint8Array;
}

/** An image, or a sentence that says why it is none. */
export type Decoded =
  | { readonly kind: "image"; readonly image: Image }
  | { readonly kind: "none"; readonly reason: string; readonly tooLarge: boolean };

/** Decodes base64, bare or in a data URL. */
export function decodeImage(text: string): Decoded {
  const url = /^data:(image\/[^;,]{1,60})(?:;[^;,]{1,60})*;base64,/u.exec(text);
  const base64 = url === null ? text : text.slice(url[0].length);
  if (text.startsWith("data:") && url === null) return none("its data URL is not base64");
  if ((base64.length * 3) / 4 > mostImageBytes + 3) return tooLarge();
  if (!isBase64(base64.replaceAll(/\s/gu, ""))) return none("it is not base64");
  return imageOf(Buffer.from(base64, "base64"), url?.[1]);
}

/**
 * Whether a text is base64 of either alphabet, without white space. Not checked with a single pattern, which
 * would need a step of V8's stack for each of possibly millions of characters.
 */
export function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/u, "");
  return digits !== "" && !/[^A-Za-z0-9+/_-]/u.test(digits);
}

/** The image in some bytes; `mime` is the claimed type, used when the bytes do not show it. */
export function imageOf(content: Uint8Array, mime?: string): Decoded {
  if (content.length > mostImageBytes) return tooLarge();
  const format = formatOf(content) ?? (mime === undefined ? undefined : formatNamed(mime));
  if (format === undefined) return none("it is no PNG, JPEG, GIF or WebP image");
  return { kind: "image", image: { ...format, ref: imageRefOf(content), content } };
}

/** The reference of an image: the SHA-256 of its content, in hex. */
export function imageRefOf(content: Uint8Array): string {
  return sha256(content);
}

function none(reason: string): Decoded {
  return { kind: "none", reason: `the image cannot be read: ${reason}`, tooLarge: false };
}

/** The result for an image that is too large to be read. */
export function tooLarge(): Decoded {
  return { kind: "none", reason: "the image is larger than 10 MiB", tooLarge: true };
}
