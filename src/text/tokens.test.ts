import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorTimer } from "../../test/support/processor-time.ts";
import { indexTokens, queryTokens, scanText } from "./tokens.ts";

describe("index tokens", () => {
  test.each([
    ["getUserById", ["getuserbyid", "get", "user", "id"]],
    ["parseHTTPResponse2", ["parsehttpresponse2", "pars", "http", "response2"]],
    ["MAX_RETRY_COUNT", ["max_retry_count", "max", "retri", "count"]],
    ["userIDs", ["userid", "user", "id"]],
    ["utf8Decoder", ["utf8decoder", "utf8", "decod"]],
  ])("include the identifier %s as a whole and its words", (text, tokens) => {
    expect(indexTokens(text)).toEqual(tokens);
  });

  test.each([
    ["see /src/store/sql.ts.", ["see", "src/store/sql.ts", "src", "store", "sql.ts", "sql", "ts"]],
    ["C:\\repo\\Main.java", ["repo/main.java", "repo", "main.java", "main", "java"]],
    ["@libsql/client 0.18.0", ["libsql/client", "libsql", "client", "0.18.0", "18"]],
    ["upgrade to v20.19.1", ["upgrad", "v20.19.1", "v20", "19"]],
  ])("include the path or version in %s as a whole, its segments and its words", (text, tokens) => {
    expect(indexTokens(text)).toEqual(tokens);
  });

  test("of plain ASCII text do not depend on other text beside it", () => {
    const plain = fc.string({ unit: fc.constantFrom(..." \t\n_-./\\:,(AZIazsd09".split("")), maxLength: 60 });
    fc.assert(
      fc.property(plain, (text) => {
        expect(indexTokens(`${text} жж`)).toEqual([...indexTokens(text), "жж"]);
      }),
    );
  });

  test("of text with typographic marks do not depend on other text beside it", () => {
    const marked = fc.string({
      unit: fc.constantFrom(..." _-./\\:,AZIazsd09…–—‘’“”•←↑→↓".split("")),
      maxLength: 60,
    });
    fc.assert(
      fc.property(marked, (text) => {
        expect(indexTokens(`${text} жж`)).toEqual([...indexTokens(text), "жж"]);
      }),
      { numRuns: 500 },
    );
    expect(indexTokens("cut wor…")).toEqual(["cut", "wor"]);
  });

  test("fold case, diacritics and compatibility forms", () => {
    expect(indexTokens("Naïve FAÇADE İstanbul ﬁle ｗｉｄｅ")).toEqual(
      indexTokens("naive facade istanbul file wide"),
    );
  });

  test.each([
    ["Łódź zażółć", "Lodz zazolc"],
    ["Größe STRAẞE Straße", "Grosse STRASSE strasse"],
    ["sınıf Iğdır", "SINIF igdir"],
    ["Søren Ærø færdig ÆRØ", "Soren Aero faerdig AERO"],
    ["đường Đorđe", "duong Dorde"],
    ["cœur ŒUVRE", "coeur OEUVRE"],
    ["Þór ÞÓR", "Thor THOR"],
    ["parseŁódźName", "parseLodzName"],
  ])("of %j are those of %j", (text, plain) => {
    expect(indexTokens(text)).toEqual(indexTokens(plain));
  });

  test("are character pairs in Chinese, Japanese and Korean, also beside Latin letters", () => {
    expect(indexTokens("東京都")).toEqual(["東京", "京都"]);
    expect(indexTokens("テストtest한국어")).toEqual(["テス", "スト", "test", "한국", "국어"]);
    expect(indexTokens("猫 と")).toEqual(["猫", "と"]);
  });

  test.each([
    ["Thai", "ฐานข้อมูลใหม่", ["ฐา", "าน", "นข", "ขอ", "อม", "มล", "ลใ", "ให", "หม"]],
    ["Lao", "ຖານ", ["ຖາ", "ານ"]],
    ["Khmer", "មូលដ្ឋាន", ["មល", "លដ", "ដឋ", "ឋន"]],
    ["Burmese", "ဒေတာဘေ့စ်", ["ဒတ", "တဘ", "ဘစ"]],
  ])("are pairs of letters in %s", (_name, text, tokens) => {
    expect(indexTokens(text)).toEqual(tokens);
  });

  test.each([
    ["a soft hyphen", "data\u00ADbase", ["databas"]],
    ["a word joiner", "data\u2060base data\uFEFFbase", ["databas", "databas"]],
    ["a direction mark", "data\u200Ebase", ["databas"]],
    ["an Indic joiner", "ක්\u200Dෂය ක්\u200Cෂය", ["කෂය", "කෂය"]],
    ["an Arabic tatweel", "كتـــاب", ["كتاب"]],
  ])("ignore %s inside a word", (_name, text, tokens) => {
    expect(indexTokens(text)).toEqual(tokens);
  });

  test("include words joined by U+200B or Persian U+200C as one word and separately", () => {
    expect(indexTokens("می\u200Cخواهم")).toEqual(["میخواهم", "می", "خواهم"]);
    expect(indexTokens("time\u200Bzone")).toEqual(["timezon", "time", "zone"]);
    expect(indexTokens("src/\u200Bstore/\u200Bsql.ts")).toEqual(indexTokens("src/store/sql.ts"));
  });

  test("stem English words and omit stop words", () => {
    expect(indexTokens("The connections were connecting")).toEqual(["connect", "connect"]);
  });

  test("are the same for an identifier in camel case and in lower case", () => {
    expect(indexTokens("getUsers")[0]).toBe(indexTokens("getusers")[0]);
  });

  test("consist of letters, digits and inner separators for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (a, b) => {
        const { tokens, stops } = scanText(`${a} ${b}`);
        for (const token of [...tokens, ...stops]) {
          expect(token).toMatch(/^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}_\-./\\]*[\p{L}\p{N}\p{M}])?$/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["one long word", "a".repeat(1e6)],
    ["one long path", "ab/".repeat(333_333)],
    ["camel humps", "aB".repeat(500_000)],
    ["separators", "-_./\\".repeat(200_000)],
    ["ideographs", "漢".repeat(1e6)],
    ["combining marks", "e\u0301\u0302".repeat(333_333)],
    ["zero-width spaces", "a\u200B".repeat(500_000)],
    ["words with zero-width joints", "بت\u200C".repeat(333_333)],
    ["Thai", "ฐานข้อมูล".repeat(111_111)],
    ["ligatures that expand", "\ufdfa".repeat(50_000)],
    ["new words only", Array.from({ length: 100_000 }, (_, at) => `w${at.toString(36)}ing`).join(" ")],
  ])("take linear time for a megabyte of %s", (_, text) => {
    const spent = processorTimer();
    const tokens = indexTokens(text);
    expect(spent()).toBeLessThan(3_000);
    expect(tokens.every((token) => token.length <= 140)).toBe(true);
  });
});

describe("query tokens", () => {
  test("omit stop words beside other words", () => {
    expect(queryTokens("what is the token")).toEqual(["token"]);
  });

  test("keep stop words if the query has no other words", () => {
    expect(queryTokens("What is this?")).toEqual(["what", "is", "this"]);
  });

  test("are empty for a text without words", () => {
    expect(queryTokens(" … — !? ")).toEqual([]);
  });
});
