import { describe, expect, test } from "vitest";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { foundIn, openTestIndex, putInto } from "../index-fixture.ts";
import { keywordSearch } from "../keyword/keyword.ts";
import type { SearchScope } from "../scope.ts";

const index = forEachTest(openTestIndex);

const put = (...documents: Parameters<typeof putInto>[1][]) => putInto(index, ...documents);
const found = (...[query, scope, limit]: [string, Partial<SearchScope>?, number?]) =>
  foundIn(index, query, scope, limit);

describe("ranking beyond a document's own words", () => {
  test("ranks a message next to its question above the same message elsewhere", async () => {
    await put(
      { ref: "question", body: "Which library parses the calendar feed?" },
      { ref: "answer", body: "We settled on ical for the feed." },
      { ref: "elsewhere", sessionId: "session-2", body: "We settled on ical for the feed." },
    );
    expect(await found("calendar library feed settled")).toEqual(["question", "answer", "elsewhere"]);
  });

  test("ignores neighbours outside of the session", async () => {
    const alone = { ref: "b", sessionId: null, body: "settled on ical" };
    await put({ ref: "a", sessionId: null, body: "calendar library" }, alone);
    const question = { query: "calendar library settled", scope: { now: 0 }, limit: 10 };
    const before = await keywordSearch(index.sql, question, {
      plain: true,
    });
    const after = await keywordSearch(index.sql, question);
    const share = (hits: typeof before) => (hits[0]?.score ?? 0) / (hits[1]?.score ?? 1);
    expect(after.map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
    expect(share(after)).toBeGreaterThanOrEqual(share(before));
  });

  test("finds the reply to a matching question even without any query word in it", async () => {
    const [shy, late] = [{ agentId: "bob" }, { sessionId: "session-2" }];
    await put(
      { ref: "question", body: "How often does the team train the model?" },
      { ref: "answer", body: "Three times a week." },
      { ref: "aside", body: "Fine." },
      { ref: "statement", body: "The team trained the model. Did it help? Nobody knows." },
      { ref: "of-another-agent", body: "Hardly.", ...shy },
      { ref: "last-question", body: "Will the team train the model again?" },
      { ref: "of-another-session", body: "Yes, twice.", ...late },
    );
    const agent = { includeOrphans: true };
    const refs = await found("team train model", { agent });
    expect(new Set(refs)).toEqual(new Set(["question", "answer", "statement", "last-question"]));
    expect(await found("train", { agent }, 1)).toHaveLength(1);
  });

  test("does not expect a reply to a question far from the end of a text", async () => {
    const told = "and so on and so forth ".repeat(20);
    await put({ ref: "told", body: `Why heron? ${told}` }, { ref: "after", body: "Something else." });
    expect(await found("heron")).toEqual(["told"]);
  });

  test("ranks adjacent query words above the same words apart", async () => {
    const filler = "one thing and then quite another matter that goes on for longer than a line of text ";
    await put(
      { ref: "together", sessionId: null, body: `${filler} connection pool ${filler}` },
      { ref: "apart", sessionId: null, body: `connection ${filler}${filler} pool` },
    );
    expect(await found("connection pool")).toEqual(["together", "apart"]);
  });

  test.each([
    ["database", "db"],
    ["auth", "authentication"],
    ["regular configuration", "config"],
    ["re-index", "reindex"],
    ["sha256", "sha-256"],
  ])("a query for %j finds %j, below the word itself", async (query, written) => {
    await put(
      { ref: "short", sessionId: null, body: `the ${written} was slow` },
      { ref: "long", sessionId: null, body: `the ${query} was slow` },
    );
    expect(await found(query)).toEqual(["long", "short"]);
  });

  test("the name of a programming language counts little beside other words, and fully alone", async () => {
    await put(
      { ref: "about", sessionId: null, body: "python python is a language" },
      { ref: "code", sessionId: null, body: "def flatten(nested): return list(nested)" },
      { ref: "filler", sessionId: null, body: "def other(nested)" },
    );
    expect((await found("how to flatten in python"))[0]).toBe("code");
    expect(await found("python")).toEqual(["about"]);
  });

  test("ranks the long text with a passage about the query first", async () => {
    const other = "one thing and then quite another matter that goes on ".repeat(30);
    await put(
      { ref: "passage", sessionId: null, body: `${other} why the heron left the wetland in winter ${other}` },
      { ref: "scattered", sessionId: null, body: `heron ${other} heron winter ${other} wetland winter` },
    );
    expect(await found("winter heron wetland")).toEqual(["passage", "scattered"]);
  });

  test("ranks a long text that answers at its end above short partial matches", async () => {
    const other = "one thing and then quite another matter that goes on ".repeat(250);
    await put({ ref: "long", sessionId: null, body: `${other} The heron left the wetland.` });
    for (let number = 0; number < 20; number++) {
      await put({ ref: `heron${number}`, sessionId: null, body: `heron ${number}` });
      await put({ ref: `wetland${number}`, sessionId: null, body: `wetland ${number}` });
    }
    expect((await found("heron left the wetland"))[0]).toBe("long");
  });

  test("ranks the code whose comment answers the query first", async () => {
    const named = "def merge_sorted(a, b):";
    await put(
      { ref: "said", sessionId: null, body: `${named}\n    """Merge sorted lists."""\n    return go(a, b)` },
      { ref: "done", sessionId: null, body: `${named}\n    """Go on."""\n    return merge(sorted(lists))` },
    );
    expect(await found("merge sorted lists")).toEqual(["said", "done"]);
  });

  test("ranks the text with the kind of answer that the question asks for first", async () => {
    await put(
      { ref: "date", sessionId: null, body: "the heron left the wetland in October" },
      { ref: "no-date", sessionId: null, body: "the heron left the wetland in peace" },
    );
    expect(await found("heron left wetland")).toEqual(["no-date", "date"]);
    expect(await found("When did the heron leave or left the wetland?")).toEqual(["date", "no-date"]);
  });

  test("ranks what the person named in the question says above what they are told", async () => {
    await put(
      { ref: "by-her", sessionId: null, body: "Ada: Bob, the heron left the wetland" },
      { ref: "to-her", sessionId: null, body: "Bob: Ada, the heron left the wetland" },
    );
    expect(await found("What did Ada say about the heron?")).toEqual(["by-her", "to-her"]);
    expect(await found("What did Bob say about the heron?")).toEqual(["to-her", "by-her"]);
  });

  test("raises documents that resemble the best hits", async () => {
    for (let number = 0; number < 38; number++) {
      await put({ ref: `best${number}`, sessionId: null, body: `heron heron wetland reed ${number}` });
    }
    for (let number = 0; number < 30; number++) {
      await put({ ref: `other${number}`, sessionId: null, body: `car road traffic ${number}` });
    }
    await put(
      { ref: "akin", sessionId: null, body: "a heron, a wetland and a lane" },
      { ref: "stray", sessionId: null, body: "a heron, a highway and a lane" },
    );
    const order = await found("heron", {}, 50);
    expect(order.indexOf("akin")).toBeLessThan(order.indexOf("stray"));
  });

  test("ranks the more important of equal documents first", async () => {
    await put(
      { ref: "much", sessionId: null, body: "same words", importance: 0.9 },
      { ref: "little", sessionId: null, body: "same words", importance: 0.1 },
    );
    expect(await found("same words")).toEqual(["much", "little"]);
  });

  test("a preferred time raises its documents and hides none", async () => {
    await put(
      { ref: "then", sessionId: null, body: "release failed", createdAt: 1_000 },
      { ref: "later", sessionId: null, body: "release failed", createdAt: 2_000 },
    );
    expect(await found("release", {})).toEqual(["later", "then"]);
    expect(await found("release", { leansTo: { since: 500, until: 1_500 } })).toEqual(["then", "later"]);
  });
});
