import { expect, test } from "vitest";
import { pathsIn } from "./paths-in-text.ts";

test.each([
  ["changed src/queue.ts and `test/a b`, see (docs/README.md).", ["src/queue.ts", "docs/README.md"]],
  ["fails at src/main.ts:12:5: see package.json!", ["src/main.ts", "package.json"]],
  [
    "~/notes/x.md ./run.sh /etc/app/conf.d/x.yml ../lib/y.go",
    ["~/notes/x.md", "./run.sh", "/etc/app/conf.d/x.yml", "../lib/y.go"],
  ],
  ["app/[id]/page.tsx twice app/[id]/page.tsx", ["app/[id]/page.tsx"]],
  ["e.g. v1.2.3, Node.js 20.1 at example.org or https://example.org/a.html, and/or i.e.", []],
  ["", []],
])("finds in %j the paths %j", (text, paths) => {
  expect(pathsIn(text)).toEqual(paths);
});
