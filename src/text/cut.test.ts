import { describe, expect, test } from "vitest";
import { countCodePoints, cutCodePoints, tailOf } from "./code-points.ts";
import { cutText, oneLine, wholeWords, withoutHalves } from "./cut.ts";

describe("cutting text", () => {
  test("counts code points and never splits a surrogate pair", () => {
    const faces = "😀".repeat(10);
    expect(cutCodePoints(faces, 3)).toBe("😀😀😀");
    expect(tailOf(faces, 3)).toBe("😀😀😀");
    expect(tailOf(`${faces}ab`, 3)).toBe("😀ab");
    expect(cutText(faces, 4)).toBe("😀😀😀…");
    expect(cutText(faces, 10)).toBe(faces);
    expect(countCodePoints(`a${faces}`)).toBe(11);
  });

  test("cuts plain text at the same limits", () => {
    expect(cutCodePoints("abcdef", 2)).toBe("ab");
    expect(tailOf("abcdef", 2)).toBe("ef");
    expect(cutText("abcdef", 5)).toBe("abcd…");
  });

  test("leaves no part of a word or path at the end of a text, unless its script has no blanks", () => {
    expect(wholeWords("rounding is in src/car", "t")).toBe("rounding is in");
    expect(wholeWords("rounding is in src/cart", " ")).toBe("rounding is in src/cart");
    expect(wholeWords("rounding is in ", "s")).toBe("rounding is in");
    expect(wholeWords("购物车 在添加之前对每一行进行四舍五", "入")).toBe(
      "购物车 在添加之前对每一行进行四舍五",
    );
  });

  test("collapses the white space of a line", () => {
    expect(oneLine("  a\n\t b  ", 10)).toBe("a b");
    expect(oneLine(`${" ".repeat(100_000)}x y`, 10)).toBe("x y");
  });
});

test("removes only the halves of surrogate pairs at the ends of a piece", () => {
  const text = "😀ab😀";
  expect(withoutHalves(text.slice(1, 5))).toBe("ab");
  expect(withoutHalves(text)).toBe(text);
});
