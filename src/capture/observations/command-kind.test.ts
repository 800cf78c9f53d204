import { expect, test } from "vitest";
import { commandKind } from "./command-kind.ts";

test.each([
  ["npm test", "npm test"],
  ["npm run build -- --watch", "npm run"],
  ["git commit -m 'x y'", "git commit"],
  ["git -C other status", "git"],
  ["CI=1 npx vitest run src", "vitest run"],
  ["cd packages/a && npm test", "npm test"],
  ["cd packages/a", "cd"],
  ["pytest tests/unit", "pytest"],
  ["./scripts/deploy.sh", "deploy"],
  ["cat package", "cat"],
  ["/usr/bin/git push origin main", "git push"],
  ["   ", undefined],
])("the command %j is one of %j", (command, kind) => {
  expect(commandKind(command)).toBe(kind);
});
