import { describe, expect, test } from "vitest";
import { correctedBy } from "./corrected-finding.ts";

const place = { files: ["src/db.ts"], sessionIds: ["1"] };
const pool = {
  ...place,
  title: "The time-outs under load",
  content: "The time-outs under load were caused by the connection pool.",
};

function corrects(sentence: string, later: Partial<typeof pool> = {}, earlier = pool): boolean {
  const new_ = { ...place, title: "Time-outs", content: sentence, ...later };
  return correctedBy(new_, [sentence], [earlier]) === earlier;
}

describe("a sentence that denies an earlier cause corrects it", () => {
  test.each([
    "It was not the connection pool after all, the cause was DNS.",
    "It wasn't the connection pool; the cause was DNS.",
    "The time-outs were not caused by the connection pool but by DNS.",
    "The cause was DNS rather than the connection pool.",
    "I was wrong about the connection pool: the cause was DNS.",
    "The time-outs had nothing to do with the connection pool, the cause was DNS.",
  ])("%s", (sentence) => {
    expect(corrects(sentence)).toBe(true);
  });

  test.each([
    ["Es lag am Cache der Sitzungen.", "Es lag nicht am Cache, sondern an der Zeitzone."],
    ["La causa era la caché de sesiones.", "No era la caché, sino la zona horaria."],
    ["La cause était le cache des sessions.", "Ce n'était pas le cache, mais le fuseau horaire."],
    ["A causa era a cache de sessões.", "Não era a cache, mas sim o fuso horário."],
    ["Причина была в кеш сессий.", "Дело не в кеш, а в часовом поясе."],
    ["原因是 cache 过期。", "原因不是 cache,而是时区。"],
    ["原因は cache の期限切れでした。", "原因は cache ではなく、タイムゾーンでした。"],
  ])("%s – %s", (content, sentence) => {
    expect(corrects(sentence, {}, { ...pool, content })).toBe(true);
  });
});

test("a sentence that denies nothing, or something else, corrects nothing", () => {
  expect(corrects("The time-outs were caused by DNS and the connection pool.")).toBe(false);
  expect(corrects("It was not the thread pool after all, the cause was DNS.")).toBe(false);
  expect(corrects("It was not that after all, the cause was DNS.")).toBe(false);
});

test("a cause is only corrected where both are about the same: session, file, or words", () => {
  const elsewhere = { files: ["src/mail.ts"], sessionIds: ["9"], title: "Mails" };
  const sentence = "It was not the connection pool after all, the cause was DNS.";
  expect(corrects(sentence, elsewhere)).toBe(false);
  expect(corrects(sentence, { ...elsewhere, sessionIds: ["1"] })).toBe(true);
  expect(corrects(sentence, { ...elsewhere, files: ["src/db.ts"] })).toBe(true);
  expect(corrects(sentence, { ...elsewhere, title: "The load" })).toBe(false);
  expect(corrects(sentence, { ...elsewhere, title: "The time-outs under load" })).toBe(true);
});

test("a finding that denied the same itself is not corrected", () => {
  const content = "It was not the connection pool, the cause was the proxy.";
  expect(corrects("It was not the connection pool, the cause was DNS.", {}, { ...pool, content })).toBe(
    false,
  );
});
