import { describe, expect, test } from "vitest";
import { entropyBits, looksOrdinary, looksRandom } from "./randomness.ts";

describe("randomness", () => {
  test.each([
    "createKeyboardHandler",
    "src/text/token-provider.ts",
    "MAX_RETRY_COUNT",
    "decodeBase64Text",
    "utf8TextDecoder",
  ])("%s looks like a name, not random", (name) => {
    expect(looksOrdinary(name)).toBe(true);
    expect(looksRandom(name)).toBe(false);
  });

  test.each([
    "x7Kq2LmZ9vBt",
    "gsxWdirqyqmfLICBTzLgPzzgZtzi",
    "9b74c9897bac770f",
    "abcdefghijklmnopqrstuvwxyz",
  ])("%s looks random", (secret) => {
    expect(looksOrdinary(secret)).toBe(false);
    expect(looksRandom(secret)).toBe(true);
  });

  test("a text of few different characters is not random", () => {
    expect(looksRandom("0000000000000000")).toBe(false);
  });

  test("entropy is 0 bits for one repeated character and 2 bits for four in equal shares", () => {
    expect(entropyBits("aaaa")).toBeCloseTo(0);
    expect(entropyBits("abcdabcd")).toBe(2);
  });
});
