import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonPath, JsonSplitter } from "./json-splitter.ts";

/** The members of an outer object, however the text is cut. */
function membersOf(text: string, cuts: readonly number[]): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  const splitter = new JsonSplitter({
    descends: (path: JsonPath) => path.length === 0,
    value: ([name], value) => {
      Object.defineProperty(members, String(name), { value, enumerable: true, configurable: true });
    },
  });
  const bytes = Buffer.from(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    splitter.push(bytes.subarray(from, end));
    from = end;
  }
  splitter.end();
  return members;
}

const member = fc.oneof(fc.jsonValue(), fc.string({ unit: fc.constantFrom('"', "\\", "a", "é", "{", "]") }));

test("a text gives the same values wherever it is split, even inside escapes", () => {
  const property = fc.property(fc.dictionary(fc.string(), member), fc.array(fc.nat()), (value, cuts) => {
    const text = JSON.stringify(value);
    expect(membersOf(text, cuts)).toEqual(JSON.parse(text));
  });
  fc.assert(property, { numRuns: 500 });
});

test("a text that is split between every two bytes is read like a whole one", () => {
  const text = '{"a":"x\\\\","b":["\\"]",{"c":"\\\\\\""}],"d":-1.5e3}';
  expect(
    membersOf(
      text,
      Array.from(text, (_, at) => at),
    ),
  ).toEqual(JSON.parse(text));
});

test("a text that ends inside a value or after a backslash is rejected", () => {
  for (const text of ['{"a":"x', '{"a":"x\\', '{"a":{"b":1}', '{"a":[1'])
    expect(() => membersOf(text, [])).toThrow("it ends too early");
});

test("nesting deeper than 72 levels is rejected", () => {
  const nested = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(membersOf(nested(71), [])).toHaveProperty("a");
  expect(() => membersOf(nested(72), [])).toThrow("nested deeper than 72 levels");
});

test("a part that is left out is reported by its position, wherever the text is split", () => {
  const text = ' {"kept":[1],"left":{"a":"}\\"","b":[[]]},"also":[ ]}';
  for (let cut = 0; cut <= text.length; cut += 1) {
    const found: unknown[] = [];
    const splitter = new JsonSplitter({
      descends: (path) => path.length === 0,
      leaves: ([name]) => name !== "kept",
      left: ([name], from, to) => found.push([name, text.slice(from, to)]),
      value: ([name], value) => found.push([name, value]),
    });
    splitter.push(Buffer.from(text.slice(0, cut)));
    splitter.push(Buffer.from(text.slice(cut)));
    splitter.end();
    expect(found).toEqual([
      ["kept", [1]],
      ["left", '{"a":"}\\"","b":[[]]}'],
      ["also", "[ ]"],
    ]);
  }
});
