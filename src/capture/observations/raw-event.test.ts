import { describe, expect, test } from "vitest";
import { type Event, pickUpFields } from "./pick-up-fields.ts";
import { capStrings, rawEventOf } from "./raw-event.ts";

describe("capStrings", () => {
  test("cuts long strings at any depth and states how many characters were cut", () => {
    const capped = capStrings({ a: ["x".repeat(70_000)], b: 1 });
    expect(capped).toEqual({ a: [`${"x".repeat(65_536)}…[truncated 4464 characters]`], b: 1 });
  });

  test("counts code points and never splits a surrogate pair", () => {
    expect(capStrings("😀".repeat(12), 10)).toBe(`${"😀".repeat(10)}…[truncated 2 characters]`);
    expect(capStrings("😀".repeat(10), 10)).toBe("😀".repeat(10));
  });

  test("returns an already cut value unchanged", () => {
    const once = capStrings({ text: "y".repeat(66_000) });
    expect(capStrings(once)).toBe(once);
  });

  test("returns a value without long strings itself", () => {
    const value = { a: [{ b: "short" }], c: null };
    expect(capStrings(value)).toBe(value);
  });

  test("keeps a __proto__ key as plain data", () => {
    const value: unknown = JSON.parse(`{"__proto__": {"a": "${"z".repeat(20)}"}}`);
    expect(JSON.stringify(capStrings(value, 10))).toBe(
      `{"__proto__":{"a":"${"z".repeat(10)}…[truncated 10 characters]"}}`,
    );
  });
});

describe("rawEventOf", () => {
  test("keeps the picked fields and all data, including unknown keys", () => {
    const data = {
      tool_name: "Bash",
      tool_input: { command: "ls" },
      tool_response: { stdout: "a" },
      extra: { n: 1 },
    };
    const event: Event = {
      hookType: "post_tool_use",
      sessionId: "s",
      project: "p",
      cwd: "/p",
      timestamp: 0,
      data,
    };
    expect(rawEventOf(event, pickUpFields(event))).toEqual({
      hookType: "post_tool_use",
      toolName: "Bash",
      toolInput: { command: "ls" },
      toolOutput: { stdout: "a" },
      data,
    });
  });
});
