import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import {
  appendToSlot,
  createSlot,
  deleteSlot,
  getSlot,
  listSlots,
  reflectIntoSlots,
  replaceSlot,
} from "../../src/knowledge/slots/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { type Fields, on, slotSteps } from "../support/slot-steps.ts";

const http = forEachTest(() => openTestHttp({ env: on }));

const { content, labels, status } = slotSteps(http);

describe("in isolated scope agents", () => {
  const isolated = forEachTest(() => openTestHttp({ env: { ...on, MEMSVC_AGENT_SCOPE: "isolated" } }));

  test("have their own slots", async () => {
    await isolated.ok(replaceSlot, { label: "persona", content: "of a", agentId: "a" });
    await isolated.ok(replaceSlot, { label: "persona", content: "of b", agentId: "b" });
    const { slot } = await isolated.ok(getSlot, { label: "persona", agentId: "a" });
    expect([slot.content, slot.agentId]).toEqual(["of a", "a"]);
    await isolated.ok(createSlot, { label: "notes", agentId: "a" });
    expect(await status(getSlot, { label: "notes", agentId: "b" }, isolated)).toBe(404);
    expect(await status(createSlot, { label: "notes", agentId: "b" }, isolated)).toBe(201);
    expect(await labels({ agentId: "c" }, isolated)).toHaveLength(8);
    const everybodys = await isolated.ok(listSlots, { agentId: "*" });
    expect(everybodys.slots.filter(({ label }) => label === "notes")).toHaveLength(2);
    const { context } = await isolated.ok(buildContext, { sessionId: "s", project: "p", agentId: "b" });
    expect(context).toContain("> of b");
    expect(context).not.toContain("of a");
  });

  test("keep their slots when a request for all agents writes", async () => {
    for (const agentId of ["ann", "bob"])
      await isolated.ok(createSlot, { label: "notes", content: `of ${agentId}`, agentId });
    const everybody = { label: "notes", agentId: "*" };
    expect((await isolated.reply(appendToSlot, { ...everybody, text: "more" })).status).toBe(404);
    expect((await isolated.reply(deleteSlot, everybody)).status).toBe(404);
    await isolated.ok(createSlot, { ...everybody, content: "of nobody" });
    const { slot } = await isolated.ok(replaceSlot, { ...everybody, content: "of nobody still" });
    expect(slot).toMatchObject({ content: "of nobody still" });
    for (const agentId of ["ann", "bob"])
      expect((await isolated.ok(getSlot, { label: "notes", agentId })).slot.content).toBe(`of ${agentId}`);
  });

  test("see their own slot before one without an agent, if they include orphans", async () => {
    const make = (fields: Fields) => isolated.ok(createSlot, { label: "notes", ...fields });
    await make({ content: "of nobody" });
    isolated.advance(1_000);
    await make({ content: "of ann", agentId: "ann" });
    for (const [agentId, shown] of [
      ["ann", "of ann"],
      ["bob", "of nobody"],
    ] as const) {
      const { slot } = await isolated.ok(getSlot, { label: "notes", agentId, includeOrphans: true });
      expect(slot.content).toBe(shown);
    }
    expect(await status(getSlot, { label: "notes", agentId: "bob" }, isolated)).toBe(404);
  });

  test("must be named to read slots", async () => {
    expect(await status(listSlots, {}, isolated)).toBe(400);
    expect(await status(getSlot, { label: "persona" }, isolated)).toBe(400);
  });

  test("get the reflection of a session into the slots of the session's agent", async () => {
    const place = { project: "shop", cwd: "/w/shop" };
    await isolated.ok(startSession, { sessionId: "s1", ...place, agentId: "a" });
    const timestamp = "2026-03-01T10:00:00Z";
    const data = { prompt: "todo: tidy up" };
    await isolated.ok(observe, { sessionId: "s1", ...place, hookType: "prompt_submit", timestamp, data });
    expect(await status(reflectIntoSlots, { sessionId: "s1", agentId: "b" }, isolated)).toBe(404);
    await isolated.ok(reflectIntoSlots, { sessionId: "s1", agentId: "*" });
    expect(await content("pending_items", { project: "shop", agentId: "a" }, isolated)).toBe("todo: tidy up");
    expect(await content("pending_items", { project: "shop", agentId: "b" }, isolated)).toBe("");
  });
});

test("in shared scope all agents have the same slots", async () => {
  await http.ok(replaceSlot, { label: "persona", content: "ours", agentId: "a" });
  expect(await content("persona", { agentId: "b" })).toBe("ours");
  const place = { project: "shop", cwd: "/w/shop" };
  await http.ok(startSession, { sessionId: "s1", ...place, agentId: "a" });
  const said = { hookType: "prompt_submit", data: { prompt: "todo: tidy up" } };
  await http.ok(observe, { sessionId: "s1", ...place, ...said, timestamp: "2026-03-01T10:00:00Z" });
  await http.ok(reflectIntoSlots, { sessionId: "s1", agentId: "a" });
  expect(await content("pending_items", { project: "shop", agentId: "b" })).toBe("todo: tidy up");
});
