import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { forEachTest } from "../support/for-each-test.ts";
import { type Line, line, openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

/* The tasks of Cline's extension for editors and its offspring. */

const place = forEachTest(openForTranscripts);
const { at, load, observed, only, write } = transcriptSteps(place);

const asks = (prompt: string, more: Line = {}): Line => ({
  role: "user",
  content: [{ type: "text", text: `<task>\n${prompt}\n</task>` }],
  ...more,
});
const answers = (text: string): Line => ({ role: "assistant", content: [{ type: "text", text }] });

/** Writes a file of a task; lists are JSON. */
function task(name: string, content: unknown): string {
  const path = write(`tasks/${name}`, []);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const conversation = "told/api_conversation_history.json";
const prompts = async () => (await observed()).map(({ title }) => title);

test("a conversation that went on adds only what is new", async () => {
  const path = task(conversation, [asks("Add retries"), answers("Done.")]);
  expect(await load({ path })).toMatchObject({ imported: 1, observations: 2 });
  task(conversation, [asks("Add retries"), answers("Done."), asks("Add jitter")]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 1, skippedDuplicates: 2 });
  expect((await prompts()).sort()).toEqual(["Add jitter", "Add retries", "Done."]);
});

test("what was said after going back to an earlier message is new, and equal messages are two", async () => {
  task(conversation, [asks("Add retries"), answers("Done."), asks("Go on"), answers("Done.")]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 4 });
  task(conversation, [asks("Add retries"), answers("Done."), asks("Use a queue")]);
  expect(await load({ path: at(".") })).toMatchObject({ observations: 1 });
});

test.each([
  [
    "by the list of tasks",
    "../state/taskHistory.json",
    [{ id: "told", cwdOnTaskInitialization: "/home/dev/shop" }],
  ],
  ["by the task's own file", "told/history_item.json", { id: "told", workspace: "/home/dev/shop" }],
])("the folder is told %s", async (_how, name, content) => {
  task(name, content);
  task(conversation, [asks("Add retries")]);
  await load({ path: at(".") });
  expect(await only()).toMatchObject({ id: "told", cwd: "/home/dev/shop", project: "shop" });
});

test("the folder is told by the first state of the editor, if nothing else tells it", async () => {
  const state =
    "<environment_details>\n# Current Workspace Directory (/home/dev/shop) Files\na.ts\n</environment_details>";
  const content = [
    { type: "text", text: "<task>\nAdd retries\n</task>" },
    { type: "text", text: state },
  ];
  task(conversation, [{ role: "user", content }]);
  await load({ path: at(".") });
  expect(await only()).toMatchObject({ cwd: "/home/dev/shop", firstPrompt: "Add retries" });
});

test("without other times those in the name of the task and in what was shown count", async () => {
  const start = Date.UTC(2026, 1, 1, 9);
  task(`${start}/api_conversation_history.json`, [asks("Add retries"), answers("Done.")]);
  task(`${start}/ui_messages.json`, [
    { ts: start, say: "text", conversationHistoryIndex: -1 },
    { ts: start + 5_000, say: "text", conversationHistoryIndex: 0 },
    { ts: start + 9_000, say: "text", conversationHistoryIndex: 0 },
  ]);
  await load({ path: at(".") });
  expect(await only()).toMatchObject({
    startedAt: "2026-02-01T09:00:00.000Z",
    endedAt: "2026-02-01T09:00:05.000Z",
  });
});

test("a prompt of the user's in a task that another one started is the user's", async () => {
  task("sub/history_item.json", { id: "sub", rootTaskId: "told", workspace: "/home/dev/shop" });
  task("sub/api_conversation_history.json", [
    asks("Count the attempts"),
    answers("Three."),
    asks("And delays"),
  ]);
  await load({ path: at(".") });
  expect((await observed()).map(({ hookType }) => hookType).sort()).toEqual([
    ...["prompt_submit", "subagent_start", "subagent_stop"],
  ]);
});

test("a task that cannot be read is told, and the rest is imported; its checkpoints are not searched", async () => {
  task(conversation, [asks("Add retries")]);
  write("tasks/told/checkpoints/copy.jsonl", [line("user", "words of a copied transcript")]);
  const torn = write("tasks/torn/api_conversation_history.json", []);
  writeFileSync(torn, '[{"role":"user","cont');
  const strange = task("strange/api_conversation_history.json", { version: 9 });
  const answer = await load({ path: at(".") });
  expect(answer).toMatchObject({ discovered: 3, imported: 1, observations: 1 });
  expect(answer.errors.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(
    [strange, torn].map((path) => ({ path, error: "it is no JSON list of messages" })),
  );
});

test("a key that stands in a task is not stored", async () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  task(conversation, [asks(`Use ${secret} for the release`)]);
  await load({ path: at(".") });
  expect(JSON.stringify(await observed())).not.toContain(secret);
});
