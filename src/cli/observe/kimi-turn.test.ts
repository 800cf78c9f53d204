import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { endsKimiTurn } from "../../capture/observations/hooks/kimi-hooks.ts";
import { turnOfKimi } from "./kimi-turn.ts";

/* Lines as Kimi Code 2.1 writes them, shortened. */

const asked = { type: "turn.prompt", agentId: "main", input: [{ type: "text", text: "Fix it" }], turnId: 0 };
const loop = (event: object) => ({ type: "context.append_loop_event", agentId: "main", event });
const part = (type: string, text: string) => loop({ type: "content.part", part: { type, text } });
const step = (finishReason: string, ...parts: readonly object[]) => [
  loop({ type: "step.begin", step: 1 }),
  ...parts,
  loop({ type: "step.end", step: 1, finishReason }),
];
const looked = step("tool_use", part("text", "I look."));
const over = { turnId: 0, outcome: "done", type: "agent.turn.ended", kind: "event" };

const stop = {
  hook_event_name: "Stop",
  session_id: "session_f42c1d60",
  cwd: "/code/shop",
  client_type: "kimi_code_cli",
  stop_hook_active: false,
};

let home: string;
beforeEach(() => {
  home = temporaryFolder();
  vi.stubEnv("KIMI_CODE_HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

function transcriptOf(...lines: readonly object[]): string {
  const folder = join(home, "sessions", "wd_shop_7fae60586181", stop.session_id, "agents", "main");
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, "sessions", "wd_other_93ab6f0c7d1e"), { recursive: true });
  writeFileSync(join(folder, "wire.jsonl"), textOf(lines));
  return join(folder, "wire.jsonl");
}

describe("the end of a turn of Kimi Code", () => {
  test("has the text of its last step", async () => {
    const answer = step(
      "end_turn",
      part("think", "Is it?"),
      part("text", "Fixed."),
      part("text", "One is left."),
    );
    transcriptOf(asked, ...looked, ...answer, over);
    expect(endsKimiTurn(stop)).toBe(true);
    expect(await turnOfKimi(stop)).toEqual({
      payloads: [{ ...stop, last_assistant_message: "Fixed.\nOne is left." }],
    });
  });

  test("has no answer of the turn before, nor one that says nothing", async () => {
    transcriptOf(...step("end_turn", part("text", "Of the turn before")), asked, ...step("end_turn"), over);
    expect(await turnOfKimi(stop)).toEqual({ payloads: [stop] });
    transcriptOf(asked, ...step("end_turn", part("text", "Of the turn before")), over, asked);
    expect(await turnOfKimi(stop)).toEqual({ payloads: [stop] });
  });

  test("has the answer that is written only after the hook began, and no earlier text in its place", async () => {
    const path = transcriptOf(asked, ...looked);
    const read = turnOfKimi(stop);
    appendFileSync(path, textOf(step("end_turn", part("text", "Fixed."))));
    expect((await read).payloads).toEqual([{ ...stop, last_assistant_message: "Fixed." }]);
    transcriptOf(asked, ...looked);
    expect(await turnOfKimi(stop)).toEqual({ payloads: [stop] });
  });

  test("is captured without an answer if there is no transcript", async () => {
    expect(await turnOfKimi(stop)).toEqual({ payloads: [stop] });
    expect(endsKimiTurn({ ...stop, session_id: "../../elsewhere" })).toBe(false);
    expect(endsKimiTurn({ ...stop, hook_event_name: "SubagentStop" })).toBe(false);
  });
});
