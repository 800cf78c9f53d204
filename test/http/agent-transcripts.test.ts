import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { importHash } from "../../src/capture/observations/content-hash.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { forget } from "../../src/knowledge/memories/operations.ts";
import {
  type AgentTranscript,
  agentTranscripts,
  answer,
  interim,
  prompt,
  subagentTranscripts,
} from "../support/agent-transcripts.ts";
import { cursorWrites } from "../support/cursor-database.ts";
import { editorSubagents, editorTranscripts } from "../support/editor-transcripts.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openCodeWrites } from "../support/opencode-database.ts";
import { openForTranscripts, transcriptSteps } from "../support/transcripts.ts";

const place = forEachTest(openForTranscripts);
const { at, load, observed, only, write } = transcriptSteps(place);

function lay({ files }: Pick<AgentTranscript, "files">): void {
  for (const [name, content] of Object.entries(files)) {
    if (typeof content === "string") writeFileSync(write(name, []), content);
    else if ("sessions" in content) openCodeWrites(at(name), content.sessions).close();
    else if ("composers" in content) cursorWrites(at(name), content.composers).close();
    else write(name, content);
  }
}

const told = async () =>
  (await observed()).map(({ hookType, toolName, title }) => [hookType, toolName ?? null, title]);

describe.each([...agentTranscripts, ...editorTranscripts])("a transcript of $agent", (transcript) => {
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
      tags: ["jsonl-import", transcript.agent.replace(/ \(.*\)$/u, "").replace(" ", "-")],
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
      place.http.ok(observe, {
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

describe.each([...subagentTranscripts, ...editorSubagents])(
  "what a sub-agent of $agent said",
  (transcript) => {
    test("belongs to the session that started it, and is no answer to the user", async () => {
      lay(transcript);
      await load({ path: at(".") });
      expect(await only()).toMatchObject({ id: "told", project: "shop" });
      const events = await observed();
      expect(events.map(({ hookType }) => hookType)).not.toContain("prompt_submit");
      expect(events.at(-1)).toMatchObject({ hookType: "subagent_stop", narrative: "There are three." });
    });
  },
);

/** The transcripts of one sub-agent, and of another that said something else at the same lines. */
function twoSubagents(name: string): [AgentTranscript["files"], AgentTranscript["files"]] {
  const { files = {} } = subagentTranscripts.find(({ agent }) => agent === name) ?? {};
  const ofAnother = JSON.stringify(files)
    .replace(/\bsub\b|agent-0/g, "agent-1")
    .replaceAll("the attempts", "the delays")
    .replaceAll("There are three.", "There are two.");
  return [files, JSON.parse(ofAnother)];
}

test.each(["codex", "kimi-code"])(
  "what two sub-agents of %s said at the same lines is kept",
  async (name) => {
    for (const files of twoSubagents(name)) lay({ files });
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

describe.each(["codex", "kimi-code"])("what versions before stored of a sub-agent of %s", (name) => {
  /** Imports the first sub-agent, under the keys that it had in those versions; returns the second's transcript. */
  const importFormerly = async () => {
    const [first, second] = twoSubagents(name);
    lay({ files: first });
    expect(await load({ path: at(".") })).toMatchObject({ observations: 2 });
    for (const line of [1, 2, 3, 4])
      for (const hookType of ["subagent_start", "subagent_stop"])
        for (const agent of ["sub", "agent-0"]) {
          const former = `#${line}:0:${hookType}`;
          const [now, before] = [`${agent}${former}`, former].map((key) => importHash("told", key));
          await place.http.writeSql(
            `UPDATE observations SET content_hash = '${before}' WHERE content_hash = '${now}'`,
          );
        }
    return second;
  };

  test("is not stored again, and what another said at the same lines is", async () => {
    const second = await importFormerly();
    expect(await load({ path: at(".") })).toMatchObject({ observations: 0, skippedDuplicates: 2 });
    lay({ files: second });
    expect(await load({ path: at(".") })).toMatchObject({ observations: 2, skippedDuplicates: 2 });
    expect(await observed()).toHaveLength(4);
  });

  test("does not come back after it was forgotten", async () => {
    await importFormerly();
    const observationIds = (await observed()).map(({ id }) => id);
    await place.http.ok(forget, { sessionId: "told", observationIds });
    expect(await load({ path: at(".") })).toMatchObject({ observations: 0 });
    expect(await observed()).toEqual([]);
  });
});

test("a conversation of Cline that is no whole JSON text is told, and the others are imported", async () => {
  const { files = {} } = agentTranscripts.find(({ agent }) => agent === "cline") ?? {};
  lay({ files: { ...files, "torn/torn.messages.json": '{"version": 1, "messages": [{"role":' } });
  expect(await load({ path: at(".") })).toMatchObject({
    imported: 1,
    errors: [{ path: at("torn/torn.messages.json"), error: "it is no JSON object with a list of messages" }],
  });
});
