import { expect, test } from "vitest";
import { type FileMove, fileMoves } from "./file-moves.ts";

test.each<[string, FileMove[]]>([
  ["git mv src/store.js src/link-log.js", [{ from: ["src/store.js"], to: "src/link-log.js" }]],
  ["git rm -q ./old.ts && rm -rf build/", [{ from: ["old.ts"] }, { from: ["build"] }]],
  ['mv a.ts "b.ts" lib/; npm test', [{ from: ["a.ts", "b.ts"], to: "lib/" }]],
  ["echo 'git mv a b'", []],
  ["git rm --cached a", []],
  ["rm src/*.js", []],
  ["rm $OLD", []],
  ["cd web && git mv a b", []],
  ["git mv src/very/long/name src/ve…", []],
  ["mv a", []],
  ["npm test", []],
])("%j moves %j", (command, moves) => {
  expect(fileMoves(command)).toEqual(moves);
});
