import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEnvFile, setInEnvFile, unreadableEnvLines, unsetInEnvFile } from "./env-file.ts";

const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/);
const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom("'", '"', "#", " ", "\t", "\\", "\n", "\r", "n", "=", "$", "\uFEFF", "ä"),
  }),
);
const line = fc.oneof(
  fc.string({ unit: fc.constantFrom("K", "=", "'", '"', "#", " ", "\\", "\t", "x") }),
  fc.tuple(key, value).map(([name, text]) => `${name}=${text}`),
  fc.constantFrom("# note", "", "export K=1 # why", "K='a b'", 'K="a\\nb"  # c'),
);
const file = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "")))
  .map((lines) => lines.flat().join(""));

describe("parseEnvFile", () => {
  test.each([
    ["A=1", "1"],
    ["A = 1 ", "1"],
    ["export A=1", "1"],
    ["\uFEFFA=1", "1"],
    ["A=", ""],
    ["A= # nothing", ""],
    ["A=#1", "#1"],
    ["A=a#b", "a#b"],
    ["A=a b  # note", "a b"],
    ["A=a\t#b", "a"],
    ["A='it # is'", "it # is"],
    ["A='a\\nb' # note", "a\\nb"],
    ['A="a\\nb"', "a\nb"],
    ['A="say \\"x\\" \\\\"', 'say "x" \\'],
    ['A="C:\\dir"', "C:\\dir"],
    ["A=$HOME/x", "$HOME/x"],
    ["A=b=c", "b=c"],
    ["A=1\r\nB=2", "1"],
    ["A=1\nA=2", "2"],
  ])("reads %j as %j", (text, expected) => {
    expect(parseEnvFile(text).get("A")).toBe(expected);
  });

  test("keeps a value with unclosed quotes as it stands, so that a secret stays set", () => {
    expect(parseEnvFile('A="open').get("A")).toBe('"open');
    expect(parseEnvFile("A='x'y").get("A")).toBe("'x'y");
  });

  test("skips blank lines, comments and lines without a name", () => {
    expect([...parseEnvFile("\n# A=1\n  # B=2\nnonsense\n=3\n1A=4\nexport\n")]).toEqual([]);
  });

  test("treats a name that objects inherit as an ordinary key", () => {
    expect(parseEnvFile("__proto__=x").get("__proto__")).toBe("x");
  });

  test.each([" ", "# ", " #", "'", '"', "\\", "export ", "K "])(
    "reads a very long line of %j in linear time",
    (filler) => {
      const long = filler.repeat(500_000);
      expect([...parseEnvFile(`A=${long}x`).keys()]).toEqual(["A"]);
      expect(unreadableEnvLines(`=${long}`)).toEqual([1]);
    },
  );
});

describe("unreadableEnvLines", () => {
  test("returns exactly the lines that are neither blank, comment nor assignment", () => {
    expect(unreadableEnvLines("A=1\n\n# x\nnonsense\r\n1B=2\n")).toEqual([4, 5]);
    expect(unreadableEnvLines(" \t\n  # x\n")).toEqual([]);
  });
});

describe("setInEnvFile", () => {
  test("changes the value in place and keeps comments, order, spacing and line ends", () => {
    const text = "# head\r\nexport A = 'old'  # why\r\n\r\nB=2\r\n";
    expect(setInEnvFile(text, "A", "new")).toBe("# head\r\nexport A = new  # why\r\n\r\nB=2\r\n");
    expect(setInEnvFile("A = old # why\n", "A", "new")).toBe("A = new # why\n");
    expect(setInEnvFile("A = '' # why\n", "A", "new")).toBe("A = new # why\n");
  });

  test("keeps the comment after an empty value", () => {
    expect(setInEnvFile("A= # why\n", "A", "1")).toBe("A=1 # why\n");
    expect(setInEnvFile("A=1 # why\n", "A", "")).toBe("A= # why\n");
  });

  test("adds a new key on its own line, with the file's line ends", () => {
    expect(setInEnvFile("", "A", "1")).toBe("A=1\n");
    expect(setInEnvFile("B=2", "A", "1")).toBe("B=2\nA=1\n");
    expect(setInEnvFile("B=2\r\n", "A", "1")).toBe("B=2\r\nA=1\r\n");
  });

  test("changes the last of two lines with the same key, which is the one that counts", () => {
    expect(setInEnvFile("A=1\nA=2\n", "A", "3")).toBe("A=1\nA=3\n");
  });

  test("rejects a key that would break the line", () => {
    expect(() => setInEnvFile("", "A\nB", "1")).toThrow(TypeError);
  });

  test("writes any value so that it is read back, and changes nothing else", () => {
    fc.assert(
      fc.property(file, key, value, (text, name, written) => {
        const before = parseEnvFile(text);
        const after = parseEnvFile(setInEnvFile(text, name, written));
        expect(after.get(name)).toBe(written);
        before.delete(name);
        after.delete(name);
        expect(after).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });

  test("changes nothing when the same value is set again", () => {
    fc.assert(
      fc.property(file, key, value, (text, name, written) => {
        const once = setInEnvFile(text, name, written);
        expect(setInEnvFile(once, name, written)).toBe(once);
      }),
    );
  });
});

describe("unsetInEnvFile", () => {
  test.each([
    ["A=1\n", ""],
    ["# head\r\nexport A='1'\r\nB=2", "# head\r\nB=2"],
    ["B=2\nA=1", "B=2\n"],
    ["A=old\nB=2\nA=1\n", "B=2\n"],
    ["export A = 'x'  # why\nB=2\n", "export A =   # why\nB=2\n"],
    ["# A=1\nAB=1\n", "# A=1\nAB=1\n"],
  ])("turns %j into %j", (text, expected) => {
    expect(unsetInEnvFile(text, "A")).toBe(expected);
  });

  test("removes the value of a key and changes nothing else", () => {
    fc.assert(
      fc.property(file, key, (text, name) => {
        const before = parseEnvFile(text);
        const after = parseEnvFile(unsetInEnvFile(text, name));
        expect(after.get(name) ?? "").toBe("");
        before.delete(name);
        after.delete(name);
        expect(after).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });
});
