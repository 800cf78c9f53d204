import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { appendItem, jsonTree, removeValue, setValue, valueAt } from "./json-text.ts";

const texts: readonly (readonly [string, string])[] = [
  ["an empty object", "{}"],
  ["an empty object of two lines", "{\n}\n"],
  ["one that holds a comment alone", "{\n  // nothing yet\n}\n"],
  ["an object on one line", '{"a": 1, "b": [1, 2]}'],
  ["four spaces and a comment behind the last value", '{\n    "a": 1, // one\n    "b": {} // two\n}\n'],
  ["tabs, and a comma behind the last value", '{\n\t"a": 1,\n\t"list": [\n\t\t1,\n\t],\n}\n'],
  ["line ends of Windows", '{\r\n  "a": 1,\r\n  "b": "x" /* c */\r\n}\r\n'],
  ["a comment after everything", '{\n  "a": 1\n  // the end\n}'],
  ["no space anywhere", '{"a":{"b":{"c":[]}}}'],
];

describe.each(texts)("a value in %s", (_name, text) => {
  test("can be read back, and its removal restores the text up to white space before brackets", () => {
    const put = setValue(text, ["servers", "mine"], { command: "x", args: ["y"] });
    expect(valueAt(put, ["servers", "mine"])).toEqual({ command: "x", args: ["y"] });
    const { servers, ...others } = parse(put, [], { allowTrailingComma: true }) as Record<string, unknown>;
    expect(others).toEqual(parse(text, [], { allowTrailingComma: true }));
    expect(servers).toBeDefined();
    for (const comment of text.match(/\/\/.*|\/\*.*?\*\//gu) ?? []) expect(put).toContain(comment);
    const back = removeValue(put, ["servers"]);
    expect(back.replaceAll(/\s+\}/gu, "}")).toBe(text.replaceAll(/\s+\}/gu, "}"));
  });
});

test("inserted values follow the style of the file", () => {
  expect(setValue('{\n\t"a": 1 // one\n}\n', ["b", "c"], [1])).toBe(
    '{\n\t"a": 1, // one\n\t"b": {\n\t\t"c": [\n\t\t\t1\n\t\t]\n\t}\n}\n',
  );
  expect(appendItem('{"a": [1]}', ["a"], { b: 2 })).toBe('{"a": [1, {"b":2}]}');
  expect(setValue('{\r\n  "a": 1\r\n}', ["b"], { c: 2 })).toBe(
    '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}',
  );
});

test("an existing value is replaced in its place", () => {
  expect(setValue('{\n  "a": {"b": 1}, // one\n  "c": 2\n}', ["a", "b"], { d: 3 })).toBe(
    '{\n  "a": {"b": {\n    "d": 3\n  }}, // one\n  "c": 2\n}',
  );
});

test.each([
  ['{"a": 1,, }', "line 1, column 9"],
  ['{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"],
  ["[1, 2]", "it does not hold a JSON object"],
  ['{"a": "x', "line 1, column 7"],
])("%j is rejected with the place of the error", (text, place) => {
  expect(() => jsonTree(text)).toThrow(place);
});

test("a duplicate name is rejected", () => {
  expect(() => setValue('{"hooks": {}, "hooks": {"Stop": []}}', ["hooks", "Stop"], [])).toThrow(
    '"hooks" stands in it more than once',
  );
});

const indents = ["", "  ", "\t", "    "];

/** JSON of any shape and layout; names do not collide with those that are put in. */
const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));

test("inserting and removing values restores the exact text of any object", () => {
  fc.assert(
    fc.property(anyObject, fc.constantFrom(...indents), fc.boolean(), (object, indent, isWindows) => {
      const text = JSON.stringify(object, null, indent).replaceAll("\n", isWindows ? "\r\n" : "\n");
      fc.pre(!Object.hasOwn(object, "ours") && !Object.hasOwn(object, "__proto__"));
      const put = appendItem(setValue(text, ["ours", "a"], { b: 1 }), ["ours", "list"], { c: [2] });
      expect(JSON.parse(put)).toEqual({ ...JSON.parse(text), ours: { a: { b: 1 }, list: [{ c: [2] }] } });
      expect(removeValue(put, ["ours"])).toBe(text);
    }),
    { numRuns: 300 },
  );
});
