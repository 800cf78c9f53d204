import { afterEach, describe, expect, test, vi } from "vitest";
import { hourMs } from "../../time/durations.ts";
import { timeMeant } from "./time-words.ts";

/** A Sunday. */
const now = new Date(2026, 2, 15, 18, 30).getTime();

function march(day: number): number {
  return new Date(2026, 2, day).getTime();
}

/** First and last day that are meant, as month/day. */
function days(query: string, at = now): string | undefined {
  const meant = timeMeant(query, at);
  if (meant === undefined) return undefined;
  const shown = (time: number) => {
    const date = new Date(time);
    const day = `${date.getMonth() + 1}/${date.getDate()}`;
    return date.getFullYear() === 2026 ? day : `${date.getFullYear()}/${day}`;
  };
  return `${shown(meant.since)} to ${shown(meant.until)}`;
}

describe("the time that a query means", () => {
  test.each([
    ["what broke yesterday", "3/14 to 3/14"],
    ["what broke the day before yesterday", "3/13 to 3/13"],
    ["what did we do today", "3/15 to 3/15"],
    ["what failed 3 days ago", "3/12 to 3/12"],
    ["what failed three days ago", "3/12 to 3/12"],
    ["what failed a couple of days ago", "3/13 to 3/13"],
    ["what failed a few days ago", "3/12 to 3/12"],
    ["what failed few days ago", "3/12 to 3/12"],
    ["what did we do in the last few days", "3/12 to 3/15"],
    ["errors of the past few weeks", "2/22 to 3/15"],
    ["what failed in the last 24h", "3/14 to 3/15"],
    ["what failed within the last 24 hrs", "3/14 to 3/15"],
    ["decisions of the past 7d", "3/8 to 3/15"],
    ["errors of the last 30 min", "3/15 to 3/15"],
    ["what changed over the last couple of days", "3/13 to 3/15"],
    ["was haben wir in den letzten Tagen gemacht", "3/8 to 3/15"],
    ["die Fehler der letzten paar Tage", "3/12 to 3/15"],
    ["what did we do a year ago today", "2025/3/15 to 2025/3/15"],
    ["what failed in the last 20 hours", "3/14 to 3/15"],
    ["幾天前的錯誤", "3/12 to 3/12"],
    ["两年前的决定", "2023/9/17 to 2024/9/11"],
    ["the decision two years ago", "2023/9/17 to 2024/9/11"],
    ["the outage a week ago", "3/5 to 3/11"],
    ["the outage one week ago", "3/5 to 3/11"],
    ["the outage last week", "3/2 to 3/8"],
    ["the outage this week", "3/9 to 3/15"],
    ["THE OUTAGE LAST WEEK", "3/2 to 3/8"],
    ["İstanbul outage Last Week", "3/2 to 3/8"],
    ["errors of the past two weeks", "3/1 to 3/15"],
    ["decisions last month", "2/1 to 2/28"],
    ["what failed on Wednesday", "3/11 to 3/11"],
    ["what failed on Sunday", "3/15 to 3/15"],
    ["what failed last Sunday", "3/8 to 3/8"],
    ["what failed last Saturday", "3/14 to 3/14"],
    ["der Fehler vom letzten Sonntag", "3/8 to 3/8"],
    ["what broke day before yesterday", "3/13 to 3/13"],
    ["errors of the last 30 minutes", "3/15 to 3/15"],
    ["Fehler in der letzten Stunde", "3/15 to 3/15"],
    ["三十分鐘前的錯誤", "3/15 to 3/15"],
    ["the fix of yesterday, step 3 may fail and this may be why", "3/14 to 3/14"],
    ["what we decided on 5 May in the meeting", "2025/5/5 to 2025/5/5"],
    ["what we decided on 29 February", "2024/2/29 to 2024/2/29"],
    ["was am 29. Februar beschlossen wurde", "2024/2/29 to 2024/2/29"],
    ["the outage last May", "2025/5/1 to 2025/5/31"],
    ["the release in January", "1/1 to 1/31"],
    ["the release in November", "2025/11/1 to 2025/11/30"],
    ["the release in November 2024", "2024/11/1 to 2024/11/30"],
    ["the meeting on 3 March", "3/3 to 3/3"],
    ["the meeting on March 3rd, 2025", "2025/3/3 to 2025/3/3"],
    ["the meeting of the 24th of December", "2025/12/24 to 2025/12/24"],
    ["what changed on 2026-02-28", "2/28 to 2/28"],
    ["was wurde am 28.02.2026 geändert?", "2/28 to 2/28"],
    ["что сломалось 3.3.2026", "3/3 to 3/3"],
    ["2026年3月1日改了什么", "3/1 to 3/1"],
    ["2026년 3월 1일에 바뀐 것", "3/1 to 3/1"],
    ["昨天做了什麼", "3/14 to 3/14"],
    ["Was ist gestern kaputtgegangen?", "3/14 to 3/14"],
    ["der Fehler von heute", "3/15 to 3/15"],
    ["der Fehler von vorgestern", "3/13 to 3/13"],
    ["Ausfall vor drei Tagen", "3/12 to 3/12"],
    ["Ausfall vor einer Woche", "3/5 to 3/11"],
    ["die Entscheidung letzte Woche", "3/2 to 3/8"],
    ["die Entscheidung letztes Jahr", "2025/1/1 to 2025/12/31"],
    ["Ausfälle in den letzten 3 Tagen", "3/12 to 3/15"],
    ["seit letzter Woche", "3/2 to 3/15"],
    ["Entscheidungen im Januar", "1/1 to 1/31"],
    ["Änderungen seit März", "3/1 to 3/15"],
    ["Release am 3. März", "3/3 to 3/3"],
    ["was wir am Montag entschieden", "3/9 to 3/9"],
    ["was wir am Sonnabend entschieden", "3/14 to 3/14"],
    ["der Ausfall vom letzten Sonnabend", "3/14 to 3/14"],
    ["前天的登入問題", "3/13 to 3/13"],
    ["大前天", "3/12 to 3/12"],
    ["今天早上改的設定", "3/15 to 3/15"],
    ["三天前的錯誤", "3/12 to 3/12"],
    ["3天之前失败的测试", "3/12 to 3/12"],
    ["兩個月前", "2025/12/31 to 1/30"],
    ["上週的部署", "3/2 to 3/8"],
    ["上个星期的部署", "3/2 to 3/8"],
    ["這禮拜改了哪些檔案", "3/9 to 3/15"],
    ["上週三的會議", "3/4 to 3/4"],
    ["上上週的部署", "2/23 to 3/1"],
    ["上上个星期三的会议", "2/25 to 2/25"],
    ["上上週日", "3/1 to 3/1"],
    ["上上個月的決定", "1/1 to 1/31"],
    ["上上週末的部署", "2/28 to 3/1"],
    ["這週日", "3/15 to 3/15"],
    ["星期三改了什麼", "3/11 to 3/11"],
    ["過去兩週的錯誤", "3/1 to 3/15"],
    ["最近三天內", "3/12 to 3/15"],
    ["上個月的決定", "2/1 to 2/28"],
    ["去年的決定", "2025/1/1 to 2025/12/31"],
    ["十一月的發佈", "2025/11/1 to 2025/11/30"],
    ["2月份的發佈", "2/1 to 2/28"],
    ["3月3日的測試失敗", "3/3 to 3/3"],
    ["十二月二十四號", "2025/12/24 to 2025/12/24"],
    ["2026年二月三日", "2/3 to 2/3"],
    ["最近有什麼進展", "3/8 to 3/15"],
    ["anything new recently", "3/8 to 3/15"],
    ["what broke last weekend?", "3/7 to 3/8"],
    ["the deploys over the weekend", "3/14 to 3/15"],
    ["what was deployed at the weekend and failed", "3/14 to 3/15"],
    ["der Ausfall am Wochenende", "3/14 to 3/15"],
    ["der Ausfall vom letzten Wochenende", "3/7 to 3/8"],
    ["was ging letztes Wochenende kaputt", "3/7 to 3/8"],
    ["seit dem Wochenende", "3/14 to 3/15"],
    ["上週末的部署", "3/7 to 3/8"],
    ["这个周末改了什么", "3/14 to 3/15"],
    ["the release of the November 2025 build", "2025/11/1 to 2025/11/30"],
    ["Feb 2026 outage", "2/1 to 2/28"],
    ["invoices, may 2025", "2025/5/1 to 2025/5/31"],
    ["Ausfälle Dezember 2025", "2025/12/1 to 2025/12/31"],
    ["die Störung vom 24.12.", "2025/12/24 to 2025/12/24"],
    ["was wir am 3.3. entschieden", "3/3 to 3/3"],
    ["am Dienstag, den 10.3., im Meeting", "3/10 to 3/10"],
    ["Fehler vom 1.3. bis zum 5.3.", "3/1 to 3/5"],
    ["Fehler vom 1.3.2026 bis 5.3.2026", "3/1 to 3/5"],
    ["did today.ts change (today)?", "3/15 to 3/15"],
    ["what broke ...yesterday.", "3/14 to 3/14"],
  ])("of %j is %s", (query, span) => {
    expect(days(query)).toBe(span);
  });

  test.each([
    [[2026, 2, 29], "decisions last month", "2/1 to 2/28"],
    [[2026, 2, 31], "decisions last month", "2/1 to 2/28"],
    [[2026, 2, 31], "decisions of the previous month", "2/1 to 2/28"],
    [[2026, 2, 31], "decisions this month", "3/1 to 3/31"],
    [[2026, 6, 31], "decisions last month", "6/1 to 6/30"],
    [[2026, 2, 31], "the outage a month ago", "2/13 to 3/15"],
    [[2026, 2, 31], "errors of the past 4 months", "2025/11/30 to 3/31"],
    [[2028, 1, 29], "errors of the past two years", "2/28 to 2028/2/29"],
    [[2028, 1, 29], "decisions last year", "2027/1/1 to 2027/12/31"],
  ] as const)("on a day that not every month has, %j, %j is %s", ([year, month, day], query, span) => {
    expect(days(query, new Date(year, month, day, 12).getTime())).toBe(span);
  });

  test("of a weekday alone is in the past, with this week it may be in the future", () => {
    const wednesday = new Date(2026, 2, 11, 12).getTime();
    for (const query of ["what failed on Friday", "was am Freitag ausfiel", "星期五改了什麼"])
      expect(days(query, wednesday)).toBe("3/6 to 3/6");
    expect(days("這週五", wednesday)).toBe("3/13 to 3/13");
  });

  test.each([
    ["what changed since 2026-03-10", march(10), now],
    ["what changed after March 10", march(11) - 1, now],
    ["how was it before 2026-03-10", 0, march(10)],
    ["how was it until last week", 0, march(2)],
    ["wie war es vor letzter Woche", 0, march(2)],
    ["wie war es vor dem 10. März", 0, march(10)],
    ["wie war es vor Montag", 0, march(9)],
    ["what changed since the weekend", march(14), now],
    ["how was it before last weekend", 0, march(7)],
    ["wie war es vor dem Wochenende", 0, march(14)],
    ["Änderungen seit dem 3.3.", march(3), now],
    ["what changed since March 2026", march(1), now],
    ["what changed in the last hour", now - hourMs, march(16) - 1],
    ["Fehler der letzten Stunde", now - hourMs, march(16) - 1],
    ["3月10日之後改了什麼", march(11) - 1, now],
    ["上週以前的設定", 0, march(2)],
    ["what happened between Monday and Wednesday", march(9), march(12) - 1],
    ["what happened from Friday to Monday", march(6), march(10) - 1],
    ["errors between 2026-03-01 and 2026-03-05 in CI", march(1), march(6) - 1],
    ["errors from March 5th to the 1st of March", march(1), march(6) - 1],
    ["from 3 days ago until yesterday", march(12), march(15) - 1],
    ["was wir von Montag bis Mittwoch gemacht haben", march(9), march(12) - 1],
    ["Fehler vom 1. März bis zum 5. März", march(1), march(6) - 1],
    ["from November to January", new Date(2025, 10, 1).getTime(), new Date(2026, 1, 1).getTime() - 1],
    ["星期三以來", march(11), now],
  ])("of %j begins or ends at the time it names", (query, since, until) => {
    expect(timeMeant(query, now)).toMatchObject({ since, until });
  });

  test.each([
    "may the unsigned build be published",
    "march through the list",
    "the sun is out",
    "a second pass",
    "how long ago is undefined",
    "on 2026-02-30",
    "on 30.02.2026, in 10.3.2026.1, v1.2.2026 and 2026年13月1日",
    "die man once avril sept último mes",
    "the last two retries",
    "step 3 may fail, this may be a race, the last may never run",
    "a last minute change",
    "線上週報 每週一次 一周三次 下週三 最近鄰搜尋 最近最少使用 第三天前 三個月 每月",
    "2月30日, 13月",
    "errors between 2026-02-31 and 2026-03-05",
    "version 3.14",
    "we are on 3.12. The build passes with 1.2.",
    "who is on the weekend rota",
    "weekend batch job, weekend-job, runs on weekends",
    "der Wochenenddienst und das Wochenende, 每週末",
    "march 2048 times",
    "am 31.2., am 3.14.",
    "gestern.ts, die heute-Leiste, der Montagesatz und die letzten zwei Versuche",
    "calls of yesterday()",
    "src/dates/today.ts",
    "DateTime.Today in tests",
    "the least-recently-used entry",
    "",
  ])("is absent from %j", (query) => {
    expect(timeMeant(query, now)).toBeUndefined();
  });

  test("is removed from the query if it has no other meaning, except for dates", () => {
    expect(timeMeant("which check failed yesterday?", now)?.rest).toBe("which check failed  ?");
    expect(timeMeant("what happened yesterday?", now)?.rest).toBe("");
    expect(timeMeant("昨天的登入問題", now)?.rest).toBe(" 的登入問題");
    for (const all of [
      "Was haben wir gestern gemacht?",
      "letzte Woche",
      "Was war vor zwei Tagen los",
      "昨天做了什麼",
      "今天早上",
      "上週我們改了哪些事情",
      "3月3日之後的進度",
      "what happened since yesterday",
      "what changed since 2026-03-10",
      "was haben wir seit gestern gemacht",
      "what did I work on yesterday evening",
      "what have we done so far today",
      "what happened between Monday and Wednesday",
      "was haben wir von Montag bis Mittwoch gemacht",
    ])
      expect(timeMeant(all, now)).toMatchObject({ isAll: true });
    expect(timeMeant("errors since yesterday", now)?.rest).toBe("errors  ");
    expect(timeMeant("errors since 2026-03-10", now)?.rest).toBe("errors 2026-03-10");
    expect(timeMeant("errors between Monday and Wednesday", now)?.rest).toBe("errors  ");
    for (const dated of ["errors from March 5th to 2026-03-08", "Fehler von 3. März bis 5. März"])
      expect(timeMeant(dated, now)?.rest).toBe(dated);
    const ofWeekend = "who was on call last weekend";
    expect(timeMeant(ofWeekend, now)).toMatchObject({ rest: ofWeekend, isAll: false });
    expect(timeMeant("what happened last weekend", now)).toMatchObject({ rest: "", isAll: true });
    expect(timeMeant("was haben wir am Wochenende gemacht", now)).toMatchObject({ rest: "", isAll: true });
    expect(timeMeant("which check failed on 2026-03-03", now)?.rest).toBe("which check failed on 2026-03-03");
  });
});

describe("where clocks are set forward and back", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ["Europe/Berlin", "2026-03-29T03:30:00+02:00"],
    ["Europe/Berlin", "2026-10-25T02:30:00+01:00"],
    ["Australia/Lord_Howe", "2026-10-04T02:45:00+11:00"],
  ])("the last hour has sixty minutes (%s, %s)", (zone, moment) => {
    vi.stubEnv("TZ", zone);
    const at = Date.parse(moment);
    expect(timeMeant("errors of the last 1 hour", at)?.since).toBe(at - hourMs);
  });

  test("today ends with the second hour from 23 to 24 where midnight is put off", () => {
    vi.stubEnv("TZ", "Africa/Cairo");
    const last = Date.parse("2026-10-29T23:59:59.999+02:00");
    expect(timeMeant("what did we do today", last - hourMs / 2)).toMatchObject({ until: last });
  });
});
