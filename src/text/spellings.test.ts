import { expect, test } from "vitest";
import { joinedSpellings, otherSpellings, rarerSpellings, smallCounts } from "./spellings.ts";
import { indexTokens } from "./tokens.ts";

test.each([
  ["re-indexing", "reindexing"],
  ["get_user_name", "getUserName"],
  ["v14.2.3", "14.2.3"],
  ["14.2.3", "v14.2.3"],
  ["20", "v20"],
  ["JWT", "JWTs"],
  ["PRs", "PR"],
  ["800ms", "800"],
  ["2h", "2 hours"],
  ["TLS1.2", "TLSv1.2"],
  ["TLSv1.2", "TLS1.2"],
  ["0x8007000E", "8007000E"],
  ["8007000E", "0x8007000E"],
])("a search for %j also finds the spelling %j", (asked, written) => {
  const [token = ""] = indexTokens(asked);
  expect(indexTokens(written)).toEqual(expect.arrayContaining([...otherSpellings(token)]));
  expect(otherSpellings(token)).toHaveLength(1);
});

test.each(["http2", "http-2", "http_2", "http.2", "http/2"])(
  "%j is found in the spellings of other texts",
  (token) => {
    const others = ["http2", "http-2", "http_2", "http.2", "http/2"].filter((spelling) => spelling !== token);
    expect(otherSpellings(token).slice(0, 4)).toEqual(others);
  },
);

test.each(["adr17", "adr-17", "adr-017", "adr_0017"])("%j is found with more or fewer zeros", (token) => {
  const others = ["adr17", "adr-17", "adr-017", "adr_017", "adr-0017"].filter((other) => other !== token);
  expect(otherSpellings(token)).toEqual(expect.arrayContaining(others));
});

test("the number behind a name is found with zeros before it", () => {
  for (const token of ["adr", "17"])
    expect(joinedSpellings("ADR 17").get(token)).toEqual(expect.arrayContaining(["adr-017", "017", "0017"]));
});

test("a number of two digits alone is not searched for in place of one", () => {
  expect(joinedSpellings("type 2").get("type")).toContain("type02");
  expect(joinedSpellings("type 2").get("type")).not.toContain("02");
});

test("zeros behind other digits are not left out", () => {
  expect(otherSpellings("pay-100")).not.toContain("pay-1");
  expect(otherSpellings("pay-1")).not.toContain("pay-100");
});

test("the unit of a count of one digit is searched for by its other names, too", () => {
  expect(otherSpellings("5mb")).toEqual(["megabyt", "mb", "mib"]);
  expect(otherSpellings("5min")).toEqual(["minut", "min"]);
});

test.each([
  ["the 2h lock", ["2 hours", "2h", "2-hour"], ["12 hours", "2 hourglasses", "3 hours", "1.2 hours"]],
  ["5 minutes", ["5min", "5 mins", "5 m"], ["5ms", "5 MB"]],
  ["8MB", ["8 mb", "8 megabytes", "8MiB"], ["8 mbit"]],
])("in %j, a count of one digit stands for %j, but not for %j", (query, same, others) => {
  const [count, ...more] = smallCounts(query);
  expect(more).toEqual([]);
  expect(same.filter((text) => count?.test(text) !== true)).toEqual([]);
  expect(others.filter((text) => count?.test(text) === true)).toEqual([]);
});

test("a name with a digit, a version and a larger number are no small count", () => {
  expect(["sha2 h", "v2.5 h", "25 hours", "2-hour", "step 2 hourly"].flatMap(smallCounts)).toEqual([]);
});

test.each(["heron", "src/index.ts", "1.2-beta", "100k", "class", "status"])(
  "%j has no other spelling",
  (token) => {
    expect(otherSpellings(token)).toEqual([]);
  },
);

test.each([
  ["oncall", "on-call"],
  ["getuser", "get_user"],
  ["groesse", "Größe"],
  ["größe", "Groesse"],
  ["groesse", "Grösse"],
  ["koennen", "können"],
  ["müller", "Mueller"],
])("%j has the rarer spelling %j", (asked, written) => {
  expect(rarerSpellings(asked)).toEqual(expect.arrayContaining(indexTokens(written).slice(0, 1)));
});

test("a number with its unit and a name with its number are also searched as one word", () => {
  expect([...joinedSpellings("wait 800 ms for OAuth 2 and TS 2345")]).toEqual([
    ["800", ["800ms"]],
    ["ms", ["800ms", "millisecond", "ms"]],
    ["oauth", expect.arrayContaining(["oauth2"])],
    ["ts", ["ts2345"]],
    ["2345", ["ts2345"]],
  ]);
  expect(joinedSpellings("expires after 45 minutes").get("45")).toEqual(["45min", "45m"]);
  expect(joinedSpellings("512 megabytes").get("megabyt")).toEqual([
    "512mb",
    "512mib",
    "megabyt",
    "mb",
    "mib",
  ]);
  expect([...joinedSpellings("at 3 or 20 files of a-b 12, x 20.5.1")]).toEqual([]);
});

test("a word has fewer than 40 rarer spellings", () => {
  for (const word of [
    "a",
    "heron",
    "naïve",
    "über",
    "a".repeat(500),
    "ae".repeat(250),
    "internationalisation",
  ])
    expect(rarerSpellings(word).length).toBeLessThan(40);
  expect(rarerSpellings("heron")).toEqual(["h-eron", "h_eron", "he-ron", "he_ron", "her-on", "her_on"]);
});
