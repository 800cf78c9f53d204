import { describe, expect, test } from "vitest";
import { codeSummary, summaryWorth } from "./code-summary.ts";
import { placesOf } from "./places.ts";

const words = ["flatten", "list"].map((term, at) => ({ term, weight: at + 1, told: 1, forms: [] }));

function summaryOf(text: string): string | undefined {
  const summary = codeSummary(text);
  return summary && text.slice(summary.from, summary.to);
}

function worth(text: string): number {
  const summary = codeSummary(text);
  return summary === undefined ? 0 : summaryWorth(summary, words, placesOf(["flatten", "list"])(text));
}

describe("the summary of code", () => {
  test.each([
    [
      "Python",
      'def f(a):\n    """Flattens a list. Keeps\n    its order."""\n    return a',
      "Flattens a list",
    ],
    ["raw docstrings", 'def f(a):\n  r"""Flattens a list"""\n', "Flattens a list"],
    [
      "docstrings in other quotes",
      "def f(a):\n    '''\n    Flattens a list\n    :param a: it\n    '''",
      "Flattens a list",
    ],
    ["an empty line", 'def f(a):\n    """Flattens a list\n\n    Keeps its order."""', "Flattens a list"],
    ["TypeScript", "/** Flattens a list. */\nfunction f(a) {}", "Flattens a list"],
    ["tags", "/**\n * Flattens a list\n * @param a it\n */\nfunction f(a) {}", "Flattens a list"],
    ["an empty line of a block", "/**\n * Flattens a list\n *\n * Keeps its order\n */", "Flattens a list"],
    ["Rust", "  /// Flattens a list\n  /// of lists\n  fn f(a: &A) {}", "Flattens a list\n  /// of lists"],
    ["versions", 'def f(a):\n    """Flattens as of 2.1 does."""', "Flattens as of 2.1 does."],
    ["an unclosed docstring", 'def f(a):\n    """Flattens a list', "Flattens a list"],
  ])("is the first sentence of its comment: %s", (_what, text, summary) => {
    expect(summaryOf(text)).toBe(summary);
  });

  test("is not taken from other comments or from prose", () => {
    expect(summaryOf("// flattens a list\nflatten(list) /* of lists */")).toBeUndefined();
    expect(summaryOf('She said """flatten""" and left.')).toBeUndefined();
  });

  test("is worth each of its query words once, and more the shorter it is", () => {
    expect(worth("def flatten(list): pass")).toBe(0);
    expect(worth('def flatten(list):\n    """Goes on."""')).toBe(0);
    const one = worth('def f(a):\n    """A list of lists."""');
    expect(one).toBeGreaterThan(0);
    expect(worth('def f(a):\n    """A flattened list"""')).toBeGreaterThan(one);
    expect(worth('def f(a):\n    """A list of lists, and whatever else comes along."""')).toBeLessThan(one);
  });
});
