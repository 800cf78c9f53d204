/** Comparisons of values, which say nothing without the name of the test that made them. */
const bareAssertion = /^(?:(?:\w{1,40}\.)?Assertion(?:Failed)?Error\b|assert |expect(?:ed\b|\(|:))/;

/* How test runners name a test that failed; line by line, so that the searches are linear. */
const failures = [
  // vitest: ` FAIL  src/cart.test.ts > the cart > takes VAT off`
  /^ {0,4}FAIL {1,4}(?:[|\w]{1,40} {1,4})?\S{1,300} > (.{1,300})$/m,
  // jest: `  ● the cart › takes VAT off`
  /^ {0,4}● (.{1,300} › .{1,300})$/m,
  // pytest: `FAILED tests/test_cart.py::test_vat - assert 1 == 2`
  /^FAILED \S{1,300}?::(\S{1,300})/m,
];

/** The name of the first failed test of an output whose error is a mere comparison; undefined if there is none. */
export function failedTest(errorLine: string, output: string): string | undefined {
  if (!bareAssertion.test(errorLine)) return undefined;
  const named = failures.map((failure) => failure.exec(output)?.[1]?.trim());
  return named.find((name) => name !== undefined && !errorLine.includes(name));
}
