import { describe, expect, test } from "vitest";
import { redactText } from "./redact.ts";

describe("private tags", () => {
  test.each([
    ["a <private>x</private> b", "a [REDACTED] b"],
    ["a <PRIVATE>x\ny</Private> b", "a [REDACTED] b"],
    ["<private>x</private><private>y</private>", "[REDACTED][REDACTED]"],
    ["<private>x <private> y</private> z</private>", "[REDACTED] z</private>"],
    ["a <private>x\nto the end", "a [REDACTED]"],
    ["<private></private>", "[REDACTED]"],
  ])("%j becomes %j", (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test("inside a key block hide text up to their own closing tag", () => {
    const header = `-----BEGIN ${"PRIVATE"} KEY-----`;
    const footer = `-----END ${"PRIVATE"} KEY-----`;
    expect(redactText(`${header}\n<private>\n${footer}\nstill private</private> open`)).not.toContain(
      "still",
    );
  });

  test("do not include a lone closing tag, other tags and broken tags", () => {
    for (const text of ["x</private>", "<privateer>x</privateer>", "< private>x", "private: x"]) {
      expect(redactText(text)).toBe(text);
    }
  });
});
