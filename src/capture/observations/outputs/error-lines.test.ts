import { describe, expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { errorLines } from "./error-lines.ts";

const lines = (...output: string[]): string[] => errorLines(output.join("\n"));

describe("error lines", () => {
  test("of pytest are the error itself, then the failed tests", () => {
    expect(
      lines(
        "=================================== FAILURES ===================================",
        '>       return Decimal(text.replace(",", "."))',
        "E       decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]",
        "",
        "src/ledger/statement.py:18: InvalidOperation",
        "=========================== short test summary info ============================",
        "FAILED tests/test_statement.py::test_parse_amount[1.234,56-1234.56] - decimal...",
        "1 failed, 3 passed in 0.07s",
      ),
    ).toEqual([
      "decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]",
      "FAILED tests/test_statement.py::test_parse_amount[1.234,56-1234.56] - decimal...",
      "1 failed, 3 passed in 0.07s",
    ]);
    expect(
      lines(
        ">       assert total([1]) == 2",
        "E       assert 1 == 2",
        "E        +  where 1 = total([1])",
        "FAILED tests/test_total.py::test_total - assert 1 == 2",
      ),
    ).toEqual(["assert 1 == 2", "FAILED tests/test_total.py::test_total - assert 1 == 2"]);
    expect(
      lines(
        "==================================== ERRORS ====================================",
        "______________________ ERROR collecting tests/test_cli.py ______________________",
        "Traceback:",
        "tests/test_cli.py:4: in <module>",
        "E   ModuleNotFoundError: No module named 'ledgr'",
      ),
    ).toEqual(["ModuleNotFoundError: No module named 'ledgr'"]);
  });

  test("are no points of a list, hints or printed pages beside an error", () => {
    expect(lines("- Reused tokens cannot be used again.", "2. The hook cannot block a start.")).toEqual([]);
    expect(lines("- error: no such file", "1) TypeError: x is undefined")).toEqual([
      "- error: no such file",
      "1) TypeError: x is undefined",
    ]);
    const page = '<div class="error"><p>Payment failed</p></div>';
    expect(lines("hint: this catches typing errors", page, "fatal: no upstream branch")).toEqual([
      "fatal: no upstream branch",
    ]);
  });

  test("of unittest are each failed test and what it raised, without the list of all tests", () => {
    expect(
      lines(
        "test_b (test_x.T.test_b) ... ERROR",
        "test_error_c (test_x.T.test_error_c) ... ok",
        "ERROR: test_b (test_x.T.test_b)",
        "Traceback (most recent call last):",
        '  File "/w/t/test_x.py", line 4, in test_b',
        "    def test_b(self): raise KeyError('k')",
        "KeyError: 'k'",
        "FAIL: test_a (test_x.T.test_a)",
        "FAILED (failures=1, errors=1)",
      ),
    ).toEqual(["ERROR: test_b (test_x.T.test_b)", "KeyError: 'k'", "FAIL: test_a (test_x.T.test_a)"]);
  });

  test("of Go are a failed test with its message or its panic", () => {
    const said = "    lru_test.go:20: a was evicted although it was used last";
    const named = "--- FAIL: TestEvicts lru_test.go:20: a was evicted although it was used last";
    expect(lines("--- FAIL: TestEvicts (0.00s)", said, "FAIL", "FAIL\texample.com/kv\t0.003s")).toEqual([
      named,
    ]);
    expect(lines("=== RUN   TestEvicts", said, "--- FAIL: TestEvicts (0.00s)", "FAIL")).toEqual([named]);
    expect(
      lines(
        "--- FAIL: TestEvicts (0.00s)",
        said,
        "--- FAIL: TestB (0.00s)",
        "    --- FAIL: TestB/empty (0.00s)",
      ),
    ).toEqual([named, "--- FAIL: TestB", "--- FAIL: TestB/empty"]);
    expect(
      lines(
        "--- FAIL: TestGet (0.00s)",
        "panic: assignment to entry in nil map [recovered]",
        "\tpanic: assignment to entry in nil map",
        "panic({0x50a180, 0x553850})",
      ),
    ).toEqual([
      "--- FAIL: TestGet panic: assignment to entry in nil map",
      "panic: assignment to entry in nil map",
    ]);
  });

  test("of Rust are errors with their location and panics with their message", () => {
    expect(
      lines(
        "error[E0596]: cannot borrow `self.buckets` as mutable, as it is behind a `&` reference",
        "  --> src/registry.rs:23:9",
        "   |",
        "23 |         self.buckets.remove(client);",
        "   |         ^^^^^^^^^^^^ `self` is a `&` reference, so it cannot be borrowed as mutable",
        "For more information about this error, try `rustc --explain E0596`.",
        "error: could not compile `ratelimit` (lib) due to 1 previous error",
      ),
    ).toEqual([
      "error[E0596]: cannot borrow `self.buckets` as mutable, as it is behind a `&` reference --> src/registry.rs:23:9",
      "error: could not compile `ratelimit` (lib) due to 1 previous error",
    ]);
    expect(
      lines(
        "test bucket::tests::never_over ... FAILED",
        "failures:",
        "",
        "thread 'bucket::tests::never_over' (29410) panicked at src/bucket.rs:48:9:",
        "assertion `left == right` failed: a long pause",
        "   1: core::panicking::panic_fmt",
        "error: test failed, to rerun pass `--lib`",
      ),
    ).toEqual([
      "thread 'bucket::tests::never_over' panicked at src/bucket.rs:48:9: assertion `left == right` failed: a long pause",
      "test bucket::tests::never_over ... FAILED",
      "error: test failed, to rerun pass `--lib`",
    ]);
  });

  test("of C and C++ name the cause of a failed step and no compiler options", () => {
    expect(
      lines(
        "cc -std=c11 -Wall -Werror -c -o src/main.o src/main.c",
        "src/main.c:7: undefined reference to `ring_init'",
        "collect2: error: ld returned 1 exit status",
        "make: *** [Makefile:7: ringcat] Error 1",
      ),
    ).toEqual([
      "src/main.c:7: undefined reference to `ring_init'",
      "collect2: error: ld returned 1 exit status",
      "make: *** [Makefile:7: ringcat] Error 1",
    ]);
    expect(lines("cc -Wall -Werror -c -o src/ring.o src/ring.c", "all tests passed")).toEqual([]);
    expect(lines("bash: line 1: 25977 Segmentation fault      ./ringcat")).toHaveLength(1);
    expect(
      lines("terminate called after throwing an instance of 'std::out_of_range'", "  what():  full"),
    ).toEqual(["terminate called after throwing an instance of 'std::out_of_range' what():  full"]);
    expect(
      lines(
        "CMake Error at CMakeLists.txt:4 (add_library):",
        "  Cannot find source file:",
        "",
        "    src/rnig.c",
      ),
    ).toEqual(["CMake Error at CMakeLists.txt:4 (add_library): Cannot find source file"]);
    expect(
      lines(
        "1/1 Test #1: ring .............................***Failed    0.43 sec",
        "==3280==ERROR: LeakSanitizer: detected memory leaks",
        "0% tests passed, 1 tests failed out of 1",
      ),
    ).toEqual([
      "ERROR: LeakSanitizer: detected memory leaks",
      "1/1 Test #1: ring .............................***Failed    0.43 sec",
      "0% tests passed, 1 tests failed out of 1",
    ]);
  });

  test("of Java and Maven name the symbol or exception, without log marks and advice", () => {
    const symbol = ["        System.out.println(cart.totl());", "  symbol:   method totl()", "1 error"];
    expect(lines("src/Main.java:14: error: cannot find symbol", ...symbol)[0]).toBe(
      "src/Main.java:14: error: cannot find symbol: method totl()",
    );
    expect(
      lines(
        "[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 1.194 s <<< FAILURE! - in CartTest",
        "[ERROR] roundsToCents(org.example.CartTest)  Time elapsed: 0.099 s  <<< ERROR!",
        "java.lang.ArithmeticException: Rounding necessary",
        "\tat org.example.CartTest.roundsToCents(CartTest.java:21)",
        "",
        "[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.",
        "[ERROR] ",
        "[INFO] BUILD FAILURE",
      ),
    ).toEqual([
      "roundsToCents(org.example.CartTest)  <<< ERROR! java.lang.ArithmeticException: Rounding necessary",
      "Tests run: 3, Failures: 1, Errors: 1, Skipped: 0 <<< FAILURE! - in CartTest",
    ]);
    expect(
      lines("[ERROR] COMPILATION ERROR : ", "[INFO] ------", "[ERROR] Cart.java:[18,86] no int"),
    ).toEqual(["Cart.java:[18,86] no int"]);
  });

  test("of Ruby and PHP name what was raised or expected", () => {
    expect(
      lines(
        "Failures:",
        "",
        "  1) Invoice lists its lines",
        '     Failure/Error: header << "\\n"',
        "",
        "     FrozenError:",
        '       can\'t modify frozen String: "INVOICE"',
        "Failed examples:",
        "",
      ),
    ).toEqual(['FrozenError: can\'t modify frozen String: "INVOICE"', 'Failure/Error: header << "\\n"']);
    expect(lines("  1) Failure:", "InvoiceTest#test_empty [test/invoice_test.rb:6]:", "Expected: 1")).toEqual(
      ["1) Failure: InvoiceTest#test_empty [test/invoice_test.rb:6]: Expected: 1"],
    );
    expect(
      lines("There was 1 error:", "", "1) SlugTest::testNumbers", "TypeError: Blog\\Slug::of()", "ERRORS!"),
    ).toEqual(["TypeError: Blog\\Slug::of()", "ERRORS!"]);
  });

  test("of a linter run by a build include the first location that it reports", () => {
    expect(
      lines("flake8 src", "src/a.py:1:1: F401 'os' imported but unused", "make: *** [lint] Error 1"),
    ).toEqual(["src/a.py:1:1: F401 'os' imported but unused", "make: *** [lint] Error 1"]);
  });
});

test.each([
  " create mode 100644 src/errors.ts",
  "src/exceptions/failed.py:22:    with path.open() as file:",
  "tests/test_errors.py::test_error_text PASSED                  [ 14%]",
  "test parse::error_of_empty ... ok",
  "✓ throws an error without a name",
  "--- PASS: TestErrors (0.00s)",
  "[main a13989b] Tell errors by name",
  "a13989b Tell errors by name",
  "100% tests passed, 0 tests failed out of 1",
  "No syntax errors detected in src/Posts.php",
  "Passed!  - Failed:     0, Passed:     4, Skipped:     0",
])("does not take this line for an error: %s", (line) => {
  expect(errorLines(line)).toEqual([]);
});

test("names paths below the event's folder relative to it", () => {
  const title = (error: string) =>
    compressByRules({
      hookType: "post_tool_failure",
      sessionId: "s",
      project: "shop",
      cwd: "/code/shop",
      timestamp: 0,
      data: { tool_name: "Bash", tool_input: { command: "make" }, error },
    }).title;
  expect(title("/code/shop/src/a.c:3: error: no")).toBe("Bash failed: src/a.c:3: error: no");
  expect(title("error in (/code/shop/a.c) /mnt/code/shop/a.c")).toBe(
    "Bash failed: error in (a.c) /mnt/code/shop/a.c",
  );
  expect(title('# example.com/kv/server\nserver.go:4:2: imported and not used: "fmt"')).toBe(
    'Bash failed: server.go:4:2: imported and not used: "fmt"',
  );
  expect(title("------------\nrated at 8.89/10\n12:30:05: done")).toBe("Bash failed: rated at 8.89/10");
});
