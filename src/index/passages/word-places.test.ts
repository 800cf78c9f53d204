import fc from "fast-check";
import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { indexTokens } from "../../text/tokens.ts";
import { wordFinder } from "./word-places.ts";

function found(text: string, ...terms: readonly string[]): string[] {
  const find = wordFinder(terms.map((term) => ({ forms: [{ term }] })));
  return find(text).map(({ at, end }) => text.slice(at, end));
}

test("finds every form of a word, but no part of another word", () => {
  expect(found("Retries? It RETRIED, retrying a retry; preretry", "retri")).toEqual([
    "Retries",
    "RETRIED",
    "retrying",
    "retry",
  ]);
  expect(found("Use a dry run: dries, drying, using, uses", "dri", "use")).toEqual([
    "Use",
    "dry",
    "dries",
    "drying",
    "using",
    "uses",
  ]);
});

test("finds words in identifiers, in paths and between non-ASCII characters", () => {
  expect(found("getRetryPolicy of HTTPServer in src/payments/retry-policy.ts", "server", "polici")).toEqual([
    "Policy",
    "Server",
    "policy",
  ]);
  expect(found("see src\\index\\sql.ts", "src/index/sql.ts")).toEqual(["src\\index\\sql.ts"]);
  expect(found("naïve — “café” ﬁle", "naiv", "cafe", "file", "ve")).toEqual(["naïve", "café", "ﬁle"]);
});

test("finds character pairs in texts written without spaces", () => {
  expect(found("使用JWT进行用户认证。", "认证", "jwt")).toEqual(["JWT", "认证"]);
  expect(found("猫 と 犬小屋", "猫", "小屋")).toEqual(["猫", "小屋"]);
});

test("finds exactly the words that the index has, in any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "retry",
      "Retries",
      "getUserName",
      "src/a-b.ts",
      "café",
      "naïve",
      "認証する",
      "…",
      "—",
      "🙂",
      "\n",
    ),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join(" ");
      const tokens = new Set(indexTokens(text));
      for (const { at, end } of wordFinder([{ forms: [...tokens].map((term) => ({ term })) }])(text))
        expect(indexTokens(text.slice(at, end)).some((token) => tokens.has(token))).toBe(true);
      for (const term of ["retri", "user", "cafe", "認証", "a-b.ts"])
        if (tokens.has(term)) expect(found(text, term), `${term} in ${JSON.stringify(text)}`).not.toEqual([]);
    }),
  );
});

test("takes linear time for a long text without an ASCII character", () => {
  const text = "数据，👩‍👩‍👧。".repeat(14_000);
  const spent = processorTimer();
  expect(found(text, "数据")).toHaveLength(14_000);
  expect(spent()).toBeLessThan(2_000);
});
