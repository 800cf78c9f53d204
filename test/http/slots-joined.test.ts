import { describe, expect, test } from "vitest";
import { moveProject, separateProject } from "../../src/capture/projects/operations.ts";
import { appendToSlot, createSlot, deleteSlot, replaceSlot } from "../../src/knowledge/slots/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { on, slotSteps } from "../support/slot-steps.ts";

/* Folders that become one project and have slots with the same label. */

const [from, to] = ["/w/shop", "/w/store"];

const http = forEachTest(() => openTestHttp({ env: on }));

const { content, labels } = slotSteps(http);

const written = async (project: string, text: string) => {
  http.advance(1_000);
  await http.ok(replaceSlot, { label: "pending_items", content: text, project });
};
const moved = () => http.ok(moveProject, { from, to });

describe("when folders become one project, of two slots with the same label", () => {
  test.each([
    ["the new folder's", [from, to]],
    ["the old folder's", [to, from]],
  ])("the one written last keeps the label: %s", async (_, [first = "", second = ""]) => {
    await written(first, "earlier");
    await written(second, "later");
    await moved();
    for (const project of [from, to, "store"]) {
      expect(await content("pending_items", { project })).toBe("later");
      expect(await content("pending_items_2", { project })).toBe("earlier");
    }
    const { context } = await http.ok(buildContext, { project: to, sessionId: "s1" });
    expect(context).toContain("earlier");
    expect(context).toContain("later");
  });

  test("each is written and deleted under its own label from then on", async () => {
    await written(from, "one");
    await written(to, "two");
    await moved();
    await http.ok(appendToSlot, { label: "pending_items_2", text: "and more", project: to });
    await http.ok(appendToSlot, { label: "pending_items", text: "and others", project: to });
    expect(await content("pending_items_2", { project: to })).toBe("one\nand more");
    expect(await content("pending_items", { project: to })).toBe("two\nand others");
    await http.ok(deleteSlot, { label: "pending_items", project: to });
    expect(await content("pending_items", { project: to })).toBe("");
    expect(await content("pending_items_2", { project: to })).toBe("one\nand more");
  });

  test("one with the same content gets no new label, and a label in use is skipped", async () => {
    await http.ok(createSlot, { label: "pending_items_2", content: "own", project: from });
    await written(from, "one");
    await written(to, "two");
    await http.ok(createSlot, { label: "hints", content: "same", project: from });
    await http.ok(createSlot, { label: "hints", content: "same", project: to });
    await moved();
    expect(await content("pending_items_2", { project: to })).toBe("own");
    expect(await content("pending_items_3", { project: to })).toBe("one");
    expect(await labels({ project: to })).not.toContain("hints_2");
  });

  test.each([
    ["the new folder's", [from, to]],
    ["the old folder's", [to, from]],
  ])(
    "a blank one gives up the label, even if it was written later: %s",
    async (_, [first = "", second = ""]) => {
      await written(first, "one");
      await written(second, " ");
      await moved();
      expect(await content("pending_items", { project: to })).toBe("one");
      expect(await labels({ project: to })).not.toContain("pending_items_2");
    },
  );

  test("one with a label of maximum length is found under a shortened one", async () => {
    const label = "l".repeat(64);
    for (const project of [from, to]) {
      http.advance(1_000);
      await http.ok(createSlot, { label, content: `of ${project}`, project });
    }
    await moved();
    const other = `${"l".repeat(62)}_2`;
    await http.ok(appendToSlot, { label: other, text: "and more", project: to });
    expect(await content(other, { project: from })).toBe(`of ${from}\nand more`);
  });

  test("each isolated agent keeps its own, whatever other agents write", async () => {
    const isolated = await openTestHttp({ env: { ...on, MEMSVC_AGENT_SCOPE: "isolated" } });
    const replace = (project: string, agentId: string) => {
      isolated.advance(1_000);
      const text = `${agentId} in ${project}`;
      return isolated.ok(replaceSlot, { label: "pending_items", content: text, project, agentId });
    };
    for (const project of [from, to]) await replace(project, "ann");
    await replace(from, "bob");
    await isolated.ok(moveProject, { from, to });
    await isolated.ok(appendToSlot, { label: "pending_items", text: "more", project: to, agentId: "ann" });
    const of = (label: string, agentId: string) => content(label, { project: to, agentId }, isolated);
    expect(await of("pending_items", "ann")).toBe(`ann in ${to}\nmore`);
    expect(await of("pending_items_2", "ann")).toBe(`ann in ${from}`);
    expect(await of("pending_items", "bob")).toBe(`bob in ${from}`);
    await isolated.close();
  });

  test("both get their label back when the folders are separated again", async () => {
    await written(from, "one");
    await written(to, "two");
    await moved();
    expect(await labels({ project: to })).toContain("pending_items_2");
    await http.ok(separateProject, { folder: to });
    expect(await content("pending_items", { project: from })).toBe("one");
    expect(await content("pending_items", { project: to })).toBe("two");
  });

  test("both keep it while two checkouts only share a folder name", async () => {
    await written("/a/shop", "of a");
    await written("/b/shop", "of b");
    expect(await labels({ project: "shop" })).not.toContain("pending_items_2");
    expect(await content("pending_items", { project: "/a/shop" })).toBe("of a");
    expect(await content("pending_items", { project: "/b/shop" })).toBe("of b");
  });
});
