import { describe, expect, test } from "vitest";
import { findingsIn } from "./findings-in.ts";

const textsIn = (text: string): string[] => findingsIn(text).map((finding) => finding.text);

describe("a cause that an agent states is a finding", () => {
  test.each([
    "The root cause was a missing await in the mailer.",
    "The culprit is the proxy, which strips the Host header.",
    "The problem was that both workers share one cursor.",
    "The problem with the import was an unquoted comma in line 3.",
    "The issue is that the loader caches modules by name.",
    "The bug was in `nextPage`: it starts at 1.",
    "The outage was caused by an expired certificate.",
    "This is caused by two copies of React.",
    "It turned out that the replica lags by minutes.",
    "Turns out npm ci ignores overrides here.",
    "The build failed because the runner has no disk left.",
    "The build failed since the runner has no disk left.",
    "Two requests were lost, as the buffer is not flushed at exit.",
    "The page hangs because the query has no index.",
    "The 504s came from a blocked event loop.",
    "The leak is due to listeners that nobody removes.",
    "I traced it back to a stale symlink in the image.",
    "I could pin the crash down to a stale symlink.",
    "We tracked the crash to a stale symlink.",
    "It came from a stale symlink in the image.",
    "Diagnosis: the token had been issued by another realm.",
    "Found it: the guard compares strings with numbers.",
    "The reason for the empty page was a wrong base path.",
    "The reason the worker hangs is that nobody reads its pipe.",
    "The env file is only read in development, which is why the login did not work.",
    "The failing test was a time zone problem on the runner.",
    "It broke when we moved to Node 22: fetch keeps sockets open.",
    "I found out that the retries never stop because the counter is reset.",
    "We were hitting the limit because every page asks twice.",
    "The shop hangs at night because the backup locks the table.",
    "This happened because the file was written before the folder existed.",
    "In the end the reason was a typo in the variable.",
    "The reason turned out to be a typo in the variable.",
    "The replica lagged behind because a report locked the table.",
    "The theme is read late, that is why the page was white.",
    "Mails were held back by the relay; a second relay fixed it.",
    "My change broke the login: the cookie has the same name.",
    "The parser gave up at the first blank, which crashed the importer.",
    "No wonder it was slow: each key triggers a new search.",
    "What broke the build was the removal of a polyfill.",
    "What happened is that both workers took the same job.",
    "The explanation is simple: the volume was mounted later.",
    "I looked at the dump: the leak comes from closures in a list.",
    "The spike was the result of a slow pattern.",
    "Le formulaire ne partait pas parce qu'il manquait un jeton.",
    "Los correos no salían porque el puerto estaba cerrado.",
    "Die Mails kamen doppelt, weil zwei Knoten liefen.",
    "Кнопка не работала, потому что файл не загрузился.",
    "Ursache war ein fehlender Index auf der Tabelle.",
    "Der Import brach ab, weil die Datei ein BOM hat.",
    "Es lag an der falschen Zeitzone des Servers.",
    "Es stellte sich heraus, dass der Cache nie geleert wird.",
    "La causa era un índice que faltaba en la tabla.",
    "El importador falló porque el archivo tiene un BOM.",
    "Resulta que la caché nunca se vacía.",
    "La cause était un index manquant sur la table.",
    "L'import échouait parce que le fichier contient un BOM.",
    "Le problème venait du cache jamais vidé.",
    "Причина была в отсутствующем индексе.",
    "Импорт падал, потому что в файле есть BOM.",
    "Оказалось, что кеш никогда не очищается.",
    "Причина була у відсутньому індексі.",
    "Імпорт падав, бо у файлі є BOM.",
    "З'ясувалося, що кеш ніколи не очищується.",
    "原因是表上缺少索引。",
    "导入失败是因为文件带有 BOM。",
    "原因はテーブルに索引がないことでした。",
    "取り込みに失敗したのは、ファイルに BOM があるためです。",
    "A causa era um índice em falta na tabela.",
    "A importação falhou porque o ficheiro tem um BOM.",
    "La causa era un indice mancante nella tabella.",
    "원인은 테이블에 인덱스가 없기 때문이었습니다.",
  ])("%s", (text) => {
    expect(textsIn(text)).toEqual([text]);
  });
});

