import { expect, test } from "vitest";
import { firstTellingLine } from "./output-lines.ts";

const pushed = "To github.com:acme/shop.git\n ! [rejected]        main -> main (fetch first)";

test.each([
  ["automatischer Merge von src/cart.ts", "KONFLIKT (Inhalt): Merge-Konflikt in src/cart.ts"],
  ["自动合并 src/cart.ts", "冲突（内容）：合并冲突于 src/cart.ts"],
  ["src/cart.ts を自動マージしています", "競合 (内容): src/cart.ts 内でのマージの競合"],
  ["Fusion automatique de src/cart.ts", "CONFLIT (contenu) : Conflit de fusion dans src/cart.ts"],
  ["Автослияние src/cart.ts", "КОНФЛИКТ (содержимое): Конфликт слияния в src/cart.ts"],
  [pushed, "Fehler: Fehler beim Versenden einiger Referenzen nach 'github.com:acme/shop.git'"],
  [pushed, "エラー: 'github.com:acme/shop.git' への参照のプッシュに失敗しました"],
  ["正克隆到 'shop'...", "致命错误：仓库 'https://example.com/shop.git/' 未找到"],
  ["Clonage dans 'shop'...", "erreur : impossible d'ouvrir 'a'"],
])("below %j, %j tells the error", (above, line) => {
  expect(firstTellingLine(`${above}\n${line}\nmore`)).toBe(line);
});

test("what git pushes to is no error", () => {
  expect(firstTellingLine(pushed)).toBe("! [rejected]        main -> main (fetch first)");
});
