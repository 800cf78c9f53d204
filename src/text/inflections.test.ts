import { expect, test } from "vitest";
import { areInflections, inflectionStems } from "./inflections.ts";
import type { InflectedLanguage } from "./query-language.ts";
import { indexTokens } from "./tokens.ts";

const tokenOf = (word: string) => indexTokens(word)[0] ?? "";

test.each<[InflectedLanguage, string]>([
  ["slavic", "пользователь пользователя пользователей пользователями"],
  ["slavic", "интеграционный интеграционные интеграционного"],
  ["slavic", "лог логи логов"],
  ["slavic", "користувач користувачів користувачі"],
  ["german", "Abhängigkeit Abhängigkeiten"],
  ["german", "aktualisieren aktualisiert Aktualisierung"],
  ["french", "stocké stockées stocker"],
  ["spanish", "migración migraciones"],
  ["portuguese", "migração migrações"],
  ["italian", "chiave chiavi"],
  ["dutch", "sleutel sleutels"],
  ["polish", "płatność płatności płatnościami"],
  ["scandinavian", "rapport rapporten rapporter"],
  ["turkish", "oturum oturumlar oturumları"],
])("%s: %s are forms of one word", (language, words) => {
  const [first = "", ...others] = words.split(" ").map(tokenOf);
  expect(others.filter((other) => !areInflections(language, first, other))).toEqual([]);
});

test.each<[InflectedLanguage, string, string]>([
  ["slavic", "лог", "логика"],
  ["slavic", "сервер", "сервис"],
  ["german", "Dienst", "Dienstag"],
  ["french", "port", "portail"],
  ["spanish", "caso", "castillo"],
])("%s: %s and %s are two words", (language, one, other) => {
  expect(areInflections(language, tokenOf(one), tokenOf(other))).toBe(false);
});

test("a word is not cut to less than a stem", () => {
  const stems = (language: InflectedLanguage, words: string) =>
    words.split(" ").map((word) => inflectionStems(language, tokenOf(word))[0]);
  expect(stems("german", "Bote Rate Rat")).toEqual(["bote", "rate", "rat"]);
  expect(stems("slavic", "база она он")).toEqual(["баз", "она", "он"]);
});
