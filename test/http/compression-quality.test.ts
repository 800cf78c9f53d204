import { expect, test } from "vitest";
import { listObservations, observe } from "../../src/capture/observations/operations.ts";
import { openTestHttp } from "../support/http.ts";
import { openModelServer } from "../support/model-server.ts";

const plain = {
  type: "decision",
  title: "t".repeat(5),
  facts: ["one"],
  narrative: "n".repeat(20),
  concepts: ["cart"],
  files: [],
  importance: 5,
};

/** Changes to the plain answer, with the score out of 100 that the answer then gets. */
const answers: readonly (readonly [Partial<Record<keyof typeof plain, unknown>>, number])[] = [
  [{}, 85],
  [{ facts: [] }, 60],
  [{ facts: ["one", "two"] }, 85],
  [{ facts: ["one", "two", "three"] }, 95],
  [{ narrative: "n".repeat(19) }, 65],
  [{ narrative: "🙂".repeat(19) }, 65],
  [{ narrative: "n".repeat(49) }, 85],
  [{ narrative: "n".repeat(50) }, 90],
  [{ title: "t".repeat(4) }, 70],
  [{ title: "t".repeat(120) }, 85],
  [{ title: "🙂".repeat(120) }, 85],
  [{ title: "t".repeat(121) }, 70],
  [{ concepts: [] }, 70],
  [{ importance: 1 }, 85],
  [{ importance: 10 }, 85],
  [{ importance: 0 }, 75],
  [{ importance: 11 }, 75],
];

test("a model's compression is scored by its facts, lengths, concepts and importance", async () => {
  const server = await openModelServer();
  const http = await openTestHttp({ env: { ...server.env("openai"), MEMSVC_AUTO_COMPRESS: "true" } });
  server.answer(({ prompt }) => {
    const [, id, at] = /^(obs_\w+):.*answer (\d+) /mu.exec(prompt) ?? [];
    return { kind: "json", value: { observations: [{ id, ...plain, ...answers[Number(at)]?.[0] }] } };
  });
  const where = { project: "shop", cwd: "/w/shop", hookType: "prompt_submit", timestamp: "2026-03-01" };
  for (const at of answers.keys())
    await http.ok(observe, { ...where, sessionId: `s${at}`, data: { prompt: `answer ${at} of them` } });
  http.advance(5_000);
  await http.runDueJobs();
  const scores: unknown[] = [];
  for (const [at, [change]] of answers.entries()) {
    const [stored] = (await http.ok(listObservations, { sessionId: `s${at}` })).observations;
    scores.push([change, 100 * (stored?.confidence ?? 0)]);
  }
  expect(scores).toEqual(answers);
  await http.close();
  await server.close();
});
