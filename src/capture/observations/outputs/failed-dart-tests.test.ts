import { expect, test } from "vitest";
import { errorLines } from "./error-lines.ts";

const end = "00:02 +1 -1: Some tests failed.";

test.each([
  [
    "a comparison",
    [
      "00:00 +1: the cart takes VAT off",
      "00:00 +1 -1: the cart takes VAT off [E]",
      "  Expected: <81>",
      "    Actual: <119>",
      "  ",
      "  package:matcher     expect",
      "  test/cart_test.dart 12:7  main.<fn>.<fn>",
      "",
    ],
    "the cart takes VAT off: Expected: <81> Actual: <119>",
  ],
  [
    "another exception",
    [
      "00:00 +0 ~2 -1: test/cart_test.dart: takes VAT off [E]",
      "  Bad state: No element",
      "  dart:core  List.single",
    ],
    "test/cart_test.dart: takes VAT off: Bad state: No element",
  ],
  ["no reason", ["00:00 +0 -1: takes VAT off [E]", "  test/cart_test.dart 12:7  main.<fn>"], "takes VAT off"],
  [
    "an exception above",
    [
      "══╡ EXCEPTION CAUGHT BY FLUTTER TEST FRAMEWORK ╞═══════════════",
      "The following TestFailure was thrown running a test:",
      "Expected: exactly one matching candidate",
      '  Actual: _TextWidgetFinder:<Found 0 widgets with text "1": []>',
      "   Which: means none were found but one was expected",
      "",
      "When the exception was thrown, this was the stack:",
      "#4      main.<anonymous closure> (file:///shop/test/widget_test.dart:28:5)",
      "═════════════════════════════════════════════════════════════",
      "00:02 +0 -1: Counter increments smoke test [E]",
      "  Test failed. See exception logs above.",
      "  The test description was: Counter increments smoke test",
    ],
    "Counter increments smoke test: Expected: exactly one matching candidate " +
      'Actual: _TextWidgetFinder:<Found 0 widgets with text "1": []> ' +
      "Which: means none were found but one was expected",
  ],
  [
    "a file that cannot be loaded",
    [
      "00:01 +0 -1: loading /shop/test/cart_test.dart [E]",
      '  Failed to load "/shop/test/cart_test.dart":',
      "  test/cart_test.dart:5:10: Error: Type 'Cartt' not found.",
    ],
    "Failed to load \"/shop/test/cart_test.dart\": test/cart_test.dart:5:10: Error: Type 'Cartt' not found.",
  ],
])("a failed test of Dart is the first error line, with %s", (_, output, line) => {
  for (const lineEnd of ["\n", "\r\n"]) expect(errorLines([...output, end].join(lineEnd))[0]).toBe(line);
});
