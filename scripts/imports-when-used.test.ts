import { expect, test } from "vitest";
import { withLateImports } from "./imports-when-used.ts";

test("imports of our own modules become require calls where they are used", () => {
  const code = `import { join } from "node:path";
import * as z from "zod";
import { type Kind, make, take as took } from "./things.ts";
import type { Other } from "./other.ts";
export class Shelf {
  make(kind: Kind): Other {
    return make(join("a", kind), { make: 1, took }) satisfies Other;
  }
}`;
  expect(withLateImports(code)).toBe(`let late0; const from0 = () => (late0 ??= require("./things.ts"));
import { join } from "node:path";
import * as z from "zod";

import type { Other } from "./other.ts";
export class Shelf {
  make(kind: Kind): Other {
    return (from0().make)(join("a", kind), { make: 1, took: (from0().take) }) satisfies Other;
  }
}`);
});

test("the name of a property that is taken apart is no use of an import", () => {
  const code = 'import { make } from "./a.ts"; export const f = ({ make: own }: T) => make(own);';
  expect(withLateImports(code)).toMatch(
    / export const f = \(\{ make: own \}: T\) => \(from0\(\)\.make\)\(own\);$/,
  );
});

test.each([
  ["a parameter", 'import { make } from "./a.ts"; export const f = (make: number) => make;', "hides"],
  ["a variable", 'import { make } from "./a.ts"; { const make = 1; }', "hides"],
  ["a destructured one", 'import { make } from "./a.ts"; export const f = ({ make }: T) => 1;', "hides"],
  ["a whole module", 'import * as all from "./a.ts"; all.make();', "only names"],
])("a module that imports or hides a name as %s is rejected", (_, code, problem) => {
  expect(() => withLateImports(code)).toThrow(problem);
});
