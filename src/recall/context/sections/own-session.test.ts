import { expect, test } from "vitest";
import { openTestCore } from "../../../../test/support/core.ts";
import { forEachTest } from "../../../../test/support/for-each-test.ts";
import { observe } from "../../../capture/observations/operations.ts";
import { startSession } from "../../../capture/sessions/operations.ts";
import { remember } from "../../../knowledge/memories/operations.ts";
import { asking, eventIn, failureIn, project } from "../context-fixture.ts";
import { buildContext } from "../operations.ts";

const memsvc = forEachTest(openTestCore);

const event = (sessionId: string, hookType: string, data: unknown) =>
  eventIn(memsvc, sessionId, hookType, data);
const failure = (sessionId: string, error: string) => failureIn(memsvc, sessionId, error);

test("shows the asking session's own work on request, first and apart from the rest", async () => {
  await memsvc.call(remember, { content: "Retries use full jitter", project });
  await event("earlier", "prompt_submit", { prompt: "paint the giraffe_view of the shop" });
  await event("asking", "prompt_submit", { prompt: "repair the zebra_parser in src" });
  await event("asking", "post_tool_use", {
    toolName: "Edit",
    toolInput: { file_path: `${project}/src/zebra.ts`, old_string: "a", new_string: "b" },
  });
  await event("asking", "stop", {
    assistantResponse: "We decided to cap the stripes at 12. Next step: test it.",
  });
  for (const told of [
    (await memsvc.call(buildContext, { ...asking, includeOwn: true })).context,
    (await memsvc.call(startSession, { ...asking, includeOwn: true })).context,
  ]) {
    const [, own = "", ...others] = told.split(/^## .+\n/mu);
    expect(told).toMatch(
      /commands found in them\.\n\n## This session so far\n- \d{4}-\d\d-\d\d repair the zebra_parser/u,
    );
    expect(own).toContain("src/zebra.ts");
    expect(own).toContain("Decided: We decided to cap the stripes at 12.");
    expect(own).toContain("Left to do: test it.");
    expect(others.join("")).toContain("Retries use full jitter");
    expect(others.join("")).toContain("paint the giraffe_view of the shop");
    expect(others.join("")).not.toContain("zebra");
  }
  const withoutIt = (await memsvc.call(startSession, asking)).context;
  expect(withoutIt).toContain("giraffe_view");
  expect(withoutIt).not.toContain("zebra");
});

test("shows the asking session its first and last meaningful prompts in full", async () => {
  const first = `Import the export. ${"Rows that fail go to a file. ".repeat(4)}Leave pandas out of it.`;
  await event("asking", "prompt_submit", { prompt: first });
  await event("asking", "prompt_submit", { prompt: "Go on with the next file. It is the larger one." });
  await event("asking", "prompt_submit", { prompt: "ok, go on" });
  const { context } = await memsvc.call(buildContext, { ...asking, includeOwn: true });
  expect(context).toContain("  - Asked last: Go on with the next file. It is the larger one.\n");
  expect(context).toContain(`  - Asked first: ${first}\n`);
  await event("short", "prompt_submit", { prompt: "Paint the shed" });
  const short = await memsvc.call(buildContext, { ...asking, sessionId: "short", includeOwn: true });
  expect(short.context).toMatch(/so far\n- \S+ Paint the shed\n(?!\s*- Asked)/u);
});

test("shows nothing of a session that has done nothing yet", async () => {
  const { context } = await memsvc.call(startSession, { ...asking, includeOwn: true });
  expect(context).toBe("");
});

test("shows nothing of a session that is unknown, or another agent's where agents are isolated", async () => {
  const prompt = "repair the zebra_parser in src";
  await event("asking", "prompt_submit", { prompt });
  const unknown = { ...asking, sessionId: "unknown", includeOwn: true };
  expect((await memsvc.call(buildContext, unknown)).context).not.toContain("This session so far");
  const isolated = await openTestCore({ env: { MEMSVC_AGENT_SCOPE: "isolated" } });
  await isolated.call(startSession, { ...asking, agentId: "ann" });
  await isolated.call(observe, {
    ...{ ...asking, agentId: "ann", hookType: "prompt_submit", timestamp: "2026-03-01T12:00:00Z" },
    data: { prompt },
  });
  const told = async (agentId: string) =>
    (await isolated.call(buildContext, { ...asking, agentId, includeOwn: true })).context;
  expect(await told("ann")).toContain("zebra_parser");
  expect(await told("eve")).toBe("");
  await isolated.close();
});

test("leaves out everything that the asking session itself did", async () => {
  await event("asking", "prompt_submit", { prompt: "repair the zebra_parser in src" });
  await failure("asking", "Error: zebra escaped");
  expect((await memsvc.call(buildContext, asking)).context).toBe("");
  const other = await memsvc.call(buildContext, { ...asking, sessionId: "another" });
  expect(other.context).toContain("zebra_parser");
});

test("leaves out the asking session even if the project's stored profile includes it", async () => {
  await event("other", "prompt_submit", { prompt: "repair the giraffe_parser" });
  await event("asking", "prompt_submit", { prompt: "repair the zebra_parser" });
  await memsvc.call(buildContext, { ...asking, sessionId: "third" });
  const { context } = await memsvc.call(buildContext, asking);
  expect(context).toContain("giraffe_parser");
  expect(context).not.toContain("zebra_parser");
});
