import { describe, expect, test } from "vitest";
import { noSpans, type Rule } from "./rule.ts";
import { scannerFor } from "./scan.ts";
import { matchesAt } from "./trigger-index.ts";

function wholeTrigger(literal: string): Rule {
  return {
    name: literal,
    triggers: [literal],
    find: (_text, at) => [{ start: at, end: at + literal.length }],
  };
}

describe("triggers", () => {
  test("are found in any case, at both ends of the text, and with digits for #", () => {
    const scan = scannerFor([wholeTrigger("abc-"), wholeTrigger("x#y")]);
    expect(scan("ABC-x7Yabc-")).toBe("[REDACTED_SECRET]".repeat(3));
    expect(scan("ab-c x#y xay abc")).toBe("ab-c x#y xay abc");
  });

  test("that share a trigram are all tried, the earlier rule first", () => {
    const refusing: Rule = { name: "refusing", triggers: ["zqxa"], find: () => noSpans };
    expect(scannerFor([refusing, wholeTrigger("zqxab")])("-zqxab-")).toBe("-[REDACTED_SECRET]-");
  });

  test("of fewer than three characters are rejected", () => {
    expect(() => scannerFor([wholeTrigger("ab")])).toThrow(/too short/);
  });

  test("do not match beyond the end of the text", () => {
    expect(matchesAt("xabc", 1, "abc")).toBe(true);
    expect(matchesAt("xab", 1, "abc")).toBe(false);
  });
});
