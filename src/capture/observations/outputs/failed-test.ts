/** Comparisons of values, which say nothing without the name of the test that made them. */
const bareAssertion =
  /^(?:[Ee]rror: )?(?:(?:\w{1,40}\.)?Assertion(?:Failed)?Error\b|assert |(?:Timed out \d{1,9}ms waiting for )?[Ee]xpect(?:ed\b|\(|:)|Failed asserting |Failure\/Error: expect|Assertion with )/;

/* How test runners name a test that failed; line by line, so that the searches are linear. */
const failures = [
  // vitest: ` FAIL  src/cart.test.ts > the cart > takes VAT off`
  /^ {0,4}FAIL {1,4}(?:[|\w]{1,40} {1,4})?\S{1,300} > (.{1,300})$/m,
  // jest: `  ● the cart › takes VAT off`
  /^ {0,4}● (?!Console$|Test suite failed to run$)(.{1,600})$/m,
  // pytest: `FAILED tests/test_cart.py::test_vat - assert 1 == 2`
  /^FAILED \S{1,300}?::(\S{1,300})/m,
  // mocha: `  1) the cart`, and on the next line `       takes VAT off:`
  /^ {2}1\) (.{1,300}(?:\r?\n {7,20}\S.{0,300}){1,4}):\r?$/m,
  // PHPUnit: `1) CartTest::testVat`
  /^1\) (\S{1,200}::.{1,200})$/m,
  // ExUnit: `  1) test takes VAT off (CartTest)`
  /^ {2}1\) test (.{1,300}) \([\w.]{1,200}\)$/m,
  // Node: `✖ takes VAT off (0.5ms)`, or as TAP `not ok 1 - takes VAT off`
  /^ {0,40}✖ (.{1,300}?) \(\d[\d.]{0,12}ms\)$/m,
  /^ {0,40}not ok \d{1,9} - (.{1,300})$/m,
  // bun: `(fail) the cart > takes VAT off [0.42ms]`
  /^\(fail\) (.{1,300}?) \[[\d.]{1,12}m?s\]$/m,
  // rspec: `  1) Cart takes VAT off`
  /^Failures:\r?\n\r?\n {2}1\) (.{1,300})$/m,
  // Playwright: `  1) [chromium] › cart.spec.ts:8:5 › the cart › takes VAT off ────`
  /^ {2}1\) (\S[^›\n]{0,200}(?:› [^›\n─]{1,200}){1,8})─{0,300}\r?$/m,
  // Deno: `the cart => ./cart_test.ts:3:6`
  /^(\S.{0,300}) => \.\/[^\s:]{1,300}:\d{1,9}:\d{1,9}\r?$/m,
];

/** The name of the first failed test of an output whose error is a mere comparison; undefined if there is none. */
export function failedTest(errorLine: string, output: string): string | undefined {
  if (!bareAssertion.test(errorLine)) return undefined;
  const named = failures.map((failure) => failure.exec(output)?.[1]?.replace(/\s+/g, " ").trim());
  return named.find((name) => name !== undefined && !errorLine.includes(name));
}
