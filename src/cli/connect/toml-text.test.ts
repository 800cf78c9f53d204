import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { statementsOf } from "./toml-text.ts";

/** The object that the statements describe, assembled from their paths and values. */
function assembled(text: string): unknown {
  const root = {};
  for (const statement of statementsOf(text)) {
    if (statement.kind === "comment") continue;
    const isValue = statement.kind === "value";
    const value = isValue ? parse(`v = ${text.slice(statement.valueStart, statement.end)}`).v : {};
    statement.path.reduce<object>((node, name, at) => {
      const isLast = at === statement.path.length - 1;
      if (isLast && isValue) Object.defineProperty(node, name, { value, enumerable: true });
      else if (!Object.hasOwn(node, name)) Object.defineProperty(node, name, { value: {}, enumerable: true });
      return Reflect.get(node, name) as object;
    }, root);
  }
  return root;
}

const written = [
  '# first "comment',
  'plain = 1979-05-27 07:32:00 # "not a string',
  "\tindented . 'a.b'.\"c\\u0064\" = -1_000.5",
  'text = """',
  "[not.a.header]",
  '# not a comment \\""" either""""" # comment',
  "literal = '''",
  "it's = here'''''",
  'list = [ # one ]\n  "]", { a = "}", b = [ 1, 2 ] }, # two\n]',
  "  [ tables . 'of' . many ]  # with a comment",
  "key = true",
  "[[ignored]]",
].join("\n");

describe("the statements of a TOML text", () => {
  test.each([
    ["\n", ""],
    ["\r\n", "\uFEFF"],
  ])("are those that the parser reads, with line ends %j after %j", (eol, mark) => {
    const text = mark + written.replaceAll("\n", eol);
    const { ignored, ...others } = parse(text);
    expect(assembled(text)).toEqual({ ...others, ignored: {} });
    const comments = statementsOf(text).filter(({ kind }) => kind === "comment");
    expect(comments.map(({ start, end }) => text.slice(start, end))).toEqual([
      '# first "comment',
      '# "not a string',
      "# comment",
      "# with a comment",
    ]);
    expect(ignored).toBeDefined();
  });

  test("are complete for any TOML value", () => {
    const leaf = fc.oneof(fc.string({ unit: "grapheme" }), fc.boolean(), fc.double({ noNaN: true }));
    const { table } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, leaf, fc.array(leaf), tie("table")),
      table: fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(table, (value) => {
        const text = stringify(value);
        expect(assembled(text)).toEqual(parse(text));
      }),
      { numRuns: 200 },
    );
  });
});
