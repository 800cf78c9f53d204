import fc from "fast-check";
import { expect, test } from "vitest";
import { scriptPattern } from "./script-pattern.ts";
import { plainText, unspacedScripts } from "./scripts.ts";

const plainCharacters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => plainText.test(character),
);

const classes =
  "L Lu Ll N M Cf Ps Pe Pi Pf EMod Extended_Pictographic Script=Latin Script=Greek Script=Cyrillic Script=Han " +
  "Script=Hiragana Script=Katakana Script=Hangul Script=Thai Script=Lao Script=Khmer Script=Myanmar";

test.each(classes.split(" "))("\\p{%s} has the same members in plain texts", (name) => {
  for (const source of [`^\\p{${name}}$`, `^[\\p{${name}}_-]$`, `^[^\\p{${name}}]$`]) {
    const pattern = scriptPattern(source);
    const whole = new RegExp(source, "u");
    const matchedBy = (one: (text: string) => RegExp) =>
      plainCharacters.filter((text) => one(text).test(text));
    expect(matchedBy(pattern)).toEqual(matchedBy(() => whole));
  }
});

test.each([
  String.raw`(?<=\S)\s+[\p{Script=Latin}\]\\]{1,20}…$`,
  String.raw`^[^\p{L}\p{N}@#_]+|\[\p{Lu}\]?|[^\p{L}\p{M}\p{N}_]+$`,
  String.raw`(?![${unspacedScripts}])[\p{L}\p{N}_]\p{M}*`,
])("%s matches the same in plain texts and in others", (source) => {
  const pattern = scriptPattern(source, "g");
  const whole = new RegExp(source, "gu");
  const character = fc.oneof(
    fc.constantFrom(..."aB3_ @#-…“[]\\é東"),
    fc.string({ minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const text = characters.join("");
      expect([...text.matchAll(pattern(text))]).toEqual([...text.matchAll(whole)]);
    }),
  );
});
