import { expect, test } from "vitest";
import { timeMeant } from "./time-words.ts";
import { momentAgo } from "./told-time.ts";

/** A Sunday. */
const now = new Date(2026, 2, 15, 18, 30).getTime();

const day = (time: number) => new Date(time).toLocaleDateString("sv");

const spans = {
  halfHour: "2026-03-15 to 2026-03-15",
  twoWeeks: "2026-02-26 to 2026-03-04",
  halfWeek: "2026-03-10 to 2026-03-14",
  halfMonth: "2026-02-21 to 2026-03-07",
  halfYear: "2025-08-01 to 2025-10-30",
  yearAndHalf: "2024-08-01 to 2024-10-30",
  twoMonthsAndHalf: "2025-12-23 to 2026-01-06",
  fifteenMinutes: "2026-03-15 to 2026-03-15",
  lastHalfYear: "2025-09-15 to 2026-03-15",
  lastMonth: "2026-02-15 to 2026-03-15",
};

test.each([
  ["the outage half an hour ago", "halfHour"],
  ["the outage half a year ago", "halfYear"],
  ["the outage a half year ago", "halfYear"],
  ["the outage half a month ago", "halfMonth"],
  ["the outage a year and a half ago", "yearAndHalf"],
  ["the outage one and a half years ago", "yearAndHalf"],
  ["the outage two and a half months ago", "twoMonthsAndHalf"],
  ["the outage a fortnight ago", "twoWeeks"],
  ["the outage fifteen minutes ago", "fifteenMinutes"],
  ["outages of the last half year", "lastHalfYear"],
  ["Ausfall vor einem halben Jahr", "halfYear"],
  ["Ausfall vor einer halben Stunde", "halfHour"],
  ["Ausfall vor einem halben Monat", "halfMonth"],
  ["Ausfall vor einer halben Woche", "halfWeek"],
  ["Ausfall vor anderthalb Jahren", "yearAndHalf"],
  ["Ausfall vor eineinhalb Jahren", "yearAndHalf"],
  ["Ausfall vor zweieinhalb Monaten", "twoMonthsAndHalf"],
  ["Ausfall vor vierzehn Tagen", "twoWeeks"],
  ["Ausfall vor fünfzehn Minuten", "fifteenMinutes"],
  ["Ausfälle im letzten halben Jahr", "lastHalfYear"],
  ["la panne il y a une demi-heure", "halfHour"],
  ["la panne il y a un an et demi", "yearAndHalf"],
  ["la panne il y a deux mois et demi", "twoMonthsAndHalf"],
  ["la panne d'il y a quinze jours", "twoWeeks"],
  ["la panne il y a une quinzaine de jours", "twoWeeks"],
  ["la panne il y a quinze minutes", "fifteenMinutes"],
  ["el fallo de hace medio año", "halfYear"],
  ["el fallo de hace media hora", "halfHour"],
  ["el fallo de hace media semana", "halfWeek"],
  ["el fallo de hace un año y medio", "yearAndHalf"],
  ["el fallo de hace año y medio", "yearAndHalf"],
  ["el fallo de hace quince días", "twoWeeks"],
  ["el fallo de hace quince minutos", "fifteenMinutes"],
  ["fallos del último medio año", "lastHalfYear"],
  ["fallos del último mes", "lastMonth"],
  ["сбой полгода назад", "halfYear"],
  ["сбой полчаса назад", "halfHour"],
  ["сбой полтора года тому назад", "yearAndHalf"],
  ["сбой два с половиной месяца назад", "twoMonthsAndHalf"],
  ["сбой пятнадцать минут назад", "fifteenMinutes"],
  ["сбои за последние полгода", "lastHalfYear"],
  ["збій півроку тому", "halfYear"],
  ["збій пів року тому", "halfYear"],
  ["збій півгодини тому", "halfHour"],
  ["збій півтора року тому", "yearAndHalf"],
  ["збій п’ятнадцять хвилин тому", "fifteenMinutes"],
  ["збої за останні півроку", "lastHalfYear"],
  ["半年前的錯誤", "halfYear"],
  ["半个月前的错误", "halfMonth"],
  ["半小时前的错误", "halfHour"],
  ["一年半前的错误", "yearAndHalf"],
  ["兩個半月前的錯誤", "twoMonthsAndHalf"],
  ["最近半年的錯誤", "lastHalfYear"],
  ["半年前のエラー", "halfYear"],
  ["半月ほど前のエラー", "halfMonth"],
  ["一年半前のエラー", "yearAndHalf"],
  ["過去半年のエラー", "lastHalfYear"],
] as const)("%j means that time", (query, expected) => {
  const meant = timeMeant(query, now);
  expect(meant && `${day(meant.since)} to ${day(meant.until)}`).toBe(spans[expected]);
});

test("no part of such a phrase is searched for", () => {
  expect(timeMeant("the outage half a year ago", now)?.rest.trim()).toBe("the outage");
  expect(timeMeant("сбой полгода назад", now)?.rest.trim()).toBe("сбой");
});

test.each(["上半年的計畫", "деплой за полчаса", "half an hour of downtime", "eine halbe Stunde Ausfall"])(
  "%j means no time",
  (query) => expect(timeMeant(query, now)).toBeUndefined(),
);

test("a flag's value may be in half units", () => {
  expect(momentAgo("half an hour ago", now)).toBe(now - 30 * 60_000);
  expect(momentAgo("half a year", now)).toBe(new Date(2025, 8, 15, 18, 30).getTime());
});
