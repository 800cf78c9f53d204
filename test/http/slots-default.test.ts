import { describe, expect, test } from "vitest";
import { listAudit } from "../../src/governance/audit/operations.ts";
import {
  appendToSlot,
  createSlot,
  deleteSlot,
  getSlot,
  listSlots,
  replaceSlot,
} from "../../src/knowledge/slots/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { on, slotSteps } from "../support/slot-steps.ts";

const http = forEachTest(() => openTestHttp({ env: on }));

const { content, status } = slotSteps(http);

describe("default slots", () => {
  test("are listed empty and unchanged for every project, without being stored", async () => {
    const before = await dumpStore(http);
    const { slots, total } = await http.ok(listSlots, { project: "shop" });
    expect(slots.map(({ label, sizeLimit, scope, pinned }) => [label, sizeLimit, scope, pinned])).toEqual([
      ["guidance", 1_500, "project", true],
      ["pending_items", 2_000, "project", true],
      ["persona", 1_000, "global", true],
      ["project_context", 3_000, "project", true],
      ["self_notes", 1_500, "project", false],
      ["session_patterns", 1_500, "project", false],
      ["tool_guidelines", 1_500, "global", true],
      ["user_preferences", 2_000, "global", true],
    ]);
    expect(total).toBe(8);
    expect(slots.every((slot) => slot.content === "" && !slot.readOnly)).toBe(true);
    expect(slots.find(({ label }) => label === "guidance")?.project).toBe("shop");
    expect(slots.find(({ label }) => label === "persona")).not.toHaveProperty("project");
    http.advance(5_000);
    expect((await http.ok(listSlots, { project: "shop" })).slots).toEqual(slots);
    expect(await http.ok(getSlot, { label: "guidance", project: "shop" })).toMatchObject({ slot: slots[0] });
    expect(await dumpStore(http)).toBe(before);
  });

  test("are stored for the project when first written, even if the default project has them", async () => {
    await http.ok(replaceSlot, { label: "guidance", content: "for all" });
    expect(await content("guidance", { project: "shop" })).toBe("for all");
    http.advance(5_000);
    const { slot } = await http.ok(appendToSlot, { label: "guidance", text: "own", project: "/w/shop" });
    const now = new Date(http.now()).toISOString();
    expect(slot).toMatchObject({ content: "own", project: "/w/shop", createdAt: now, updatedAt: now });
    expect(await content("guidance", { project: "shop" })).toBe("own");
    expect(await content("guidance")).toBe("for all");
    http.advance(5_000);
    const { slot: again } = await http.ok(appendToSlot, { label: "guidance", text: "b", project: "shop" });
    expect(again).toMatchObject({ content: "own\nb", project: "/w/shop", createdAt: now });
  });

  test("can be written at once, and are empty again after deletion", async () => {
    await http.ok(appendToSlot, { label: "persona", text: "careful" });
    expect(await content("persona")).toBe("careful");
    expect((await http.ok(deleteSlot, { label: "persona" })).deleted).toBe(1);
    expect(await content("persona")).toBe("");
  });

  test("with global scope are shared by all projects", async () => {
    await http.ok(appendToSlot, { label: "persona", text: "careful", project: "shop" });
    await http.ok(appendToSlot, { label: "persona", text: "brief", project: "tax" });
    for (const place of [{}, { project: "shop" }, { project: "tax" }])
      expect(await content("persona", place)).toBe("careful\nbrief");
  });

  test("are separate from a slot with the same label in another scope", async () => {
    await http.ok(createSlot, { label: "guidance", scope: "global", content: "for all" });
    await http.ok(appendToSlot, { label: "guidance", text: "of the default project" });
    expect(await content("guidance")).toBe("of the default project");
    expect(await content("guidance", { scope: "global" })).toBe("for all");
  });

  test("fall back to the default project's until the project has its own", async () => {
    await http.ok(replaceSlot, { label: "project_context", content: "one repository" });
    expect(await content("project_context", { project: "shop" })).toBe("one repository");
    const { slots } = await http.ok(listSlots, { project: "shop" });
    expect(slots.map(({ label }) => label)).toHaveLength(8);
    const shown = slots.find(({ label }) => label === "project_context");
    expect(shown).toMatchObject({ content: "one repository" });
    expect(shown).not.toHaveProperty("project");
    const { context } = await http.ok(buildContext, { sessionId: "s", project: "shop" });
    expect(context).toContain("one repository");
    await http.ok(replaceSlot, { label: "project_context", content: "the shop", project: "shop" });
    expect(await content("project_context", { project: "shop" })).toBe("the shop");
    expect(await content("project_context")).toBe("one repository");
  });

  test("that are emptied for a project do not fall back", async () => {
    await http.ok(replaceSlot, { label: "guidance", content: "of all" });
    await http.ok(replaceSlot, { label: "guidance", project: "shop", content: "" });
    expect(await content("guidance", { project: "shop" })).toBe("");
    expect(await content("guidance", { project: "bank" })).toBe("of all");
  });

  test("can be deleted without an audit entry when there is nothing to delete", async () => {
    await http.ok(replaceSlot, { label: "guidance", content: "for all" });
    expect(await http.ok(deleteSlot, { label: "guidance", project: "shop" })).toMatchObject({ deleted: 1 });
    expect(await content("guidance")).toBe("for all");
    const { entries } = await http.ok(listAudit, { targetId: "guidance" });
    expect(entries.map(({ operation }) => operation)).toEqual(["slot_replace"]);
  });

  test("are not stored by a refused request", async () => {
    const before = await dumpStore(http);
    expect(await status(getSlot, { label: "nothing_such", project: "shop" })).toBe(404);
    expect(await status(appendToSlot, { label: "nothing_such", text: "x" })).toBe(404);
    expect(await dumpStore(http)).toBe(before);
  });

  test("cannot be created explicitly", async () => {
    expect(await status(createSlot, { label: "guidance", project: "shop" })).toBe(409);
    expect(await status(createSlot, { label: "persona", scope: "global" })).toBe(409);
  });
});
