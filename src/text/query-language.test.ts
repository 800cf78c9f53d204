import { expect, test } from "vitest";
import { isFunctionWord, latinLanguage } from "./query-language.ts";

test.each([
  ["wo liegt die Sicherung der Datenbank", "german"],
  ["Größe", "german"],
  ["comment exécuter la migration", "french"],
  ["où sont les clés", "french"],
  ["dónde se guardan las claves", "spanish"],
  ["onde ficam as chaves do cofre", "portuguese"],
  ["dove sono le chiavi della cifratura", "italian"],
  ["waar worden de sleutels bewaard", "dutch"],
  ["gdzie są klucze", "polish"],
  ["hur skapas rapporten", "scandinavian"],
  ["hvordan oprettes rapporten", "scandinavian"],
  ["kullanıcı oturumu nerede", "turkish"],
])("%s is %s", (query, language) => {
  expect(latinLanguage(query)?.language).toBe(language);
});

test.each([
  "how does the die casting work",
  "die casting",
  "why did we choose Postgres for the Übersicht page",
  "where is the naïve cache",
  "user.de/la/en",
  "select * from users where id in (1)",
  "npm run build",
  "en de no con per os com",
  "настройка redis",
  "",
])("%j is in none of the languages with Latin letters", (query) => {
  expect(latinLanguage(query)).toBeUndefined();
});

test("function words are known as index tokens write them", () => {
  expect(["für", "fur", "auth"].map((word) => isFunctionWord("german", word))).toEqual([false, true, false]);
  expect(["для", "какои", "сессия"].map((word) => isFunctionWord("slavic", word))).toEqual([
    true,
    true,
    false,
  ]);
});
