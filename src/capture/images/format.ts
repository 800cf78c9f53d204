/** The format of an image. */
export interface ImageFormat {
  readonly mime: string;
  /** The file name extension, without the dot. */
  readonly extension: string;
}

const signatures = [
  { mime: "image/png", extension: "png", at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { mime: "image/jpeg", extension: "jpg", at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mime: "image/gif", extension: "gif", at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { mime: "image/webp", extension: "webp", at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
] as const;

/** The shortest image of any of these formats is longer. */
const leastBytes = 24;

/** The format by the first bytes; undefined unless they are PNG, JPEG, GIF or WebP. */
export function formatOf(content: Uint8Array): ImageFormat | undefined {
  if (content.length < leastBytes) return undefined;
  const found = signatures.find(({ at, bytes }) =>
    bytes.every((byte, index) => content[at + index] === byte),
  );
  return found === undefined ? undefined : { mime: found.mime, extension: found.extension };
}

/** The format that a data URL claims, except those that the bytes must show. */
export function formatNamed(mime: string): ImageFormat | undefined {
  const subtype = /^image\/([a-z0-9][a-z0-9.-]{0,20})(?:\+xml)?$/u.exec(mime.toLowerCase())?.[1];
  if (subtype === undefined || signatures.some(({ mime: known }) => known === mime.toLowerCase()))
    return undefined;
  return { mime: mime.toLowerCase(), extension: subtype.replaceAll(/[^a-z0-9]/gu, "") };
}

/** The format for a MIME type. */
export function formatOfMime(mime: string): ImageFormat | undefined {
  const known = signatures.find((one) => one.mime === mime.toLowerCase());
  return known === undefined ? formatNamed(mime) : { mime: known.mime, extension: known.extension };
}

/**
 * Whether a text begins like the base64 of an image, or a data URL of one. Looks at the first characters
 * only.
 */
export function beginsLikeImage(text: string): boolean {
  if (text.length < leastBytes) return false;
  switch (text.charCodeAt(0)) {
    case 0x2f:
      return text.startsWith("/9j/");
    case 0x52:
      return text.startsWith("R0lGOD");
    case 0x55:
      return text.startsWith("UklGR");
    case 0x64:
      return text.startsWith("data:image/");
    case 0x69:
      return text.startsWith("iVBORw0KGgo");
    default:
      return false;
  }
}
