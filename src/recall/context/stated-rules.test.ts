import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";
import { remember } from "../../knowledge/memories/operations.ts";
import { summarizeSession } from "../../knowledge/summaries/operations.ts";
import { dayMs } from "../../time/durations.ts";
import { asking, eventIn, longTask, project } from "./context-fixture.ts";
import { buildContext } from "./operations.ts";

const memsvc = forEachTest(openTestCore);

async function session(
  sessionId: string,
  prompt: string,
  lastAssistantMessage = "I prefer it so. It works.",
): Promise<void> {
  await eventIn(memsvc, sessionId, "prompt_submit", { prompt });
  await eventIn(memsvc, sessionId, "stop", { lastAssistantMessage });
  await memsvc.call(summarizeSession, { sessionId });
}

/** The rules that the block shows, without their day. */
async function rules(): Promise<string[]> {
  const { context } = await memsvc.call(buildContext, asking);
  return [...context.matchAll(/^- (Decided|Preferred) on [\d-]{10}: (.*)$/gmu)].map(
    ([, label, rule]) => `${label}: ${rule}`,
  );
}

/** Tells as much as any answer does, in words of its own. */
function tellingAnswer(): string {
  return `It has ${Array.from({ length: 40 }, (_, part) => `part${memsvc.now()}x${part}`).join(", ")}.`;
}

/** So many other sessions that those before are no longer among the recent ones. */
async function weeksOfWork(): Promise<void> {
  for (let week = 0; week < 12; week += 1) {
    memsvc.advance(7 * dayMs);
    await session(`week ${week} at ${memsvc.now()}`, `Make part ${week} of the shop`, tellingAnswer());
  }
}

test("shows what the user once decided, however many sessions ago, until it is replaced", async () => {
  await session("packages", "Set up the shop. We decided to use pnpm workspaces, never npm. Is it good?");
  await session("jobs", "Let's use Celery for jobs.");
  await session("branches", "Bitte nie direkt auf main pushen. Danke");
  await session("alerts", "The hook never ran. Must it run at night? We will get SMS later.");
  await session("crash", "Sentry says TypeError: callback must be a function");
  await session("sync", "Wir haben uns für Yjs entschieden.");
  await session("simpler", "Yjs kommt wieder raus.");
  const arq = "Decided: Replace Celery with arq.";
  const lasting = [
    "Decided: Bitte nie direkt auf main pushen.",
    "Decided: We decided to use pnpm workspaces, never npm.",
  ];
  const withoutYjs = "Decided: Yjs kommt wieder raus.";
  await weeksOfWork();
  expect(await rules()).toEqual([...lasting, withoutYjs, "Decided: Let's use Celery for jobs."]);
  await session("other jobs", "Workers leak. Replace Celery with arq.");
  expect(await rules()).toEqual([...lasting, withoutYjs]);
  await weeksOfWork();
  expect(await rules()).toEqual([...lasting, arq, withoutYjs]);
  await memsvc.call(remember, { content: "Use pnpm workspaces with a catalog instead of npm.", project });
  expect(await rules()).toEqual([...lasting, arq, withoutYjs]);
  await memsvc.call(remember, {
    content: "Rule: bitte nie direkt auf main pushen. Bitte nie direkt auf main pushen.",
    project,
  });
  expect(await rules()).toEqual([...lasting.slice(1), arq, withoutYjs]);
});

test("shows a decision once while the session in which it was made is shown", async () => {
  await session("packages", `${longTask} We decided to use pnpm workspaces.`);
  expect(await rules()).toEqual([]);
  const { context } = await memsvc.call(buildContext, asking);
  expect(context).toContain("  - Decided: We decided to use pnpm workspaces.");
  const cramped = await memsvc.call(buildContext, { ...asking, budget: 120 });
  expect(cramped.context).toContain(": We decided to use pnpm workspaces.");
});

