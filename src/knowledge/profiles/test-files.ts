const namings = [
  { pattern: /\.test\.(\w{1,8})$/u, shown: (end: string) => `*.test.${end}` },
  { pattern: /\.spec\.(\w{1,8})$/u, shown: (end: string) => `*.spec.${end}` },
  { pattern: /[^/\\]_test\.(\w{1,8})$/u, shown: (end: string) => `*_test.${end}` },
  { pattern: /[^/\\]_spec\.(\w{1,8})$/u, shown: (end: string) => `*_spec.${end}` },
  { pattern: /(?:^|[/\\])test_[^/\\]*\.(\w{1,8})$/u, shown: (end: string) => `test_*.${end}` },
  { pattern: /(?:^|[/\\])[^/\\]*[a-z0-9]Tests?\.(\w{1,8})$/u, shown: (end: string) => `*Test.${end}` },
] as const;

const folder = /(?:^|[/\\])(__tests__|tests?|spec)[/\\]/u;

/** The naming convention that makes a path a test file (`*.test.ts`, `test_*.py`, `tests/`), or undefined. */
export function testFilePattern(file: string): string | undefined {
  for (const { pattern, shown } of namings) {
    const end = pattern.exec(file)?.[1];
    if (end !== undefined) return shown(end);
  }
  const name = folder.exec(file)?.[1];
  return name === undefined ? undefined : `${name}/`;
}
