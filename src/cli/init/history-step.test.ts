import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readConfiguration } from "../../config/configuration.ts";
import { openCaller } from "../callers/open-caller.ts";
import { operations } from "../operations/operations.ts";
import { offerHistory } from "./history-step.ts";
import type { Questions } from "./questions.ts";

/** A user with a transcript of Codex, and a folder of Droid's that leads out of the home. */
function openUser() {
  const home = temporaryFolder();
  const sessions = join(home, ".codex/sessions");
  for (const folder of [sessions, join(home, ".factory")]) mkdirSync(folder, { recursive: true });
  const timestamp = "2026-02-01T09:00:00Z";
  const lines = [
    { type: "session_meta", timestamp, payload: { id: "told", cwd: "/code/shop" } },
    { type: "event_msg", timestamp, payload: { type: "user_message", message: "Test the cart" } },
  ];
  writeFileSync(join(sessions, "t.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  symlinkSync(temporaryFolder(), join(home, ".factory/sessions"));
  const env = { MEMSVC_ALLOWED_ROOTS: home };
  const caller = () =>
    openCaller({ ...readConfiguration({ home: join(home, "m"), env }), offline: true, cwd: home });
  return { caller, places: { home, project: home, env: {}, platform: "linux" } as const };
}

/** Answers with what is offered, and keeps what it was asked. */
function asker(): Questions & { readonly asked: string[] } {
  const asked: string[] = [];
  const confirm = async (message: string, offered: boolean) => {
    asked.push(message);
    return offered;
  };
  return { asked, confirm, text: async () => "", several: async () => [] };
}

const agents = [{ name: "codex" }, { name: "droid" }, { name: "claude-code" }];

test("the set-up imports the sessions of connected agents if the user wants it, and says what cannot be read", async () => {
  const { caller, places } = openUser();
  const questions = asker();
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const told = await offerHistory({ agents, places, caller, say, isOffered: true }, questions);
  expect(said).toEqual(["importing ~/.codex/sessions …", "importing ~/.factory/sessions …"]);
  expect(told).toEqual([
    "~/.codex/sessions: 1 observation in 1 session",
    expect.stringMatching(/^~\/\.factory\/sessions: .*outside the folders/u),
  ]);
  expect(questions.asked).toEqual([expect.stringMatching(/~\/\.codex\/sessions, ~\/\.factory\/sessions$/u)]);
  const { call, close } = await caller();
  expect((await call(operations.listSessions, {})).sessions.map(({ id }) => id)).toEqual(["told"]);
  await close();
});

test("nothing is imported if the user does not want it, and nothing is asked where there is nothing", async () => {
  const { places } = openUser();
  const caller = () => Promise.reject(new Error("nobody asked for the store"));
  const say = () => expect.unreachable("nothing is imported");
  const questions = asker();
  expect(await offerHistory({ agents, places, caller, say, isOffered: false }, questions)).toEqual([]);
  expect(
    await offerHistory({ agents: [{ name: "pi" }], places, caller, say, isOffered: true }, questions),
  ).toEqual([]);
  expect(questions.asked).toHaveLength(1);
});