test("shows an earlier decision beside many that the last sessions tell", async () => {
  await session("packages", "Set up the shop. We decided to use pnpm workspaces.");
  await weeksOfWork();
  for (const page of ["cart", "login", "stock", "mail", "search", "coupon", "refund", "invoice", "terms"])
    await session(page, `We decided to cache the ${page} page.`, tellingAnswer());
  expect(await rules()).toEqual(["Decided: We decided to use pnpm workspaces."]);
});

test("shows preferences from prompts once, unless they concern the task at hand", async () => {
  await session(
    "old",
    `${longTask} Make the cart. I want it to be quick. Please use node:test, no test framework.`,
  );
  await session(
    "german",
    `${longTask} Wir wollen wenig Pakete: ich möchte lieber nur die Standardbibliothek.`,
  );
  await session("asked", `${longTask} Which of these do you prefer? I like the second.`);
  await session("again", `${longTask} Please use node:test, no test framework. Don't use mocks.`);
  const german = "Preferred: Wir wollen wenig Pakete: ich möchte lieber nur die Standardbibliothek.";
  const framework = "Preferred: Please use node:test, no test framework.";
  expect(await rules()).toEqual([framework, "Preferred: Don't use mocks.", german]);
  await memsvc.call(remember, { content: "Don't use mocks. They lie.", type: "preference", project });
  expect(await rules()).toEqual([framework, german]);
});

const lasting = [
  ["Stop adding comments to every line", "Make it stop adding rows when all lists need a refresh"],
  ["Remember: staging is reset every night", "The form does not remember the name"],
  ["no, use pnpm", "Use the new endpoint instead"],
  ["Run the linter before every commit", "Check the output after this commit"],
  ["Don't mock the database in integration tests", "Don't commit this yet"],
  ["All endpoints need a test", "All buttons should be blue on this page"],
  ["We don't commit generated code", "Why don't we commit it?"],
  ["We moved to vanilla-extract", "We moved the button to the left"],
  ["No default exports please", "No problem, please go on"],
  ["Commit messages should be in English", "The comments are in the wrong place"],
  ["Lint before each push", "Write a script that runs before each deploy"],
  ["No nested ternaries please", "No tests ran, please check"],
  ["Don't touch package-lock.json by hand", "Do not call the server when offline"],
  ["I'd rather have small files", "I'd rather fix the test first"],
  ["Immer erst die Tests schreiben", "Das dauert immer so lange"],
  ["Keine Abkürzungen in Namen bitte", "Keine Ahnung, schau bitte nach"],
  ["Niemals direkt auf main pushen", "Das ist nie ein Fehler gewesen"],
  ["Merk dir: Staging wird jede Nacht geleert", "Denk mal nach"],
  ["Nunca subas claves al repositorio", "Nunca has visto este error"],
  ["Los mensajes siempre en inglés", "Esto siempre falla"],
  ["N'ajoute jamais de dépendance sans demander", "Ça ne marche jamais"],
  ["提交前必须先跑测试", "这个必须修复"],
  ["记住，金额单位是分", "我记住密码了吗"],
  ["コメントは日本語で書いてください", "別のファイルを見て"],
  ["Запомни, что деньги храним в копейках", "Помнишь, что было вчера"],
] as const;

test.each(lasting)("%s stays, and not: %s", async (rule, task) => {
  await session("rule", `${longTask} ${rule}.`);
  await session("task", `${longTask} ${task}.`);
  await weeksOfWork();
  expect((await rules()).map((one) => one.replace(/^\w+: /u, ""))).toEqual([`${rule}.`]);
});

test("shows the twelve newest rules, those for good first", async () => {
  await session("first", `${longTask} Never use library 0.`);
  for (let at = 1; at < 14; at += 1) await session(`s${at}`, `${longTask} We will use library ${at} for it.`);
  await weeksOfWork();
  expect((await rules()).map((rule) => Number(/\d+/u.exec(rule)?.[0]))).toEqual([
    0, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
  ]);
});

test("begins a rule without the word that joined it to the sentence before", async () => {
  await session("timers", "Fix both clocks. and no fake timers in the tests please");
  await weeksOfWork();
  expect(await rules()).toEqual(["Preferred: no fake timers in the tests please"]);
});
