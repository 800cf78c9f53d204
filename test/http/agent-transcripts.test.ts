import { rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import {
  type AgentTranscript,
  agentTranscripts,
  answer,
  interim,
  prompt,
  subagentTranscripts,
} from "../support/agent-transcripts.ts";
import type { TestHttp } from "../support/http.ts";
import { openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

let folder: string;
let http: TestHttp;
const { at, load, observed, only, write } = transcriptSteps(() => ({ folder, http }));
beforeEach(async () => {
  ({ folder, http } = await openForTranscripts());
});
afterEach(async () => {
  await http.close();
  rmSync(folder, { recursive: true, force: true });
});

function lay({ files }: Pick<AgentTranscript, "files">): void {
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === "string") writeFileSync(write(name, []), content);
    else write(name, content);
  }
}

const told = async () =>
  (await observed()).map(({ hookType, toolName, title }) => [hookType, toolName ?? null, title]);

describe.each(agentTranscripts)("a transcript of $agent", (transcript) => {
  const { tools, failed } = transcript;
  const [reads, runs, changes] = tools;

  test("becomes the events that its hooks would have sent", async () => {
    lay(transcript);
    expect(await load({ path: at(".") })).toMatchObject({ imported: 1, observations: 6, errors: [] });
    expect(await only()).toMatchObject({
      id: "told",
      project: "shop",
      cwd: "/home/dev/shop",
      status: "completed",
      startedAt: "2026-02-01T09:00:01.000Z",
      endedAt: "2026-02-01T09:00:09.000Z",
      firstPrompt: prompt,
    });
    const events = await told();
    expect(events).toEqual([
      ["prompt_submit", null, prompt],
      ["stop", null, interim],
      ["post_tool_use", reads, expect.stringContaining("retry.ts")],
      [
        failed,
        runs,
        failed === "post_tool_use" ? "npm test (exit 1)" : `${runs} failed: Error: 2 tests failed`,
      ],
      ["post_tool_use", changes, expect.stringContaining("retry.ts")],
      ["stop", null, answer],
    ]);
    expect((await observed()).map(({ narrative }) => narrative).join()).not.toMatch(
      /Wall time|exit(ed)? code|bin\/bash/i,
    );
  });

  test("adds nothing when it is imported again", async () => {
    lay(transcript);
    await load({ path: at(".") });
    expect(await load({ path: at(".") })).toMatchObject({ observations: 0, skippedDuplicates: 6 });
  });

  test("adds only what hooks have not told", async () => {
    lay(transcript);
    const say = (hookType: string, data: Record<string, unknown>, second: number) =>
      http.ok(observe, {
        hookType,
        sessionId: "told",
        project: "shop",
        cwd: "/home/dev/shop",
        timestamp: `2026-02-01T09:00:0${second}.500Z`,
        data,
      });
    await say("prompt_submit", { prompt }, 1);
    await say("stop", { last_assistant_message: answer }, 9);
    expect(await load({ path: at(".") })).toMatchObject({ observations: 4, skippedDuplicates: 2 });
  });
});

describe.each(subagentTranscripts)("what a sub-agent of $agent said", (transcript) => {
  test("belongs to the session that started it, and is no answer to the user", async () => {
    lay(transcript);
    await load({ path: at(".") });
    expect(await only()).toMatchObject({ id: "told", project: "shop" });
    const events = await observed();
    expect(events.map(({ hookType }) => hookType)).not.toContain("prompt_submit");
    expect(events.at(-1)).toMatchObject({ hookType: "subagent_stop", narrative: "There are three." });
  });
});

test.each(["codex", "kimi-code"])(
  "what two sub-agents of %s said at the same lines is kept",
  async (name) => {
    const { files = {} } = subagentTranscripts.find(({ agent }) => agent === name) ?? {};
    const ofAnother = JSON.stringify(files)
      .replace(/\bsub\b|agent-0/g, "agent-1")
      .replaceAll("the attempts", "the delays")
      .replaceAll("There are three.", "There are two.");
    lay({ files });
    lay({ files: JSON.parse(ofAnother) });
    expect(await load({ path: at(".") })).toMatchObject({
      imported: 2,
      observations: 4,
      skippedDuplicates: 0,
    });
    expect((await told()).map(([, , title]) => title).toSorted()).toEqual([
      ...["Subagent: Count the attempts", "Subagent: Count the delays"],
      ...["Subagent: There are three.", "Subagent: There are two."],
    ]);
  },
);
