import { describe, expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { countsFailures } from "./error-line-ranks.ts";
import { errorLines } from "./error-lines.ts";

/** The error lines of an output, which are the same with the line ends of Windows. */
function lines(...output: string[]): string[] {
  const found = errorLines(output.join("\n"));
  expect(errorLines(output.join("\r\n"))).toEqual(found);
  return found;
}

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
    const examples = [
      "Cart",
      "  raises an error if it is empty",
      "  adds lines (FAILED - 1)",
      "",
      "Failures:",
    ];
    expect(lines(...examples, "", "     NoMethodError: no total", "2 examples, 1 failure")).toEqual([
      "NoMethodError: no total",
    ]);
    expect(lines("  1) Failure:", "InvoiceTest#test_empty [test/invoice_test.rb:6]:", "Expected: 1")).toEqual(
      ["1) Failure: InvoiceTest#test_empty [test/invoice_test.rb:6]: Expected: 1"],
    );
    expect(
      lines("There was 1 error:", "", "1) SlugTest::testNumbers", "TypeError: Blog\\Slug::of()", "ERRORS!"),
    ).toEqual(["TypeError: Blog\\Slug::of()", "ERRORS!"]);
  });

  test("of npm are its message, neither the header above it nor blank lines and advice", () => {
    expect(
      lines(
        ...["npm error code ENOENT", "npm error syscall open", "npm error path /x/package.json"],
        ...[
          "npm error errno -2",
          "npm error enoent Could not read package.json: Error: ENOENT: no such file",
        ],
        ...["npm error enoent", "npm error A complete log of this run can be found in: /root/.npm/1.log"],
      )[0],
    ).toBe("npm error enoent Could not read package.json: Error: ENOENT: no such file");
    expect(
      lines('npm ERR! Missing script: "b"', "npm ERR!", "npm ERR! To see a list of scripts, run:"),
    ).toEqual(['npm ERR! Missing script: "b"']);
  });

  test("are answers that give an error beside the word for none", () => {
    const said = [
      '{"error":"no such cart"}',
      "Error: None of the carts is open",
      "error: null value in column",
    ];
    expect(lines(...said)).toEqual(said);
  });

  test("are no commands that a script prints before it runs them", () => {
    for (const mark of [">", "$"])
      expect(lines(`${mark} echo "Error: no test" && exit 1`, "", "Error: no test")).toEqual([
        "Error: no test",
      ]);
  });

  test("of Gradle are what the compiler says and what went wrong, before the task that failed", () => {
    const wrong = ["FAILURE: Build failed with an exception.", "", "* What went wrong:"];
    expect(
      lines(
        ...["> Task :compileKotlin FAILED", "e: file:///x/Cart.kt:3:5 Unresolved reference: vat", ""],
        ...[...wrong, "Execution failed for task ':compileKotlin'.", "> Compilation error. See log for more"],
      ),
    ).toEqual([
      "e: file:///x/Cart.kt:3:5 Unresolved reference: vat",
      "> Task :compileKotlin FAILED",
      "FAILURE: Build failed with an exception.",
    ]);
    expect(
      lines(...wrong, "A problem occurred evaluating project ':app'.", "> SDK location not found.")[0],
    ).toBe("A problem occurred evaluating project ':app'. > SDK location not found.");
  });

  test("of jest and bun are the comparison with its values", () => {
    const called = "    expect(received).toBe(expected) // Object.is equality";
    expect(
      lines("  ● the cart › takes VAT off", "", called, "", "    Expected: 3", "    Received: 2"),
    ).toEqual(["expect(received).toBe(expected) Expected: 3 Received: 2"]);
    expect(lines("error: expect(received).toBe(expected)", "", "Expected: 3", "Received: 2")).toEqual([
      "error: expect(received).toBe(expected) Expected: 3 Received: 2",
    ]);
    expect(lines("    expect(sum(1, 2)).toBe(3);")).toEqual([]);
  });

  test("of Node's test runner include the values below a blank line, without the parts of TAP", () => {
    expect(
      lines("  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:", "  ", "  1 !== 2", ""),
    ).toEqual(["AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2"]);
    expect(
      lines(
        ...["not ok 1 - takes VAT off", "  ---", "  failureType: 'testCodeFailure'", "  error: |-"],
        ...["    Expected values to be strictly equal:", "    ", "    1 !== 2", "    "],
        ...["  name: 'AssertionError'", "  ...", "  error: '1 subtest failed'"],
      ),
    ).toEqual(["error: Expected values to be strictly equal: 1 !== 2", "error: '1 subtest failed'"]);
  });

  test("of Python are what was raised, whatever its name", () => {
    const frames = ["Traceback (most recent call last):", '  File "/w/x.py", line 3, in f', "    g()"];
    expect(lines("start", ...frames, "shop.Cart.DoesNotExist: no cart")).toEqual([
      "shop.Cart.DoesNotExist: no cart",
    ]);
    expect(lines(...frames, "KeyboardInterrupt")).toEqual(["KeyboardInterrupt"]);
    expect(lines(...frames, "KeyError: 'k'", "", ...frames, "StopIteration: x")).toEqual([
      "KeyError: 'k'",
      "StopIteration: x",
    ]);
  });

  test("of Terraform, bundlers and Next.js have the place that stands below or above them", () => {
    const place = "│   on main.tf line 3, in resource";
    expect(lines("│ Error: Unsupported argument", "│ ", place)).toEqual([
      "Error: Unsupported argument (main.tf line 3)",
    ]);
    expect(lines("Error: Cycle", "", "  with aws_instance.x,", "  on main.tf line 3, in resource")).toEqual([
      "Error: Cycle (main.tf line 3)",
    ]);
    expect(lines('✘ [ERROR] Could not resolve "./b"', "", "    a.js:1:7:", "      1 │ import")).toEqual([
      '✘ [ERROR] Could not resolve "./b" (a.js:1:7)',
    ]);
    expect(lines("Failed to compile.", "", "./src/page.tsx:3:5", "Type error: no such name")).toEqual([
      "./src/page.tsx:3:5: Type error: no such name",
      "Failed to compile.",
    ]);
    expect(lines("ERROR in ./src/a.ts 3:5-10", "Module not found: Error: Can't resolve './b'")).toEqual([
      "ERROR in ./src/a.ts 3:5-10 Module not found: Error: Can't resolve './b'",
    ]);
  });

  test("of a merge are the conflicts", () => {
    expect(
      lines(
        "CONFLICT (content): Merge conflict in a.ts",
        "Automatic merge failed; fix conflicts and then commit the result.",
      )[0],
    ).toBe("CONFLICT (content): Merge conflict in a.ts");
    expect(lines("resolves a conflict (in the cart)")).toEqual([]);
  });

  test("of Go are the first places of a package, with a cue word or not", () => {
    const undefinedName = "cart/cart.go:5:2: undefined: vat";
    const cannotUse = "cart/cart.go:7:9: cannot use x as string value";
    expect(lines("# example.com/shop/cart", undefinedName, cannotUse)).toEqual([undefinedName, cannotUse]);
  });

  test("of linters have the file, or the place, that stands above or below the message", () => {
    expect(
      lines(
        ...[
          "",
          "/w/a.ts",
          "  3:5   error    'x' is not defined  no-undef",
          "  9:1   warning  no console",
          "",
        ],
        ...["/w/b.ts", "  1:7   error    Parsing error: Unexpected token =", "", "✖ 3 problems (2 errors)"],
      ),
    ).toEqual([
      "/w/a.ts:3:5   error    'x' is not defined  no-undef",
      "/w/b.ts:1:7   error    Parsing error: Unexpected token =",
      "✖ 3 problems (2 errors)",
    ]);
    expect(
      lines("F401 [*] `os` imported but unused", " --> src/a.py:1:8", "  |", "", "Found 1 error.")[0],
    ).toBe("F401 [*] `os` imported but unused --> src/a.py:1:8");
    const emitted = [
      "Found 1 error.",
      "lint ━━━━━━━━━━",
      "",
      "  × Some errors were emitted while running checks.",
    ];
    const rule = "src/a.ts:1:30 lint/suspicious/noDebugger";
    expect(lines(`${rule}  FIXABLE  ━━━━━━━━`, "", "  × This is a debugger.", "", ...emitted)[0]).toBe(
      `${rule}: × This is a debugger.`,
    );
    expect(
      lines("st/a.css", '  1:3  ✖  Unknown property "colr"', "", "✖ 1 problem (1 error, 0 warnings)")[0],
    ).toBe('st/a.css: 1:3  ✖  Unknown property "colr"');
  });

  test("are no source above the markers that point at it", () => {
    expect(
      lines("[eval]:1", 'Promise.reject(new TypeError("x"))', "               ^", "", "TypeError: x"),
    ).toEqual(["TypeError: x"]);
  });

  test("are the same in every run: without the time of a log or of a step", () => {
    const said = 'memcache.go:265] "Unhandled Error"';
    expect(lines(`E1128 23:19:30.646519   16583 ${said}`, `E1128 23:19:30.648925   16583 ${said}`)).toEqual([
      said,
    ]);
    const failed = "ERROR [shop] payment failed";
    expect(
      lines(`2026-03-01T11:59:00.123Z ${failed}`, `[2026-03-01 11:59:01] ${failed}`, `11:59:02 ${failed}`),
    ).toEqual([failed]);
    expect(lines("0.513 npm error", "0.514 npm error Missing: x@1 from lock file")).toEqual([
      "npm error Missing: x@1 from lock file",
    ]);
  });

  test("are no counts of failures if they tell a port", () => {
    const refused =
      'OperationalError: connection to server at "localhost", port 5432 failed: Connection refused';
    expect(lines(refused, "(Background on this error at: https://sqlalche.me/e/20/e3q8)")).toEqual([refused]);
    expect(countsFailures(refused)).toBe(false);
    expect(countsFailures("Bind for 0.0.0.0:5432 failed: port is already allocated")).toBe(false);
  });

  test("of Playwright, Deno and rspec are the error, before the list of tests", () => {
    expect(
      lines(
        ...[
          "  ✘  2 [chromium] › a.spec.ts:8:5 › shows an error (5.3s)",
          "",
          "    Error: expect(locator) failed",
        ],
        ...["  1 failed", "    [chromium] › a.spec.ts:8:5 › shows an error"],
      )[0],
    ).toBe("Error: expect(locator) failed");
    expect(
      lines(
        "takes VAT off ... FAILED (3ms)",
        "",
        " ERRORS ",
        "",
        "error: AssertionError: no",
        "error: Test failed",
      )[0],
    ).toBe("error: AssertionError: no");
    expect(
      lines("     Failure/Error: expect(total).to eq(2)", "", "       expected: 2", "            got: 1", ""),
    ).toEqual(["Failure/Error: expect(total).to eq(2) expected: 2 got: 1"]);
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
  "   Compiling thiserror v1.0.50",
  "  Downloaded http-errors v2.0.0",
  "     Running unittests src/lib.rs (target/debug/deps/error_chain-3f2a91c)",
  "Collecting exceptiongroup>=1.0",
  "Installing collected packages: exceptiongroup, error-handler",
  "Requirement already satisfied: errors in ./venv (1.0)",
  "Using error_highlight 0.5.1",
  "Unpacking libgpg-error0:amd64 (1.47-2) ...",
  "npm warn deprecated http-errors@1.0: x",
  "[INFO] Running com.shop.ErrorTest",
  "> Task :errors:compileJava UP-TO-DATE",
  "make[1]: Entering directory '/code/errors'",
  "-- Looking for pthread_create in pthreads - not found",
  "checking for pkg-config... not found",
  "#5 [2/4] COPY errors ./errors",
  "aws_lambda_function.error_handler: Creation complete after 3s",
  "=== RUN   TestError",
  "[ RUN      ] Cart.ThrowsError",
  "    Start 2: error_test",
  "ok  \tshop/errors\t0.003s",
  "Test Case '-[CartTests testError]' passed (0.001 seconds).",
  "  Passed Shop.CartTests.ThrowsAnError [3 ms]",
  "CartTest#test_error = 0.00 s = .",
  "\tmodified:   src/failed",
  "├ ○ /error        1 kB",
  "warning: unused variable: `error`",
  "src/a.c:3:5: warning: unused variable 'error' [-Wunused-variable]",
  '{"ok":true,"errorCount":0,"error":null,"failed":[],"fatal": false}',
  "Result(value=3, error=None)",
  "Error: (none)",
  "Passed!  - Failed:     0, Passed:     4, Skipped:     0",
])("does not take this line for an error: %s", (line) => {
  expect(errorLines(line)).toEqual([]);
});

