import { expect, test } from "vitest";
import { decodeImage, isBase64, mostImageBytes } from "./decode.ts";

const head = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Text that V8 stores with two bytes per character, because it was cut from a text with a non-Latin letter. */
const wide = (text: string) => `${text}中`.slice(0, -1);

test("decodes an image of the maximum size from one-byte and two-byte strings", () => {
  const content = Buffer.concat([head, Buffer.alloc(mostImageBytes - head.length, 7)]);
  const text = content.toString("base64");
  for (const given of [text, wide(text), wide(`data:image/png;base64,${text}`)]) {
    const decoded = decodeImage(given);
    expect(decoded.kind === "image" && content.equals(decoded.image.content)).toBe(true);
  }
});

test.each([
  ["", false],
  ["=", false],
  ["AA=", true],
  ["AA==", true],
  ["AA===", false],
  ["A=A", false],
  ["-_+/", true],
  ["AA\n", false],
  ["ÄÄ==", false],
])("%j is base64: %s", (text, expected) => {
  expect(isBase64(text)).toBe(expected);
});
