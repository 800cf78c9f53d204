const magic = Buffer.from([0x1f, 0x8b]);

/** How many bytes are needed to recognise a gzip file. */
export const gzipMagicLength = magic.length;

export function isGzip(start: Uint8Array): boolean {
  return magic.equals(start.subarray(0, magic.length));
}
