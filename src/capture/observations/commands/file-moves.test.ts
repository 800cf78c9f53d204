import { expect, test } from "vitest";
import { type FileMove, fileMoves } from "./file-moves.ts";

test.each<[string, FileMove[]]>([
  ["git mv src/store.js src/link-log.js", [{ from: ["src/store.js"], to: "src/link-log.js" }]],
  ["git rm -q ./old.ts && rm -rf build/", [{ from: ["old.ts"] }, { from: ["build"] }]],
  ['mv a.ts "b.ts" lib/; npm test', [{ from: ["a.ts", "b.ts"], to: "lib/" }]],
  [
    "git mv a.ts b.ts 2>/dev/null || mv -f ./a.ts ./b.ts > /dev/null 2>&1",
    Array(2).fill({ from: ["a.ts"], to: "b.ts" }),
  ],
  ["mv src/a.ts .", [{ from: ["src/a.ts"], to: "./" }]],
  ["mv src/a.ts ./", [{ from: ["src/a.ts"], to: "./" }]],
  ["mv 'app/(shop)/a.ts' app/b.ts", [{ from: ["app/(shop)/a.ts"], to: "app/b.ts" }]],
  ["mv a.ts ../", []],
  ["mv a.ts b.ts # renamed", []],
  ["mv a.ts b.ts &", []],
  ["mv -t lib a.ts", []],
  ["git mv -n a.ts b.ts", []],
  ["echo 'git mv a b'", []],
  ["git rm --cached a", []],
  ["rm src/*.js", []],
  ["rm $OLD", []],
  ["cd web && git mv a b && cd .. && rm c", [{ from: ["web/a"], to: "web/b" }, { from: ["c"] }]],
  ["cd ./web/ && mv a.ts b.ts lib/", [{ from: ["web/a.ts", "web/b.ts"], to: "web/lib/" }]],
  ["cd web && mv src/a.ts .", [{ from: ["web/src/a.ts"], to: "web/" }]],
  ["cd '/home/dev/shop' && rm a && rm /tmp/b", [{ from: ["/home/dev/shop/a"] }, { from: ["/tmp/b"] }]],
  ["rm a; cd .. && rm b", [{ from: ["a"] }]],
  ["cd web/../.. && rm b", []],
  ["cd $WEB && rm b", []],
  ["cd - && rm b; cd; rm c", []],
  ["cd ~/shop && rm b", []],
  ['cd "my shop" && rm b', []],
  ["pushd web && rm b && popd && rm c", [{ from: ["web/b"] }]],
  ["git mv src/very/long/name src/ve…", []],
  ["mv a", []],
  ["cat > clean.sh <<'EOF'\nrm src/a.ts\nEOF", []],
  ["npm test", []],
])("%j moves %j", (command, moves) => {
  expect(fileMoves(command)).toEqual(moves);
});