test("names paths below the event's folder relative to it", () => {
  const title = (error: string, cwd = "/code/shop") =>
    compressByRules({
      hookType: "post_tool_failure",
      sessionId: "s",
      project: "shop",
      cwd,
      timestamp: 0,
      data: { tool_name: "Bash", tool_input: { command: "make" }, error },
    }).title;
  expect(title("/code/shop/src/a.c:3: error: no")).toBe("Bash failed: src/a.c:3: error: no");
  for (const folder of ["C:\\code\\shop", "c:/code/shop"])
    expect(title(`C:\\code\\shop\\a.ts(3,5): error in C:/code/shop/b.ts`, folder)).toBe(
      "Bash failed: a.ts(3,5): error in b.ts",
    );
  expect(title("error in (/code/shop/a.c) /mnt/code/shop/a.c")).toBe(
    "Bash failed: error in (a.c) /mnt/code/shop/a.c",
  );
  expect(title('# example.com/kv/server\nserver.go:4:2: imported and not used: "fmt"')).toBe(
    'Bash failed: server.go:4:2: imported and not used: "fmt"',
  );
  expect(title("Rebasing (1/2)\rRebasing (2/2)\rerror: could not apply 3f2a91c\n")).toBe(
    "Bash failed: error: could not apply 3f2a91c",
  );
  const shell = "README.md\nsrc\ncat: no.txt: No such file or directory";
  expect(title(shell)).toBe("Bash failed: cat: no.txt: No such file or directory");
  expect(title(`${"a.ts\n".repeat(3_000)}bash: ./run.sh: Permission denied`)).toBe(
    "Bash failed: bash: ./run.sh: Permission denied",
  );
  expect(title("bash: Zeile 1: cd: docs: Datei oder Verzeichnis nicht gefunden")).toMatch(
    / bash: Zeile 1: /u,
  );
  const outdated = "pyproject.toml changed significantly since poetry.lock was last generated.";
  expect(title(`Installing dependencies from lock file\n\n${outdated}`)).toBe(`Bash failed: ${outdated}`);
  expect(
    title("  - Installing six (1.16)\n  - Installing psycopg2 (2.9.9): Failed\n\n  ChefBuildError\n"),
  ).toBe("Bash failed: - Installing psycopg2 (2.9.9): Failed");
  expect(title("a.ts\nmake: Nichts zu tun")).toBe("Bash failed: make: Nichts zu tun");
  expect(title("Checking formatting...\n[warn] src/a.ts")).toBe("Bash failed: [warn] src/a.ts");
  expect(title("------------\nrated at 8.89/10\n12:30:05: done")).toBe("Bash failed: rated at 8.89/10");
});
