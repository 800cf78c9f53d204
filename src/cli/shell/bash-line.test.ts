import { expect, test } from "vitest";
import { quotedForBash, readBashLine } from "./bash-line.ts";

test.each([
  ["memsvc ", "", [""], "", undefined],
  ["memsvc show me", "me", ["show", "me"], "", undefined],
  ["memsvc search x --agent-id bob@l", "@l", ["search", "x", "--agent-id", "bob@l"], "bob", undefined],
  ["memsvc status --home=~/a", "~/a", ["status", "--home=~/a"], "--home=", undefined],
  ["memsvc facet query area:", "", ["facet", "query", "area:"], "area:", undefined],
  ['memsvc show --home "/a b" m', "m", ["show", "--home", "/a b", "m"], "", undefined],
  ['memsvc x "web s', "web s", ["x", "web s"], "", '"'],
  ["memsvc x \"it's \\$", "it's \\$", ["x", "it's $"], "", '"'],
  ["memsvc x 'C:\\w", "C:\\w", ["x", "C:\\w"], "", "'"],
  ["memsvc x web\\ s@c", "@c", ["x", "web s@c"], "web s", undefined],
  ['memsvc x a@"p', "p", ["x", "a@p"], "a@", '"'],
  ['memsvc  x  "" y', "y", ["x", "", "y"], "", undefined],
] as const)("of the line %j, in which bash replaces %j, the words are read without quotes", (...row) => {
  const [line, replaced, words, kept, quote] = row;
  expect(readBashLine(line, replaced)).toEqual({ words, kept, quote });
});

test("a candidate is one word for bash, and runs nothing, in any quotes", () => {
  const name = `it's "$(id)" \`a\\b`;
  expect(quotedForBash(name, undefined)).toBe(`it\\'s\\ \\"\\$\\(id\\)\\"\\ \\\`a\\\\b`);
  expect(quotedForBash(name, '"')).toBe(`it's \\"\\$(id)\\" \\\`a\\\\b`);
  expect(quotedForBash(name, "'")).toBe(`it'\\''s "$(id)" \`a\\b`);
  expect(quotedForBash("ada@tower:~2", undefined)).toBe("ada@tower:\\~2");
});
