import { expect, test } from "vitest";
import { fileMoves } from "../../capture/observations/commands/file-moves.ts";
import { formerPaths } from "./former-paths.ts";

test.each([
  ["git mv src/retry.ts src/backoff.ts", "src/backoff.ts", "src/retry.ts"],
  ["mv src/retry.ts lib/", "lib/retry.ts", "src/retry.ts"],
  ["mv src/retry.ts lib", "lib/retry.ts", "src/retry.ts"],
  ["mv src/a.ts src/b.ts lib", "lib/b.ts", "src/b.ts"],
  ["git mv src/net src/http", "src/http/retry.ts", "src/net/retry.ts"],
  ["git mv src/net lib/", "lib/net/retry.ts", "src/net/retry.ts"],
  ["git mv src/retry.ts src/backoff.ts", "/home/dev/shop/src/backoff.ts", "/home/dev/shop/src/retry.ts"],
  ["git mv retry.ts .", "retry.ts", "retry.ts"],
  ["git mv src/retry.ts src/backoff.ts", "src/retry.ts", undefined],
  ["git mv src/retry.ts src/backoff.ts", "src/old-backoff.ts", undefined],
  ["git mv src/retry.ts src/backoff.ts", "web/backoff.ts", undefined],
  ["rm src/retry.ts", "src/retry.ts", undefined],
])("after %j the former name of %s is %s", (command, path, former) => {
  const moves = fileMoves(command).map((move) => ({ ...move, command, at: 5, sessionId: "s1" }));
  const [found] = formerPaths(path, moves, 6);
  expect(found?.path).toBe(former);
  if (found !== undefined) expect(path.endsWith(found.named)).toBe(true);
  expect([...formerPaths(path, moves, 5)]).toEqual([]);
});
