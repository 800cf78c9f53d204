import { describe, expect, test } from "vitest";
import { putDocuments } from "../../src/index/documents/documents.ts";
import { makeDocument } from "../../src/index/index-fixture.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { found, observed, remembered } = searchSteps(() => http);

describe("a query", () => {
  test.each([
    ["an emoji", "🚀", "The title with 🚀 broke the changelog", "The title broke the parser"],
    ["a language of one letter", "C#", "Interfaces start with I in C# code", "ABC#4 is a chord, c is not"],
    ["one letter", "x", "set x to seven", "exit with six"],
    ["one letter in the other case", "ж", "the column Ж is empty", "a column of жук is empty"],
    ["one letter with its accent apart", "e\u0301", "the key \u00e9 is dead", "without e it is no word"],
    ["one letter with its accent attached", "\u00e9", "the key e\u0301 is dead", "without e it is no word"],
    ["one character of a word", "本", "日本の翻訳", "中国の翻訳"],
    ["a word of a text without spaces", "ประชุม", "ทีมประชุมทุกวันจันทร์", "ทีมทุกวันจันทร์"],
    ["a count in full width", "２時", "バックアップは毎晩2時に実行", "会議は金曜の3時から"],
    ["signs and single digits", "0 3 * * *", "cron `0 3 * * *` exports", "cron `0 4 * * *` imports"],
    ["signs that mean something in patterns", "%_%", "the marks %_% stand for all", "100 per cent"],
  ])("for %s finds the text that contains it and no other", async (_name, query, content, other) => {
    const wanted = await remembered(content, { project: "shop" });
    await remembered(other, { project: "shop" });
    expect(await found(query)).toEqual([wanted]);
    expect(await found(query, { project: "elsewhere" })).toEqual([]);
  });

  test.each([
    ["C#", "Interfaces start with I in C# code", ["C#?", '"C#"', "`C#`.", "(C#)"]],
    ["🚀", "The title with 🚀 broke the changelog", ["🚀!", "“🚀”"]],
    ["本", "日本の翻訳", ["本?", "本。", "「本」"]],
  ])("for %s finds it also with a question mark or in quotation marks", async (_name, content, queries) => {
    const wanted = await remembered(content);
    await remembered("quite another matter, isn't it?");
    for (const query of queries) expect(await found(query)).toEqual([wanted]);
    const exact = await remembered(`the text ${queries[0]} itself`);
    expect((await found(queries[0] ?? ""))[0]).toBe(exact);
  });

  test.each([
    ["--filter", "use the filter", "run the suite with --filter unit, which keeps the run short enough"],
    ["--no-verify", "no verify", "whoever commits in a hurry reaches for --no-verify, which is forbidden"],
    ["tests --filter", "filter tests", "the suite of tests runs with `--filter unit` on every machine"],
    ["rsync --exclude-from=list", "rsync exclude from list", "rsync backs it up with --exclude-from=list"],
  ])(
    "for the flag in %s finds texts with the flag first, then texts with its words",
    async (query, words, flag) => {
      const plain = await remembered(words);
      const wanted = await remembered(flag);
      expect(await found(query)).toEqual([wanted, plain]);
    },
  );

  test.each(["C# importer", "C++ importer", "🚀 importer"])(
    "for %s finds texts with both terms first, then with either",
    async (query) => {
      const [name] = query.split(" ");
      for (let number = 0; number < 60; number += 1)
        await observed(`The importer reads importer files, take ${number}`, { sessionId: `s${number}` });
      const both = await remembered(
        `All of the ${name} code that we have is there for the old importer alone`,
      );
      const named = await remembered(`No ${name} here, never`);
      const hits = await found(query);
      expect(hits[0]).toBe(both);
      expect(hits).toContain(named);
    },
  );

  test.each([
    ["猫", "黑猫警长的故事", "the 猫 is alone"],
    ["ประชุม", "ทีมประชุมทุกวันจันทร์", "ประชุม"],
  ])(
    "for %s finds it inside a longer run of letters, even if it is a word of another text",
    async (query, content, other) => {
      const wanted = await remembered(content, { project: "shop", agentId: "ann" });
      await remembered(other, { project: "elsewhere", agentId: "bob" });
      expect(await found(query, { project: "shop" })).toEqual([wanted]);
      expect(await found(query, { agentId: "ann" })).toEqual([wanted]);
      expect(await found(query, { project: "nowhere" })).toEqual([]);
    },
  );

  test("for a short name like F# finds a project's old text despite hundreds in another project", async () => {
    const wanted = await remembered("Old rule about F# in alpha", { project: "alpha" });
    const { store } = http.core.ground;
    const beta = Array.from({ length: 501 }, (_, at) =>
      makeDocument({ kind: "memory", ref: `b${at}`, projectKey: "beta", body: `F# thing ${at}` }),
    );
    await store.write((tx) => putDocuments(tx.sql, "memory", beta));
    expect(await found("F#", { project: "alpha" })).toEqual([wanted]);
  });

  test("for a short name like C# searches concepts and files too, but not the JSON of their lists", async () => {
    const wanted = await remembered("Interfaces start with I", {
      concepts: ["C#", 'a"#"b'],
      files: ["w\\x.c"],
    });
    for (const query of ["C#", 'a"#', "w\\x"]) expect(await found(query)).toEqual([wanted]);
    for (const query of ["[]", '","', '["']) expect(await found(query)).toEqual([]);
  });

  test.each([
    ["oncall", "who is on-call this week"],
    ["groesse", "die Größe der Warteschlange"],
    ["Größe", "die Groesse der Warteschlange"],
  ])("for %s finds another spelling when the text does not have this one", async (query, content) => {
    const wanted = await remembered(content);
    await remembered("quite another matter");
    expect(await found(`${query}?`)).toEqual([wanted]);
    const exact = await remembered(`${query} as asked for`);
    expect((await found(query))[0]).toBe(exact);
  });

  test.each([
    ["Lodz", "Łódź"],
    ["Soren", "Søren"],
    ["strasse", "Straße"],
    ["sinif", "sınıf"],
    ["duong", "đường"],
    ["coeur", "cœur"],
  ])("for %s or %s finds both, and shows where they are", async (plain, marked) => {
    const filler = "Rollout notes that say nothing of note. ".repeat(30);
    const ids = [
      await remembered(`${filler} The backup server is in ${plain} since May. ${filler}`),
      await remembered(`${filler} The mail server was moved to ${marked} in June. ${filler}`),
    ];
    for (const query of [plain, marked, marked.toUpperCase()]) {
      const { results } = await http.ok(smartSearch, { query });
      expect(results.map(({ obsId }) => obsId).sort()).toEqual(ids.toSorted());
      expect(results.every(({ match }) => match === "strong")).toBe(true);
      for (const { passage } of results) expect(passage).toMatch(/server/u);
    }
  });

  test.each([
    [
      "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
      "lower case",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ],
    [
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "capitals",
      "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
    ],
    ["9F3C2AB", "lower case", "9f3c2ab"],
    ["7C9E6679-7425-40DE-944B-E07FC1F90AE7", "lower case", "7c9e6679-7425-40de-944b-e07fc1f90ae7"],
    ["9f3c2ab4e5d6f708192a3b4c5d6e7f8091a2b3c4", "seven digits", "9f3c2ab"],
    ["why was 9f3c2ab4e5d6 reverted", "seven digits", "9f3c2ab"],
    ["did the rollback include 9f3c2ab", "all its digits", "9f3c2ab4e5d6f708192a3b4c5d6e7f8091a2b3c4"],
    ["python3.9", "a blank before its version", "Python 3.9"],
    ["Kuendigung", "more of the compound", "Kündigungsbestätigung"],
  ])("for %s finds it written in %s", async (query, _how, content) => {
    const wanted = await remembered(`The build of the shop needs ${content} since the summer`);
    await remembered("The rollback of the shop was slow, and Python is not to blame");
    expect(await found(query)).toContain(wanted);
  });

  test.each([
    ["9F3C2AB", "9f3c2ab"],
    ["e3b0c44298fc1c149afbf4c8996fb924", "E3B0C44298FC1C149AFBF4C8996FB924"],
  ])("for the hash %s matches %s strongly", async (query, content) => {
    await remembered(`The installer is ${content} since the summer`);
    expect((await http.ok(smartSearch, { query })).results).toMatchObject([{ match: "strong" }]);
  });

  test("for the beginning of an address finds the address, also beside many texts", async () => {
    const others = Array.from({ length: 60 }, (_, at) =>
      makeDocument({ kind: "memory", ref: `m${at}`, body: `day ${at + 100} of run ${at}` }),
    );
    await http.core.ground.store.write((tx) => putDocuments(tx.sql, "memory", others));
    const wanted = await remembered("the gateway routes 192.168.0.0/16");
    expect(await found("192.168")).toEqual([wanted]);
  });

  test.each([
    ["PAY-77", "branch feature/PAY-77-refund-flow is ready", "we pay for 77 seats, and pay in May"],
    ["python 3.11", "deploy calls python3.11 -m venv first", "python runs 11 jobs, python and python"],
    ["depends_on", "wait with depends_on.condition: service_healthy", "it depends on what it depends on"],
    [
      "gateway_client",
      "look into src/gateway_client.test.ts first",
      "the gateway has a client, a client gateway",
    ],
  ])(
    "for %s finds it within a longer name, or as one, before texts with its words",
    async (query, name, words) => {
      const wanted = await remembered(name);
      const plain = await remembered(words);
      expect(await found(query)).toEqual([wanted, plain]);
    },
  );

  test.each([
    ["30秒", "決済のタイムアウトは30秒に設定", "超时5秒"],
    ["3回", "リトライは3回まで", "接続は13回まで試す"],
    ["60次", "限流阈值改为每分钟60次，超过返回429", "每分钟160次"],
    ["x", "変数xを設定", "next変数"],
    ["C#", "主にC#で書く", "ABC#の和音"],
    ["C#で書いたもの", "主にC#のコード", "主にC言語のコード"],
    ["C# frobnicator", "Interfaces start with I in C# code", "Interfaces are named after what they do"],
  ])(
    "for %s finds it amid a text without blanks, or without the other words",
    async (query, content, other) => {
      const wanted = await remembered(content);
      await remembered(other);
      const { results } = await http.ok(smartSearch, { query });
      expect(results[0]).toMatchObject({ obsId: wanted });
    },
  );

  test.each([
    ["nothing", {}],
    ["a blank query", { query: "  " }],
    ["an empty list of ids", { expandIds: [] }],
    ["a blank query and an empty list", { query: "", expandIds: [] }],
    ["21 ids", { expandIds: Array.from({ length: 21 }, (_, at) => `obs_${at}`) }],
    ["a query of 10001 characters", { query: "x".repeat(10_001) }],
    ["limit 0", { query: "x", limit: 0 }],
    ["a negative limit", { query: "x", limit: -1 }],
    ["half a limit", { query: "x", limit: 1.5 }],
    ["a limit in quotes", { query: "x", limit: "5" }],
    ["an end before its beginning", { query: "x", since: "2026-03-02", until: "2026-03-01" }],
  ])("with %s is a 400", async (_name, input) => {
    expect((await http.reply(smartSearch, input)).status).toBe(400);
  });

  test("without a match returns no results, which is no error", async () => {
    const reply = await http.reply(smartSearch, { query: "unicorn" });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: true,
      mode: "compact",
      results: [],
      totalCount: 0,
      streams: ["keyword"],
    });
  });

  test.each([
    '"',
    "a AND",
    "NEAR(",
    "* OR",
    "col:x",
    "-",
    "(((",
    "'; DROP TABLE memories; --",
    "\u{1F642}",
    "\\",
    "^x",
    "{a}",
  ])("of %j is not taken for search syntax", async (query) => {
    await remembered("a heron near the col");
    expect((await http.reply(smartSearch, { query })).status).toBe(200);
    expect((await http.reply(fullSearch, { query })).status).toBe(200);
  });
});
