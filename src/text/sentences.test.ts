import { describe, expect, test } from "vitest";
import { processorTimer } from "../../test/support/processor-time.ts";
import { firstSentence, firstSentences, sentencesOf } from "./sentences.ts";

const split = (text: string): string[] => [...sentencesOf(text)];

describe("sentencesOf", () => {
  test("keeps file names, versions and hosts whole", () => {
    expect(split("Open src/main.ts and bump to v1.2.3. See docs.example.org for more.")).toEqual([
      "Open src/main.ts and bump to v1.2.3.",
      "See docs.example.org for more.",
    ]);
  });

  test("may end a sentence after a file name", () => {
    expect(split("Please fix main.ts. Then run it.")).toEqual(["Please fix main.ts.", "Then run it."]);
  });

  test("does not end a sentence at abbreviations, initials and list numbers", () => {
    expect(split("Use a cache, e.g. Redis, i.e. something fast. Ask J. Smith vs. Dr. Jones.")).toEqual([
      "Use a cache, e.g. Redis, i.e. something fast.",
      "Ask J. Smith vs. Dr. Jones.",
    ]);
    expect(split("See fig. 3 for it. Next")).toEqual(["See fig. 3 for it.", "Next"]);
    expect(split("1. Build it. 2. Ship it.")).toEqual(["Build it.", "2. Ship it."]);
  });

  test("does not end a sentence at two-part abbreviations of other languages", () => {
    expect(split("Tests, z. B. für die Größe, d. h. alle. Danach mehr")).toEqual([
      "Tests, z. B. für die Größe, d. h. alle.",
      "Danach mehr",
    ]);
    expect(split("Un test, p. ex. ici. Puis")).toEqual(["Un test, p. ex. ici.", "Puis"]);
    expect(split("Проверь всё, т. е. тесты. Да. Потом")).toEqual([
      "Проверь всё, т. е. тесты.",
      "Да.",
      "Потом",
    ]);
    expect(split("Take step a. Then b. Done")).toEqual(["Take step a.", "Then b.", "Done"]);
  });

  test("does not end a sentence at the day of a German date", () => {
    const rates = "Speisen haben ab 1. Januar 7 %, Getränke erst am 24. Dez.";
    expect(split(`${rates} Bis 31. März. Danach 19 %.`)).toEqual([rates, "Bis 31. März.", "Danach 19 %."]);
    expect(split("Needs at least 4. Maintain it")).toEqual(["Needs at least 4.", "Maintain it"]);
  });

  test("ends a sentence at stops and quotation marks of other scripts", () => {
    expect(split("यह ठीक है। अब चलाओ।")).toEqual(["यह ठीक है।", "अब चलाओ।"]);
    expect(split("هل يمكنك ذلك؟ أضف اختبارات")).toEqual(["هل يمكنك ذلك؟", "أضف اختبارات"]);
    expect(split("Er sagt „Fertig.“ Gut")).toEqual(["Er sagt „Fertig.“", "Gut"]);
    expect(split("「保存した。」次")).toEqual(["「保存した。」", "次"]);
  });

  test("splits lower-case text into sentences too", () => {
    expect(split("fix the login. now run tests! ok?")).toEqual(["fix the login.", "now run tests!", "ok?"]);
  });

  test("keeps inline code whole and treats an unclosed backtick as plain text", () => {
    expect(split("It uses `ALTER TABLE ... ADD`. Why? Run `a. B. c` then. So")).toEqual([
      "It uses `ALTER TABLE ... ADD`.",
      "Why?",
      "Run `a. B. c` then.",
      "So",
    ]);
    expect(split("Run `ls .` then `cd ..` next. It says `Done.` Fine")).toEqual([
      "Run `ls .` then `cd ..` next.",
      "It says `Done.` Fine",
    ]);
    expect(split("Mind the ` key. It is rare. Done")).toEqual(["Mind the ` key.", "It is rare.", "Done"]);
  });

  test("ends a sentence at a line break unless lower case follows", () => {
    expect(split("Fix the bug\nIt fails on\nevery refresh")).toEqual([
      "Fix the bug",
      "It fails on every refresh",
    ]);
    expect(split("Rules:\n- never push\n- always test")).toEqual(["Rules:", "never push", "always test"]);
  });

  test("skips fenced code", () => {
    expect(split("Before.\n```ts\nmust(never);\n```\nAfter.")).toEqual(["Before.", "After."]);
  });

  test("ends a sentence at a full-width stop without white space", () => {
    expect(split("修复登录。然后运行测试！")).toEqual(["修复登录。", "然后运行测试！"]);
  });

  test("continues a sentence after an ellipsis followed by lower case", () => {
    expect(split("Well... it works. Done")).toEqual(["Well... it works.", "Done"]);
  });

  test("joins 160 KiB of wrapped lines in linear time", () => {
    const spent = processorTimer();
    expect(split("word\n".repeat(32_768))).toHaveLength(1);
    expect(spent()).toBeLessThan(200);
  });

  test("splits a 64 KiB run of dots in linear time", () => {
    const spent = processorTimer();
    expect(split(`${".".repeat(65_536)}x`)).toHaveLength(1);
    expect(spent()).toBeLessThan(200);
  });
});

describe("firstSentence", () => {
  test("is one line within its limit, marked when cut", () => {
    const sentence = firstSentence(`# Fix ${"the login ".repeat(30)}`, 100);
    expect(sentence).toBe(`Fix ${"the login ".repeat(9)}the…`);
    expect([...firstSentence(`Fix ${"login".repeat(30)}`, 100)]).toHaveLength(100);
  });

  test("falls back to the first line of a text that is all code", () => {
    expect(firstSentence("```ts\nconst a = 1;\n```", 100)).toBe("const a = 1;");
  });
});

describe("firstSentences", () => {
  test("are those that fit on one line, with semicolons between the items of a list", () => {
    const text =
      "Before a release:\n- run the migrations\n- tag it\n\nThen (not before) push the tag. It is final.";
    expect(firstSentences(text, 200)).toBe(
      "Before a release: run the migrations; tag it; Then (not before) push the tag. It is final.",
    );
    expect(firstSentences(text, 89)).toBe(
      "Before a release: run the migrations; tag it; Then (not before) push the tag.",
    );
  });

  test("are cut if the first is too long, and are the first line of a text that is all code", () => {
    expect(firstSentences(`Fix ${"the login ".repeat(30)}. Then rest.`, 20)).toBe("Fix the login the…");
    expect(firstSentences("```ts\nconst a = 1;\n```", 100)).toBe("const a = 1;");
  });
});
