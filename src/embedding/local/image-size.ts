interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Width and height from the header of a PNG, JPEG or WebP file; undefined when it has none. They are checked before the
 * file is decoded, because a file of a few kilobytes may declare an image that does not fit into memory.
 */
export function imageSize(content: Uint8Array, mime: string): ImageSize | undefined {
  const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    switch (mime) {
      case "image/png":
        return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
      case "image/jpeg":
        return jpegSize(file);
      case "image/webp":
        return webpSize(file);
      default:
        return undefined;
    }
  } catch (error) {
    // The file ends before the fields with its size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A JPEG is a sequence of segments with their lengths; the frame segment holds the size. */
function jpegSize(file: Buffer): ImageSize | undefined {
  let at = 2;
  for (;;) {
    if (file.readUInt8(at) !== 0xff) return undefined;
    const marker = file.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C4, C8 and CC are tables, not frames.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += isAlone ? 2 : 2 + file.readUInt16BE(at + 2);
  }
}

function webpSize(file: Buffer): ImageSize | undefined {
  switch (file.toString("latin1", 12, 16)) {
    case "VP8 ":
      return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      const bits = file.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
