import { expect, test } from "vitest";
import { otherSpellings } from "./spellings.ts";
import { indexTokens } from "./tokens.ts";

test.each([
  ["re-indexing", "reindexing"],
  ["get_user_name", "getUserName"],
  ["sha-256", "sha256"],
  ["sha256", "sha-256"],
  ["utf_8", "utf8"],
])("%j is also looked for as a text with %j has it", (asked, written) => {
  const [token = ""] = indexTokens(asked);
  expect(indexTokens(written)).toEqual(expect.arrayContaining([...otherSpellings(token)]));
  expect(otherSpellings(token)).toHaveLength(1);
});

test.each(["heron", "256", "src/index.ts", "1.2-beta", "v1.2"])("%j has no other spelling", (token) => {
  expect(otherSpellings(token)).toEqual([]);
});
