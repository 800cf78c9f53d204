import { describe, expect, test } from "vitest";
import { evolve, forget } from "../../src/knowledge/memories/operations.ts";
import { fullSearch, smartSearch } from "../../src/recall/search/operations.ts";
import { dayMs } from "../../src/time/durations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { searchSteps } from "../support/search-steps.ts";

const http = forEachTest(openTestHttp);

const { found, observed, remembered, smart } = searchSteps(() => http);

describe("search ranking", () => {
  test("returns at most three results of a session, and does not fill up", async () => {
    for (let number = 0; number < 6; number += 1) await observed(`heron number ${number}`);
    const other = await observed("heron elsewhere", { sessionId: "s2" });
    const reply = await http.reply(smartSearch, { query: "heron" });
    const ids = (reply.body.results as { sessionId: string; obsId: string }[]).map(
      ({ sessionId }) => sessionId,
    );
    expect(ids.filter((id) => id === "s1")).toHaveLength(3);
    expect(reply.body.totalCount).toBe(4);
    expect(await found("heron")).toContain(other);
  });

  test("returns a tool call once, as its end, though its start was observed too", async () => {
    const call = { toolName: "Bash", toolInput: { command: "npm run heron" } };
    await observed("", { hookType: "pre_tool_use", data: call });
    const end = await observed("", {
      hookType: "post_tool_use",
      data: { ...call, toolOutput: { stdout: "a long tale of many other things ".repeat(10) } },
    });
    expect(await found("heron")).toEqual([end]);
  });

  test("returns runs of a command that ended alike once, as the best, with how many there are more", async () => {
    const ran = (minute: number, description: string, output: object) =>
      observed("", {
        hookType: "post_tool_use",
        timestamp: `2026-03-01T10:0${minute}:00Z`,
        data: { toolName: "Bash", toolInput: { command: "npm run heron", description }, ...output },
      });
    const wading = await ran(1, "Count herons", { toolOutput: { stdout: "a heron was wading" } });
    await ran(2, "Count the herons", { toolOutput: { stdout: "a heron was seen" } });
    const failed = await ran(3, "Count herons", { toolOutput: { stdout: "no heron", exitCode: 1 } });
    await ran(4, "Count herons again", { toolOutput: { stdout: "a heron was seen again" } });
    const hits = await smart("heron wading");
    expect(hits.map(({ obsId, moreRuns }) => [obsId, moreRuns])).toEqual([
      [wading, 2],
      [failed, undefined],
    ]);
  });

  test("adds a bonus for the strength of a memory and the importance of an observation", async () => {
    const ids = [
      await remembered("herons nest"),
      await observed("herons nest"),
      await observed("From now on herons nest.", { sessionId: "s2" }),
    ];
    http.advance(100 * dayMs);
    const expanded = await smart("", { expandIds: ids });
    const quality = expanded.map(({ memory, observation }) =>
      memory === undefined ? ((observation?.importance ?? 0) - 1) / 9 : memory.strength,
    );
    expect(new Set(quality).size).toBe(3);
    const hits = await smart("herons", { explain: true });
    const bonus = new Map(hits.map(({ obsId, explanation }) => [obsId, explanation?.bonuses.quality]));
    for (const [at, id] of ids.entries()) expect(bonus.get(id)).toBeCloseTo(0.0005 * (quality[at] ?? 0), 7);
  });

  test("names the later hit that replaces what one decided", async () => {
    const asked = (day: number, prompt: string) =>
      observed("", {
        hookType: "prompt_submit",
        sessionId: `of day ${day}`,
        timestamp: `2026-02-0${day}T10:00:00Z`,
        data: { prompt },
      });
    const kafka = await asked(1, "The positions need a broker. Let's use Kafka for the positions.");
    await asked(2, "The positions are sent twice by the broker, why?");
    await remembered("Kafka is used for the positions of the broker's archive");
    http.advance(dayMs);
    const rabbit = await remembered("Use RabbitMQ for the positions instead of Kafka.");
    const query = "broker for the positions, Kafka or RabbitMQ";
    const hits = await smart(query);
    expect(hits).toHaveLength(4);
    const replaced = hits.filter(({ replacedBy }) => replacedBy !== undefined);
    expect(replaced.map(({ obsId, replacedBy }) => [obsId, replacedBy])).toEqual([[kafka, rabbit]]);
    const marks = (results: readonly Readonly<Record<string, unknown>>[]) =>
      results.map(({ match, replacedBy }) => [match, replacedBy]);
    for (const format of ["full", "compact"])
      expect(marks((await http.ok(fullSearch, { query, format })).results)).toEqual(marks(hits));
    const { results } = await http.ok(fullSearch, { query, format: "narrative" });
    expect(results).toMatchObject(
      hits.map(({ replacedBy }) => (replacedBy === undefined ? {} : { replacedBy })),
    );
  });

  test("names what replaces a decision even if that is not among the results", async () => {
    const asked = (day: number, prompt: string) =>
      observed(prompt, { sessionId: `of day ${day}`, timestamp: `2026-02-0${day}T10:00:00Z` });
    const kafka = await asked(1, "Let's use Kafka for the positions, with seven partitions.");
    const rabbit = await asked(2, "Use RabbitMQ for the positions instead of Kafka.");
    const query = "Kafka with seven partitions";
    expect(await smart(query, { limit: 1 })).toMatchObject([{ obsId: kafka, replacedBy: rabbit }]);
    const { results } = await http.ok(fullSearch, { query, limit: 1 });
    expect(results).toMatchObject([{ replacedBy: rabbit }]);
  });

  test("names what replaces the decision of a long text, and of the answer to a prompt", async () => {
    const of = (day: number, hookType: string, data: object) =>
      observed("", { hookType, sessionId: `of day ${day}`, timestamp: `2026-02-0${day}T10:00:00Z`, data });
    const asked = await of(1, "prompt_submit", { prompt: "Which broker do the positions need?" });
    for (const file of ["a.ts", "b.ts", "c.ts"])
      await of(1, "post_tool_use", { toolName: "Read", toolInput: { file_path: file } });
    await of(1, "stop", { message: "We decided to use Kafka." });
    const long = await of(2, "stop", {
      message: `We decided to use Kafka as broker. ${"It keeps them for a week. ".repeat(20)}`,
    });
    const rabbit = await remembered("Use RabbitMQ as broker instead of Kafka.");
    const replacing = async (query: string, hit: string) =>
      (await smart(query, { limit: 3 })).find(({ obsId }) => obsId === hit)?.replacedBy;
    expect(await replacing("which broker do the positions need", asked)).toBe(rabbit);
    expect(await replacing("broker that keeps them for a week", long)).toBe(rabbit);
  });

  test("shows with a prompt what the agent answered at the end of its work, unless that was found, too", async () => {
    let minute = 10;
    const told = (hookType: string, data: object, sessionId = "of the charges") =>
      observed("", { hookType, sessionId, timestamp: `2026-02-28T10:${minute++}:00Z`, data });
    const work = () => told("post_tool_use", { toolName: "Read", toolInput: { file_path: "src/ledger.ts" } });
    const asked = await told("prompt_submit", { prompt: "Customers were charged twice, find out why." });
    for (let call = 0; call < 4; call++) await work();
    const answer = await told("stop", { message: "Stripe repeats an event after a timeout of ten seconds." });
    const old = "of the old plan";
    const again = await told(
      "prompt_submit",
      { prompt: "Were customers of the old plan charged, too?" },
      old,
    );
    await told("prompt_submit", { prompt: "Never mind" }, old);
    await told("stop", { message: "Nobody on the old plan has paid anything." }, old);
    const answers = (results: readonly { readonly obsId?: string; readonly answer?: object | undefined }[]) =>
      Object.fromEntries(results.map(({ obsId = "", answer }) => [obsId, answer]));
    const refund = await told(
      "prompt_submit",
      { prompt: "Refund the customers who were charged" },
      "refunds",
    );
    await told("stop", { message: "Done." }, "refunds");
    const shown = { obsId: answer, narrative: "Stripe repeats an event after a timeout of ten seconds." };
    expect(answers(await smart("customers charged"))).toEqual({
      [asked]: shown,
      [again]: undefined,
      [refund]: undefined,
    });
    expect(answers(await smart("customers charged, stripe repeats an event"))).toEqual({
      [asked]: undefined,
      [answer]: undefined,
      [again]: undefined,
      [refund]: undefined,
    });
    const inFormat = async (format: string, tokenBudget = 1_000) =>
      (await http.ok(fullSearch, { query: "customers charged twice", format, tokenBudget })).results;
    for (const format of ["full", "compact", "narrative"])
      expect(await inFormat(format)).toContainEqual(expect.objectContaining({ answer: shown }));
    const [bare] = await inFormat("compact", 130);
    expect(bare).toMatchObject({ obsId: asked });
    expect(bare).not.toHaveProperty("answer");
  });

  test("prefers the time that the query names, without hiding other times", async () => {
    const yesterday = await observed("the heron build failed", { timestamp: "2026-02-28T12:00:00Z" });
    const earlier = await observed("the heron build failed again", {
      timestamp: "2026-02-20T12:00:00Z",
      sessionId: "s2",
    });
    expect(await found("heron build failed")).toContain(earlier);
    expect(await found("which heron build failed yesterday")).toEqual([yesterday, earlier]);
    expect(await found("which heron build failed on 20 February")).toEqual([earlier, yesterday]);
  });

  test.each([
    ["yesterday()", "the helper yesterday() gives midnight", "the wren helper gives noon"],
    ["today.ts", "calendars are in src/dates/today.ts", "wrens are in ts, other.ts, src/ts"],
    ["least-recently-used", "entries go least-recently-used first", "the least used go first"],
  ])("takes a name such as %s for a name, not for a time", async (query, named, other) => {
    const wanted = await remembered(named);
    http.advance(20 * dayMs);
    await remembered(other);
    expect((await found(query))[0]).toBe(wanted);
  });

  test("for a time alone leaves out session starts and ends, and puts what says little last", async () => {
    const at = (time: string, hookType: string) =>
      observed("", {
        hookType,
        data: { source: "startup", reason: "exit" },
        timestamp: `2026-02-28T${time}Z`,
      });
    await at("09:00:00", "session_start");
    const work = await observed("the heron build failed", { timestamp: "2026-02-28T10:00:00Z" });
    const thanks = await observed("", {
      hookType: "prompt_submit",
      data: { prompt: "thx" },
      timestamp: "2026-02-28T10:30:00Z",
    });
    const done = await observed("", {
      hookType: "stop",
      data: { message: "All done." },
      timestamp: "2026-02-28T10:40:00Z",
    });
    await at("11:00:00", "session_end");
    expect(await found("what did I do yesterday")).toEqual([work, done, thanks]);
    expect(await found("session end")).toHaveLength(2);
  });

  test.each([
    "what did we decide last week?",
    "decisions of last week",
    "was haben wir letzte Woche entschieden",
    "qué decidimos la semana pasada",
  ])("for %s returns what was decided then", async (query) => {
    const at = (timestamp: string, sessionId: string) => ({ timestamp, sessionId });
    await observed("We decided to count herons. What did we decide?", at("2026-01-10T10:00:00Z", "s2"));
    await observed("What did we decide about wrens last week?", at("2026-02-20T09:00:00Z", "s3"));
    await observed("the heron build failed", at("2026-02-20T10:00:00Z", "s4"));
    const then = await observed("From now on, wrens are counted twice.", at("2026-02-20T11:00:00Z", "s5"));
    expect(await found(query)).toEqual([then]);
    http.advance(30 * dayMs);
    expect(await found(query)).not.toEqual([then]);
  });

  test("for decisions of a time also returns the memories of that time", async () => {
    const decided = await observed("From now on, wrens are counted twice.", { sessionId: "s2" });
    await observed("the heron build failed", { sessionId: "s3" });
    const kept = await remembered("Herons are counted at dawn");
    expect(new Set(await found("what did we decide today"))).toEqual(new Set([decided, kept]));
  });

  test.each([
    ["what went wrong last week", "failed"],
    ["which tests failed last week?", "failed"],
    ["Welche Fehler gab es letzte Woche?", "failed"],
    ["qué errores hubo la semana pasada", "failed"],
    ["quelles erreurs la semaine dernière", "failed"],
    ["какие ошибки были на прошлой неделе", "failed"],
    ["上周有什么错误", "failed"],
    ["what did I commit last week", "committed"],
    ["Was haben wir letzte Woche committet?", "committed"],
    ["which files did I change last week?", "changed"],
    ["Welche Dateien habe ich letzte Woche geändert?", "changed"],
    ["qué archivos modificamos la semana pasada", "changed"],
    ["quels fichiers la semaine dernière", "changed"],
    ["какие файлы я менял на прошлой неделе", "changed"],
    ["上周改了哪些文件", "changed"],
  ] as const)("for %j returns what then %s first", async (query, wanted) => {
    const ran = (timestamp: string, command: string, exitCode: number) =>
      observed("", {
        hookType: "post_tool_use",
        sessionId: timestamp,
        timestamp,
        data: { toolName: "Bash", toolInput: { command }, toolOutput: { stdout: "14 herons", exitCode } },
      });
    await ran("2026-01-10T10:00:00Z", "npm run wrens", 1);
    await ran("2026-01-10T11:00:00Z", "git commit -m 'Count wrens'", 0);
    await ran("2026-02-20T08:00:00Z", "npm run herons", 0);
    await ran("2026-02-20T09:00:00Z", "grep -rn heron src", 1);
    await observed("never commit files with errors", { timestamp: "2026-02-20T09:30:00Z", sessionId: "s2" });
    const edit = {
      toolName: "Edit",
      toolInput: { file_path: "herons.ts", old_string: "1", new_string: "2" },
    };
    const hits = {
      changed: await observed("", {
        hookType: "post_tool_use",
        sessionId: "s3",
        timestamp: "2026-02-20T09:40:00Z",
        data: edit,
      }),
      failed: await ran("2026-02-20T10:00:00Z", "npm run herons", 2),
      committed: await ran("2026-02-20T11:00:00Z", "git commit -m 'Count herons'", 0),
    };
    const [first] = await smart(query);
    expect(first?.obsId).toBe(hits[wanted]);
  });

  test("for errors of a time also returns those that were only told", async () => {
    const at = (timestamp: string, sessionId: string) => ({ timestamp, sessionId });
    const told = await observed("the login crashed with a 500", at("2026-02-20T09:00:00Z", "s2"));
    await observed("the cart crashed", at("2026-01-20T09:00:00Z", "s3"));
    const failed = await observed("", {
      hookType: "post_tool_use",
      ...at("2026-02-20T10:00:00Z", "s4"),
      data: { toolName: "Bash", toolInput: { command: "npm test" }, toolOutput: { stdout: "", exitCode: 1 } },
    });
    expect(await found("what crashed last week")).toEqual([failed, told]);
  });

  test.each([
    "2026-02-28",
    "yesterday",
    "what happened yesterday?",
    "what did we do on 28 February",
    "what changed on 2026-02-28?",
    "what did we work on yesterday",
    "show me everything from yesterday",
  ])("for a time alone, as in %s, returns what happened then", async (query) => {
    const early = await observed("the heron build failed", {
      timestamp: "2026-02-28T10:00:00Z",
      sessionId: "s2",
    });
    const late = await observed("28 wrens were counted", { timestamp: "2026-02-28T12:00:00Z" });
    await observed("28 wrens were counted again", { timestamp: "2026-02-20T12:00:00Z", sessionId: "s3" });
    await observed("work on changes of everything", { timestamp: "2026-02-20T13:00:00Z", sessionId: "s4" });
    expect(await found(query)).toEqual([late, early]);
    expect(await found(query, { project: "elsewhere" })).toEqual([]);
    expect(await found(query, { since: "2026-02-28T11:00:00Z" })).toEqual([late]);
    expect(await found(query, { until: "2026-02-28T11:00:00Z" })).toEqual([early]);
    expect(await found(query, { until: "2026-02-01" })).toEqual([]);
    expect(await found(query, { until: "2026-02-28" })).toEqual([late, early]);
    const named = await remembered(
      "Nothing was deployed yesterday, 2026-02-28, nor on any other February day",
    );
    http.advance(2 * dayMs);
    for (const of of query.includes("yesterday") ? ["the wrens", "an owl", "a stork"] : [])
      await remembered(`What happened yesterday concerns ${of}`);
    const later = query.includes("yesterday") ? "what happened before yesterday" : query;
    expect((await found(later)).slice(0, 3)).toEqual(expect.arrayContaining([named, late, early]));
  });

  test.each([
    ["December 24", "budget review on 2026-12-24"],
    ["24.12.2026", "budget review on 2026-12-24"],
    ["24 Dec 2026", "budget review on 12/24/2026"],
    ["24. Dezember", "budget review on December 24th"],
    ["2027-03-03", "die Kasse kommt am 3. März 2027"],
    ["March 3, 2027", "die Kasse kommt am 3.3.2027"],
    ["2027-07-04", "the contract ends July 4th, 2027"],
    ["4 July 2027", "see minutes/2027-07-04.md"],
    ["March 2025", "the polyfill is gone since 2025-03"],
  ])("for the date %j alone finds the text %j", async (query, content) => {
    for (const other of ["on 2019-11-25", "the 3rd of May 2027", "in March", "July 14th", "PAY-1224"])
      await remembered(`nothing is planned: ${other}`);
    const wanted = await remembered(content);
    expect((await found(query))[0]).toBe(wanted);
  });

  test("for a time alone in which nothing happened finds the texts that name it", async () => {
    const yesterday = await remembered("The helper yesterday() gives midnight");
    const week = await remembered("Reports of last week are sent on Mondays");
    await remembered("A week has seven days");
    http.advance(20 * dayMs);
    expect(await found("yesterday")).toEqual([yesterday]);
    expect((await found("last week"))[0]).toBe(week);
    expect(await found("last weekend")).toEqual([]);
    const long = await remembered(`${"Herons wade. ".repeat(60)}The cron job of yesterday() failed.`);
    http.advance(20 * dayMs);
    const passages = (await smart("yesterday")).map(({ obsId, passage }) => [obsId, passage]);
    expect(passages).toContainEqual([long, expect.stringContaining("cron job of yesterday() failed")]);
  });

  test.each([
    ["14.2.3", "heron is pinned to v14.2.3"],
    ["node v20", "node 20 is required"],
    ["JWT", "tokens are JWTs"],
    ["CSVs", "a vendor's CSV has tabs"],
    ["800ms", "wait for 800 ms"],
    ["250 ms", "the budget is 250ms"],
    ["45 minutes", "the lock ends after 45min"],
    ["waits 2 hours", "a retry comes 2h later"],
    ["2h", "the lock is released after 2 hours"],
    ["512 megabytes", "a file has at most 512MB"],
    ["ts 2345", "the compiler says TS2345"],
    ["pg16", "the store runs on postgres 16"],
    ["sanitiser", "the sanitizer comes first"],
    ["i18n", "internationalisation comes first"],
    ["authorisation", "authz comes first"],
    ["behaviour of the heron", "the behavior of birds"],
    ["timezone", "time zones are names such as Europe/Berlin"],
    ["plimit", "p-limit bounds the calls"],
    ["mono herons", "all code is in one monoheron"],
    ["Datenschutz", "wegen der Datenschutzvorgaben"],
    ["murmur", "users are spread by murmur3"],
    ["10000", "at most 10,000 rows"],
    ["10k", "at most 10,000 rows"],
    ["5.000 rows", "the limit is 5,000"],
    ["25,000", "the cache holds 25000 entries"],
    ["25k", "the cache holds 25.000 entries"],
    ["1,000,000", "MAX_BATCH is 1_000_000"],
    ["10k", "au plus 10 000 lignes"],
    ["5M", "the tenant has 5 million users"],
    ["5 million", "the tenant has 5M users"],
    ["5M", "the tenant has 5,000,000 users"],
    ["1500ms", "the gateway waits for 1.5 seconds"],
    ["1.5s", "the gateway waits for 1500ms"],
    ["512MB", "the pod has 512Mi"],
    ["2 KiB", "headers have at most 2KB"],
    ["5 minutes", "poll every 5 min"],
    ["2 megabytes", "payloads have at most 2 MB"],
    ["4GB", "the heap has 4 gigabytes"],
    ["http2", "the proxy speaks HTTP/2"],
    ["step3", "it ends with step_3"],
    ["adr17", "see ADR-017"],
    ["ADR 17", "see ADR-017"],
    ["ADR-0017", "see ADR-17"],
    ["pull", "small PRs are better"],
    ["tls1.2", "printers speak TLSv1.2"],
    ["8007000E", "0x8007000e means a full disk"],
    ["20.11.1", "CI is pinned to node 20.11"],
  ])("for %j finds the text %j", async (query, content) => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang`, { sessionId: `s${number}` });
    const wanted = await remembered(content);
    expect(await found(query)).toEqual([wanted]);
  });

  test.each(["2h", "2 hours", "is the lock released after 2h"])(
    "for %j a text with that count comes before those with another",
    async (query) => {
      const wanted = await remembered("herons: the lock is released after 2 hours, as the warden said");
      for (const bird of ["wrens", "owls", "storks"])
        await remembered(`${bird}: lock released after 3 hours`);
      expect((await found(query))[0]).toBe(wanted);
    },
  );

  test.each(["v99.1.7", "a bluebird"])("for %j marks partial matches as weak", async (query) => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang`, { sessionId: `s${number}` });
    for (const content of ["a bird", "blue", "number 99"]) await remembered(content);
    for (const { match } of await smart(query)) expect(match).toBe("weak");
  });

  test("marks a hit that shares few words with the query as weak, and a full match as strong", async () => {
    await remembered("the heron stands in the wetland at dawn");
    await remembered("dawn comes late in winter");
    const hits = await smart("heron in the wetland at dawn with seven unseen quokkas");
    expect(hits.map(({ match }) => match)).toEqual(["strong", "weak"]);
  });

  test("marks a hit with another ticket number as weak, and with the same one as strong", async () => {
    for (let number = 100; number < 160; number += 1)
      await observed(`wren ${number} sang`, { sessionId: `s${number}` });
    await remembered("HERON-1423: nests are counted anew");
    const tiers = async (query: string) => (await smart(query)).map(({ match }) => match);
    expect(await tiers("HERON-1423")).toEqual(["strong"]);
    expect(await tiers("heron 1423")).toEqual(["strong"]);
    expect(await tiers("HERON-9999")).toEqual(["weak"]);
    expect(await tiers("the heron of HERON-9999")).toEqual(["strong"]);
  });

  test.each([
    ["issue 482", "issue 999", "issue 482: nests are counted anew"],
    ["port 6380", "port 7001", "the cache listens on port 6380"],
    ["version 1.2", "version 1.7", "herons came with version 1.2"],
    ["pull request #77", "pull request #78", "nests are counted since pull request #77"],
  ])(
    "marks a hit as strong for %j, which it contains, and as weak for %j",
    async (written, unwritten, content) => {
      for (let number = 100; number < 160; number += 1)
        await observed(`wren ${number} sang on ${number}.2`, { sessionId: `s${number}` });
      await remembered(content);
      const tiers = async (query: string) => (await smart(query)).map(({ match }) => match);
      expect(await tiers(written)).toEqual(["strong"]);
      expect(await tiers(unwritten)).toEqual(["weak"]);
    },
  );

  test("for a query with only one known, frequent word returns nothing, or weak hits by the graph", async () => {
    for (let number = 0; number < 60; number += 1) {
      await observed(`server started, take ${number}`, { sessionId: `s${number}` });
    }
    const reply = await http.reply(smartSearch, {
      query: "which quokka ate the manual of the server room",
      explain: true,
    });
    const hits = reply.body.results as { match: string; explanation: { streams: object } }[];
    for (const { match, explanation } of hits) {
      expect(match).toBe("weak");
      expect(Object.keys(explanation.streams)).toEqual(["graph"]);
    }
  });

  describe("for other words than those of the text", () => {
    const chosen = "We chose Postgres over MySQL, because of JSONB";

    test("finds a tool by its kind, as a strong match, after texts with the kind's own word", async () => {
      const named = await remembered(chosen);
      const kind = await remembered("the database is backed up every night");
      const hits = await smart("which database do we use");
      expect(hits.map(({ obsId, match }) => [obsId, match])).toEqual([
        [kind, "strong"],
        [named, "strong"],
      ]);
      expect(await found("package manager")).toEqual([]);
    });

    test("finds synonyms, if nothing matches strongly, as weaker matches", async () => {
      const wanted = await remembered("teammates are paged when checkout stops");
      expect(await smart("wake a colleague")).toMatchObject([{ obsId: wanted, match: "weak" }]);
      expect(await smart("colleague")).toMatchObject([{ obsId: wanted, match: "strong" }]);
    });

    test("looks for no synonyms where something matches strongly", async () => {
      await remembered("old snapshots are deleted after a week");
      const exact = await remembered("who may remove a snapshot is written in the handbook");
      expect(await found("remove handbook")).toEqual([exact]);
    });

    test.each([
      ["verifonne", "the Verifone terminals are old"],
      ["why are the componets slow", "components are loaded late"],
      ["очередб", "очередь не перезапускать"],
      ["pagamenti", "il modulo di pagamento"],
      ["ruckerstatungen", "Rückerstattungen prüft der Teamleiter"],
    ])("finds for the mistyped %j the text %j, unless another text has it so", async (query, content) => {
      const wanted = await remembered(content);
      expect(await smart(query)).toMatchObject([{ obsId: wanted, match: "weak" }]);
      const written = await remembered(`here we wrote ${query}`);
      expect(await found(query)).toEqual([written]);
    });

    test.each([
      ["ratelimit", "the rate limit is low"],
      ["oncall", "who is on-call"],
      ["groesse", "die Größe der Bilder"],
    ])("finds for %j, which another project contains, in this one the text %j", async (query, content) => {
      await remembered(`the ${query} itself`, { project: "elsewhere" });
      const wanted = await remembered(content, { project: "shop" });
      expect(await found(query, { project: "shop" })).toEqual([wanted]);
    });

    test("takes no word for another that begins differently", async () => {
      await remembered("the locker is at the door");
      expect(await found("docker")).toEqual([]);
    });

    test("whole texts are searched for their own words", async () => {
      await remembered(chosen);
      const long =
        "alder birch cedar elder fir hazel juniper larch maple oak pine rowan spruce willow yew elm";
      expect(await found(`database ${long}`)).toEqual([]);
    });
  });

  test("counts a memory towards the limit of its first source session", async () => {
    for (let number = 0; number < 3; number += 1) await observed(`heron number ${number}`);
    await remembered("heron heron heron", { sessionId: "s1" });
    expect(await smart("heron")).toHaveLength(3);
  });

  test("prefers the named session", async () => {
    const near = await observed("heron by the lake", { sessionId: "near", timestamp: "2026-01-01" });
    const far = await observed("heron by the lake", { sessionId: "far", timestamp: "2026-03-01" });
    expect(await found("heron lake")).toEqual([far, near]);
    expect(await found("heron lake", { sessionId: "near" })).toEqual([near, far]);
    expect(await found("heron lake", { sessionId: "nobody" })).toEqual([far, near]);
  });

  test("prefers the folder of the request in full search", async () => {
    const inside = await observed("heron by the lake", {
      sessionId: "a",
      cwd: "/w/in/deep",
      timestamp: "2026-01-01",
    });
    const outside = await observed("heron by the lake", {
      sessionId: "b",
      cwd: "/w/inside",
      timestamp: "2026-03-01",
    });
    const order = async (cwd?: string) =>
      (await http.ok(fullSearch, { query: "heron lake", format: "compact", cwd })).results.map((hit) =>
        "obsId" in hit ? hit.obsId : "",
      );
    expect(await order()).toEqual([outside, inside]);
    expect(await order("/w/in")).toEqual([inside, outside]);
  });

  test("resolves relative files of a memory in its project, and understands Windows paths", async () => {
    const api = await remembered("heron notes", { project: "/w/shop", files: ["api/heron.ts"] });
    const web = await remembered("heron plans", { project: "C:\\w\\shop", files: ["Web\\heron.ts"] });
    const first = async (cwd: string) => {
      const { results } = await http.ok(fullSearch, { query: "heron", format: "compact", cwd });
      return results.flatMap((hit) => ("obsId" in hit ? hit.obsId : []))[0];
    };
    expect(await first("/w/shop/api/")).toBe(api);
    expect(await first("c:\\w\\shop\\Web")).toBe(web);
  });

  test("puts an old exact match before newer texts that share a word with it", async () => {
    const exact = await remembered("MAX_HERON_COUNT is seven in production");
    http.advance(300 * dayMs);
    for (const topic of ["the count of invoices", "a max of ten seats", "count the max of both lists"])
      await remembered(topic, { sessionId: `s-${topic}` });
    const asking = { sessionId: "s-a max of ten seats" };
    expect((await found("MAX_HERON_COUNT", asking))[0]).toBe(exact);
    expect((await found("max heron count"))[0]).toBe(exact);
  });

  test("puts an old IP address before a newer text with one of its numbers", async () => {
    const address = await remembered("10.20.30.40 was the build machine", { project: "/w/shop" });
    http.advance(300 * dayMs);
    await remembered("call the office at 49 30 1234567", { project: "/w/shop" });
    const hits = await smart("10.20.30.40");
    expect(hits.map(({ match }) => match)).toEqual(["strong", "weak"]);
    expect(hits[0]?.obsId).toBe(address);
  });

  test("never returns superseded, deleted or expired memories", async () => {
    const old = await remembered("heron old");
    await http.ok(evolve, { memoryId: old, newContent: "stork new", newTitle: "stork" });
    const gone = await remembered("a heron that will be deleted soon");
    await http.ok(forget, { memoryId: gone });
    await remembered("heron of a day, which then is nobody's business", { ttlDays: 1 });
    http.advance(dayMs);
    expect(await found("heron")).toEqual([]);
  });

  test("returns as many hits as the limit, and counts all", async () => {
    for (let number = 0; number < 12; number += 1)
      await remembered(`heron ${"abcdefghijkl"[number]}${number}zz alone`, { project: `p${number}` });
    const reply = await http.reply(smartSearch, { query: "heron" });
    expect(reply.body.results).toHaveLength(10);
    expect(reply.body.totalCount).toBe(12);
    expect(await smart("heron", { limit: 100_000 })).toHaveLength(12);
    expect(await smart("heron", { limit: 2 })).toHaveLength(2);
  });

  test("can be limited to kinds of records and to a span of time", async () => {
    const memory = await remembered("heron");
    const early = await observed("heron", { timestamp: "2026-01-10", sessionId: "a" });
    const late = await observed("heron", { timestamp: "2026-02-10", sessionId: "b" });
    expect(await found("heron", { kinds: ["memory"] })).toEqual([memory]);
    expect(await found("heron", { kinds: ["observation"], until: "2026-01-31" })).toEqual([early]);
    expect(await found("heron", { since: "2026-02-01", until: "2026-02-28" })).toEqual([late]);
  });
});
