import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportStore } from "../../src/governance/transfer/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { type OpenCodeSession, openCodeWrites } from "../support/opencode-database.ts";
import { type Line, line, openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

/* Sessions in the databases of OpenCode and Kilo Code. */

const place = forEachTest(openForTranscripts);
const { at, load, observed, write } = transcriptSteps(place);

const timeOf = (second: number) => Date.UTC(2026, 1, 1, 9, 0, second);
const text = (said: string) => ({ type: "text", text: said });
const said = (role: string, second: number, parts: readonly Line[], more: Line = {}) => ({
  data: { role, time: { created: timeOf(second) }, ...more },
  parts,
});
const asks = (id: string, prompt: string, second = 1): OpenCodeSession => ({
  id,
  changedAt: timeOf(second),
  messages: [said("user", second, [text(prompt)])],
});

test("a database that is in use is read with what is only in its log, and is not written to", async () => {
  const path = at("opencode.db");
  const inUse = openCodeWrites(path, [asks("one", "Add retries")]);
  const before = readFileSync(path);
  expect(await load({ path: at(".") })).toMatchObject({ imported: 1, observations: 1, errors: [] });
  expect(readFileSync(path)).toEqual(before);
  openCodeWrites(path, [
    { ...asks("one", "Add retries"), changedAt: timeOf(3) },
    asks("two", "Add jitter", 2),
  ]);
  expect(await load({ path })).toMatchObject({
    ...{ discovered: 2, imported: 2, observations: 1, skippedDuplicates: 1, errors: [] },
    sessionIds: ["one", "two"],
  });
  inUse.close();
});

test("each session counts as a transcript, and the most recently changed are taken", async () => {
  openCodeWrites(at("kilo-dev.db"), [asks("old", "Add retries"), asks("new", "Add jitter", 2)]).close();
  const answer = await load({ path: at("."), maxFiles: 1 });
  expect(answer).toMatchObject({ discovered: 2, truncated: true, sessionIds: ["new"] });
});

test("folders beside a database hold copies of files, and are not searched", async () => {
  openCodeWrites(at("opencode.db"), [asks("one", "Add retries")]).close();
  write("snapshot/copy.jsonl", [line("user", "words of a copied transcript")]);
  expect(await load({ path: at(".") })).toMatchObject({ discovered: 1, sessionIds: ["one"] });
});

test("a call that runs is a call without an end, until it has one", async () => {
  const withCall = (state: Line): OpenCodeSession => ({
    ...asks("told", "Run the tests"),
    messages: [
      said("assistant", 2, [
        { type: "tool", tool: "bash", callID: "c1", state: { input: { command: "npm test" }, ...state } },
      ]),
    ],
  });
  openCodeWrites(at("opencode.db"), [withCall({ status: "running", time: { start: timeOf(3) } })]).close();
  await load({ path: at(".") });
  expect(await observed()).toMatchObject([
    { hookType: "pre_tool_use", timestamp: new Date(timeOf(3)).toISOString() },
  ]);
  const time = { start: timeOf(3), end: timeOf(5) };
  openCodeWrites(at("opencode.db"), [withCall({ status: "error", error: "It was aborted", time })]).close();
  await load({ path: at(".") });
  expect((await observed()).at(-1)).toMatchObject({
    hookType: "post_tool_failure",
    timestamp: new Date(timeOf(5)).toISOString(),
    title: expect.stringContaining("It was aborted"),
  });
});

test("the summary of a shortened conversation is the assistant's, and no answer", async () => {
  const messages = [
    said("user", 1, [text("Add retries")]),
    said("user", 2, [{ type: "compaction", auto: true }]),
    said("assistant", 3, [text("The user wants retries.")], { summary: true, mode: "compaction" }),
  ];
  openCodeWrites(at("opencode.db"), [{ ...asks("told", ""), messages }]).close();
  await load({ path: at(".") });
  expect((await observed()).map(({ hookType }) => hookType)).toEqual(["prompt_submit", "stop"]);
  const stored = JSON.stringify(await place.http.ok(exportStore, {}));
  expect(stored).toContain('"last_assistant_message":"The user wants retries.","is_compact_summary":true');
});

test("what cannot be read is told, and the rest is imported", async () => {
  for (const name of ["a", "b", "c"]) mkdirSync(at(name));
  writeFileSync(at("a/opencode.db"), "no database");
  openCodeWrites(at("b/kilo.db"), []).exec("DROP TABLE session");
  const damaged = openCodeWrites(at("c/opencode.db"), [asks("one", "Add retries")]);
  damaged.exec(`INSERT INTO message VALUES ('m', 'one', ${timeOf(9)}, '{"role":')`);
  damaged.close();
  const answer = await load({ path: at(".") });
  expect(answer).toMatchObject({ imported: 1, observations: 1 });
  expect(answer.errors).toEqual([
    {
      path: join(at("a"), "opencode.db"),
      error: expect.stringMatching(/^it cannot be read: .*not a database/u),
    },
    { path: join(at("b"), "kilo.db"), error: expect.stringMatching(/^it cannot be read: .*no such table/u) },
    { path: join(at("c"), "opencode.db"), error: "1 of 3 lines are no JSON objects and were passed over" },
  ]);
});