describe("what is only supposed, sought, denied, asked, planned, quoted or explained is none", () => {
  test.each([
    "The root cause was probably a missing await.",
    "The build might have failed because the disk is full.",
    "The likely cause is the proxy.",
    "It seems the cause is the proxy.",
    "I think the problem was that both share one cursor.",
    "The cause is still unknown.",
    "No root cause was found because the logs are gone.",
    "I could not find the cause because the logs are gone.",
    "The outage was not caused by the certificate.",
    "The problem was not the cache.",
    "The failure was unrelated to the upgrade because it began before.",
    "Let me find out why the build failed because of the disk.",
    "I need to check whether the outage was caused by the proxy.",
    "Was the outage caused by the proxy?",
    "If the build failed because of the disk, clean the cache.",
    "The build will fail because the runner has no disk left.",
    "We keep a copy because sort works in place.",
    "The handler returns an error because the field is required.",
    "The test checks that the login fails because the password is wrong.",
    "Tests have been failing since Monday.",
    "They fail since the upgrade.",
    "I did not add a test because the change is trivial.",
    "We chose Postgres because SQLite locks the file.",
    "The runner is pinned to version 20.11.",
    "It passes on the rows that came from a third store.",
    "Swapped Prisma for Drizzle because cold starts took three seconds.",
    "The counter that started at one is kept because old clients read it.",
    "The module was renamed because its name was misleading.",
    "The tests were fast because they used no database.",
    "The suite passed because the clock was frozen.",
    "The port is chosen at random because tests run side by side.",
    "The parser returns undefined because the field is optional.",
    "When the build fails because of a missing key, run the script.",
    "The error text says that the limit was exceeded because of a file.",
    "Wir haben den Namen geändert, weil er irreführend war.",
    "The warning is caused by the linter if a name is unused.",
    "According to the docs, the error is caused by an old driver.",
    "The log says the request failed because the upstream hung.",
    "The issue is in progress.",
    "The issue is a duplicate of another one.",
    "It turns out fine after all of this.",
    "Turns out you were right about that.",
    "Turns out all of the tests pass.",
    'It prints "the build failed because of the disk" at the end.',
    "It prints `failed because of the disk` at the end.",
    "> The root cause was a full disk.",
    "npm ERR! The install failed because of a conflict.",
    "| The root cause was a full disk. |",
    "The cause:",
    "Vermutlich war die Ursache der Cache.",
    "Es lag nicht an der Datenbank.",
    "Ich suche noch nach der Ursache.",
    "Wir nehmen eine Kopie, weil sort das Array ändert.",
    "Quizás la causa era el proxy.",
    "El problema no era la caché.",
    "La cause était peut-être le proxy.",
    "Le problème ne venait pas du cache.",
    "Возможно, причина в кеше.",
    "Причина пока не найдена.",
    "Мабуть, причина в кеші.",
    "可能是因为表上缺少索引导致失败。",
    "原因不清楚。",
    "おそらく原因は索引がないことです。",
    "原因を調べます。",
    "Talvez a causa seja o proxy.",
    "Forse la causa era il proxy.",
    "원인은 아마 프록시 때문입니다.",
  ])("%s", (text) => {
    expect(textsIn(text)).toEqual([]);
  });
});

test("what was done about the cause belongs to it, in the same sentence or in the next", () => {
  const cause = "The build failed because the runner has no disk left.";
  expect(textsIn(`${cause} I now clean the cache first. All tests pass.`)).toEqual([
    `${cause} I now clean the cache first.`,
  ]);
  expect(textsIn(`${cause} Moving the cache away fixed it.`)).toEqual([
    `${cause} Moving the cache away fixed it.`,
  ]);
  expect(textsIn("Ursache war ein BOM. Ich habe es entfernt.")).toEqual([
    "Ursache war ein BOM. Ich habe es entfernt.",
  ]);
});

test("what follows a cause and is no remedy does not belong to it", () => {
  const cause = "The build failed because the runner has no disk left.";
  expect(textsIn(`${cause} Fixed tests are committed.`)).toEqual([cause]);
  expect(textsIn(`${cause} Should I fix it?`)).toEqual([cause]);
  expect(textsIn(`${cause} The README has a new section.`)).toEqual([cause]);
  expect(textsIn(`${cause} Next step: the fix for main.`)).toEqual([cause]);
});

test("a reason is a finding if a remedy follows it at once", () => {
  const reason = "The relay rejects our mails because they have no date.";
  expect(textsIn(`${reason} I fixed it in the mailer.`)).toEqual([`${reason} I fixed it in the mailer.`]);
  expect(textsIn(`${reason} The mailer has a new test.`)).toEqual([]);
});

test("a label on a line of its own announces the cause", () => {
  expect(
    textsIn("## Root cause\n\nThe guard compares strings with numbers.\n\n## Tests\n\nAll pass."),
  ).toEqual(["The guard compares strings with numbers."]);
  expect(textsIn("Found the bug. The guard compares strings with numbers.")).toEqual([
    "The guard compares strings with numbers.",
  ]);
  expect(textsIn("**Root cause:** the guard compares strings with numbers.")).toEqual([
    "**Root cause:** the guard compares strings with numbers.",
  ]);
  expect(textsIn("## Root cause\n\nIt might be the guard of the door.")).toEqual([]);
});

test("an answer has at most three findings, and none of them is a table in one sentence", () => {
  const lines = ["mailer", "importer", "exporter", "indexer"].map(
    (name) => `The ${name} failed because the disk is full.`,
  );
  expect(findingsIn(lines.join("\n"))).toHaveLength(3);
  expect(findingsIn(`The mailer failed because ${"of this, ".repeat(100)}the disk is full.`)).toEqual([]);
});

test("an end without blanks or punctuation is read in linear time", () => {
  const started = performance.now();
  for (const piece of ["the problem was ", "because ", "fails ", "reason for ", "x", "原因は", "weil, "])
    findingsIn(piece.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});
