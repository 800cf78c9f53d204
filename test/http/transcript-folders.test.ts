import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { importTranscripts } from "../../src/capture/replay/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { type Line, line, openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

const place = forEachTest(openForTranscripts);
const { at, load, write } = transcriptSteps(place);

describe("a folder of transcripts", () => {
  const one = (sessionId: string) => [line("user", `words of ${sessionId}`, { sessionId })];

  test("is read with subfolders but without links, and takes the most recently changed files", async () => {
    for (const [name, age] of [
      ["p/old.jsonl", 300],
      ["p/deep/middle.jsonl", 200],
      ["q/new.jsonl", 100],
    ] as const) {
      const time = new Date(Date.now() - age * 1_000);
      utimesSync(write(name, one(name)), time, time);
    }
    write("p/notes.txt", ["no transcript"]);
    mkdirSync(join(place.folder, "elsewhere"));
    writeFileSync(join(place.folder, "elsewhere", "far.jsonl"), JSON.stringify(one("far")[0]));
    symlinkSync(join(place.folder, "elsewhere"), at("way"));
    symlinkSync(join(place.folder, "elsewhere", "far.jsonl"), at("far.jsonl"));
    const answer = await load({ path: at("."), maxFiles: 2 });
    expect(answer).toMatchObject({
      imported: 2,
      discovered: 3,
      truncated: true,
      traversalCapped: false,
      maxFiles: 2,
    });
    expect(answer.sessionIds).toEqual(["q/new.jsonl", "p/deep/middle.jsonl"]);
  });

  test("skips files and folders with a sensitive name", async () => {
    write("secret-project/one.jsonl", one("a"));
    write("token.json/one.jsonl", one("b"));
    write("p/credentials.jsonl", one("c"));
    write("p/fine.jsonl", one("d"));
    const answer = await load({ path: at(".") });
    expect(answer.sessionIds).toEqual(["d"]);
    expect(answer.errors.map(({ path }) => path).sort()).toEqual(
      ["p/credentials.jsonl", "secret-project", "token.json"].map(at),
    );
  });

  test("is searched up to 10,000 entries", async () => {
    for (let number = 0; number < 10_001; number += 1) writeFileSync(at(`n${number}`), "");
    write("z.jsonl", one("last"));
    expect(await load({ path: at(".") })).toMatchObject({
      traversalCapped: true,
      discovered: 0,
      imported: 0,
    });
  });
});

test("a pipe named like a transcript is refused, and skipped in a folder", async () => {
  write("real.jsonl", [line("user", "hello")]);
  execFileSync("mkfifo", [at("pipe.jsonl")]);
  const { status, body } = await place.http.reply(importTranscripts, { path: at("pipe.jsonl") });
  expect([status, body.error]).toEqual([400, expect.stringContaining("neither a .jsonl file nor a folder")]);
  expect(await place.http.ok(importTranscripts, { path: at("") })).toMatchObject({
    discovered: 1,
    imported: 1,
  });
});

test("a transcript path is refused when outside first, then when missing, then by its kind", async () => {
  writeFileSync(join(place.folder, "outside.jsonl"), "{}");
  write("notes.txt", ["x"]);
  const status = async (input: Line) => (await place.http.reply(importTranscripts, input)).status;
  expect(await status({ path: join(place.folder, "outside.jsonl") })).toBe(403);
  expect(await status({ path: join(place.folder, "missing.jsonl") })).toBe(403);
  expect(await status({ path: at("my-secret.jsonl") })).toBe(403);
  expect(await status({ path: at("missing.jsonl") })).toBe(404);
  expect(await status({ path: at("notes.txt") })).toBe(400);
  expect(await status({ path: at("."), maxFiles: 1_001 })).toBe(400);
  expect(await status({ path: 5 })).toBe(400);
});

test("of an editor's folder only histories are read, whatever else it holds", async () => {
  const told = (name: string) => write(name, [{ role: "user", content: `<task>${name}</task>` }]);
  const asked = (name: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    const requests = [{ requestId: "r1", message: { text: `words of ${name}` }, response: [] }];
    writeFileSync(at(name), JSON.stringify({ sessionId: name, requests }));
  };
  asked("User/workspaceStorage/ab/chatSessions/one.json");
  asked("User/globalStorage/emptyWindowChatSessions/two.json");
  writeFileSync(
    told("User/globalStorage/saoudrizwan.claude-dev/tasks/t/api_conversation_history.json"),
    "[]",
  );
  write("User/workspaceStorage/ab/GitHub.copilot-chat/transcripts/one.jsonl", [line("user", "a copy")]);
  write("User/globalStorage/another.extension/log.jsonl", [line("user", "no transcript")]);
  write("User/History/x/old.jsonl", [line("user", "a file of before")]);
  expect(await place.http.ok(importTranscripts, { path: at("User") })).toMatchObject({
    ...{ discovered: 3, imported: 2, errors: [] },
  });
});
