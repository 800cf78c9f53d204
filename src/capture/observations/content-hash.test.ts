import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contentHash } from "./content-hash.ts";
import type { Event } from "./pick-up-fields.ts";

const event = (over: Partial<Event>): Event => ({
  hookType: "post_tool_use",
  sessionId: "s1",
  project: "shop",
  cwd: "/code/shop",
  timestamp: 1,
  data: {},
  ...over,
});

describe("contentHash", () => {
  test("is a SHA-256 in hex that ignores the order of keys at any depth", () => {
    const one = contentHash(event({ data: { a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } } }), "Bash");
    const other = contentHash(event({ data: { b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 } }), "Bash");
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(other).toBe(one);
  });

  test("does not depend on the time, the project or the directory", () => {
    expect(contentHash(event({ timestamp: 2, project: "x", cwd: "/" }), "Bash")).toBe(
      contentHash(event({}), "Bash"),
    );
  });

  test("differs when any part or the border between two parts differs", () => {
    const hashes = [
      contentHash(event({}), undefined),
      contentHash(event({}), "Bash"),
      contentHash(event({ sessionId: "s1Bash" }), undefined),
      contentHash(event({ hookType: "post_tool_useBash" }), undefined),
      contentHash(event({ data: { a: "1" } }), undefined),
      contentHash(event({ data: { a: 1 } }), undefined),
      contentHash(event({ data: [["a", 1]] }), undefined),
      contentHash(event({ data: [1, 2] }), undefined),
      contentHash(event({ data: [2, 1] }), undefined),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test("includes keys named like prototype members", () => {
    const data: unknown = JSON.parse('{"__proto__": {"x": 1}}');
    expect(contentHash(event({ data }), "")).not.toBe(contentHash(event({ data: {} }), ""));
  });

  test("covers data nested 64 levels deep", () => {
    let data: unknown = "deep";
    for (let depth = 0; depth < 64; depth += 1) data = { a: data };
    const head = '["s1","post_tool_use",""]';
    const canonical = `${'{"a":'.repeat(64)}"deep"${"}".repeat(64)}`;
    const expected = createHash("sha256").update(`${head}\n${canonical}`).digest("hex");
    expect(contentHash(event({ data }), undefined)).toBe(expected);
  });
});
