import { expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";

function titleOf(command: string, ...output: string[]): string {
  const event = {
    hookType: "post_tool_failure",
    sessionId: "s1",
    project: "shop",
    cwd: "/shop",
    timestamp: 0,
  };
  const titles = ["\n", "\r\n"].map((lineEnd) => {
    const data = { tool_name: "Bash", tool_input: { command }, error: output.join(lineEnd) };
    return compressByRules({ ...event, data }).title;
  });
  expect(titles[1]).toBe(titles[0]);
  return titles[0] ?? "";
}

test("a failed test is named in the title for Playwright, Deno and .NET", () => {
  const failed = "  1) [chromium] › cart.spec.ts:8:5 › the cart › pays ─────────────";
  for (const error of [
    "Error: Timed out 5000ms waiting for expect(locator).toBeVisible()",
    "Error: expect(locator).toBeVisible() failed",
  ]) {
    const title = titleOf(
      "npx playwright test",
      failed,
      "",
      `    ${error}`,
      "",
      "    Expected: visible",
      "  1 failed",
    );
    expect(title).toMatch(/^Bash failed: \[chromium\] › cart\.spec\.ts:8:5 › the cart › pays: Error: /u);
  }
  const [place, values] = [
    "takes VAT off => ./cart_test.ts:3:6",
    "error: AssertionError: Values are not equal.",
  ];
  expect(titleOf("deno test", "takes VAT off ... FAILED (5ms)", " ERRORS ", "", place, values)).toBe(
    `Bash failed: takes VAT off: ${values}`,
  );
  expect(
    titleOf(
      "dotnet test",
      "  Failed Shop.CartTests.TakesVatOff [12 ms]",
      "  Error Message:",
      "   Assert.Equal() Failure: Values differ",
      "Expected: 100",
    ),
  ).toBe("Bash failed: Failed Shop.CartTests.TakesVatOff: Assert.Equal() Failure: Values differ");
});

test("a failed example of rspec is named in the title, and a failed test of GoogleTest without its duration", () => {
  const called = "     Failure/Error: expect(vat(119)).to eq(100)";
  expect(
    titleOf("rspec", "F", "", "Failures:", "", "  1) Cart takes VAT off", called, "", "       expected: 100"),
  ).toBe("Bash failed: Cart takes VAT off: Failure/Error: expect(vat(119)).to eq(100) expected: 100");
  expect(titleOf("ctest", "[ RUN      ] Cart.Vat", "[  FAILED  ] Cart.Vat (13 ms)")).toBe(
    "Bash failed: [ FAILED ] Cart.Vat",
  );
});

test("errors below a line that ends with 0, and below what only says that something failed, are told", () => {
  const called = "CMake Error at CMakeLists.txt:5 (find_package):";
  expect(
    titleOf("cmake .", "-- The C compiler identification is GNU 12.2.0", called, "  Found no Foo.cmake"),
  ).toBe(`Bash failed: ${called} Found no Foo.cmake`);
  expect(titleOf("node a.js", "listening on port 0", "error: the port is taken", "bye")).toBe(
    "Bash failed: error: the port is taken",
  );
  expect(titleOf("cargo run", "Error: ", "   0: failed to read a.toml", "", "Location:")).toBe(
    "Bash failed: Error: 0: failed to read a.toml",
  );
  expect(titleOf("deploy", "Deploying to [shop]...failed", "ERROR: The container failed to start")).toBe(
    "Bash failed: ERROR: The container failed to start",
  );
  const compiling =
    "ERROR: BUILD:3:10: Compiling main.cc failed: (Exit 1): gcc failed: error executing command";
  expect(titleOf("bazel build //...", compiling, "main.cc:3:5: error: 'foo' was not declared")).toBe(
    "Bash failed: main.cc:3:5: error: 'foo' was not declared",
  );
  const unresolved = "Your requirements could not be resolved to an installable set of packages.";
  const missing = "- Root composer.json requires foo/bar, it could not be found in any version.";
  expect(titleOf("composer require foo/bar", unresolved, "", "  Problem 1", `    ${missing}`)).toBe(
    `Bash failed: ${missing}`,
  );
});

test("errors of Lua, Clojure and commands in Docker's log are titled by what was wrong", () => {
  const lua = "lua: app.lua:2: attempt to index a nil value (local 'x')";
  expect(titleOf("lua app.lua", lua, "stack traceback:", "\tapp.lua:2: in function 'f'", "\t[C]: in ?")).toBe(
    `Bash failed: ${lua}`,
  );
  const clojure = "Execution error (ArityException) at app/-main (app.clj:5).";
  expect(
    titleOf("clj -M -m app", clojure, "Wrong number of args (0) passed to: app/f", "", "Full report at:"),
  ).toBe(`Bash failed: ${clojure} Wrong number of args (0) passed to: app/f`);
  expect(
    titleOf(
      "docker build .",
      "#9 [4/6] RUN npm run build",
      "#9 12.304 src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      'ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2',
    ),
  ).toBe("Bash failed: src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.");
});

test("a recap of Ansible is no summary of tests", () => {
  const facts = compressByRules({
    ...{ hookType: "post_tool_use", sessionId: "s1", project: "shop", cwd: "/shop", timestamp: 0 },
    data: {
      tool_name: "Bash",
      tool_input: { command: "ansible-playbook site.yml" },
      tool_response: { stdout: "web1 : ok=1 changed=0 unreachable=0 failed=1" },
    },
  }).facts;
  expect(facts.filter((fact) => fact.startsWith("tests: "))).toEqual([]);
});
