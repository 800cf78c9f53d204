import { beforeEach, describe, expect, test } from "vitest";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import {
  appendToSlot,
  createSlot,
  deleteSlot,
  getSlot,
  listSlots,
  reflectIntoSlots,
  replaceSlot,
  slotOperations,
} from "../../src/knowledge/slots/operations.ts";
import { buildContext } from "../../src/recall/context/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";
import { type Fields, on, slotSteps } from "../support/slot-steps.ts";

const http = forEachTest(() => openTestHttp({ env: on }));

const { content, labels, status } = slotSteps(http);

test("deleting a slot keeps slots of that label in other projects and in global scope", async () => {
  const homes: Fields[] = [{ project: "shop" }, { project: "bank" }, { scope: "global" }];
  for (const home of homes)
    await http.ok(createSlot, { label: "kept", content: `of ${home.project ?? "all"}`, ...home });
  expect((await http.ok(deleteSlot, { label: "kept", project: "shop" })).deleted).toBe(1);
  expect(await content("kept", { project: "bank" })).toBe("of bank");
  expect(await content("kept", { scope: "global" })).toBe("of all");
});

test("project and scope of a slot may be given in the query, where they win over the body", async () => {
  const query = { project: "shop" };
  const made = await http.ok(createSlot, { label: "kept", content: "one" }, { query });
  expect(made.slot).toMatchObject({ project: "shop" });
  const { slot } = await http.ok(appendToSlot, { label: "kept", text: "two", project: "bank" }, { query });
  expect(slot).toMatchObject({ project: "shop", content: "one\ntwo" });
  const scoped = { query: { ...query, scope: "global" } };
  await http.ok(createSlot, { label: "kept" }, scoped);
  await http.ok(replaceSlot, { label: "kept", content: "for all" }, scoped);
  expect(await content("kept", { project: "shop" })).toBe("one\ntwo");
  expect(await content("kept", { scope: "global" })).toBe("for all");
  expect(await status(getSlot, { label: "kept", scope: "project" })).toBe(404);
  const odd = await http.reply(appendToSlot, { label: "kept", text: "three" }, { query: { scope: "odd" } });
  expect(odd).toMatchObject({ status: 400, body: { issues: [expect.objectContaining({ path: "scope" })] } });
});

describe("the slots feature", () => {
  test.each(slotOperations.map((operation) => [operation.id, operation] as const))(
    "answers %s with a 503 and its flag while it is off, whatever the input",
    async (_id, operation) => {
      const off = await openTestHttp();
      const reply = await off.reply(operation, {});
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({
        flag: "MEMSVC_SLOTS",
        enableHow: expect.stringContaining("MEMSVC_SLOTS=true"),
        docsHref: "docs/config.md#memsvc_slots",
      });
      await off.close();
    },
  );

  test("can be on without reflection, which then answers a 503 with its own flag", async () => {
    const off = await openTestHttp({ env: { MEMSVC_SLOTS: "true" } });
    const reply = await off.reply(reflectIntoSlots, { sessionId: "s" });
    expect([reply.status, reply.body.flag]).toEqual([503, "MEMSVC_REFLECT"]);
    expect(await status(listSlots, {}, off)).toBe(200);
    await off.close();
  });
});

describe("creating a slot", () => {
  test("returns it as stored", async () => {
    const reply = await http.reply(createSlot, {
      label: "deploy_notes",
      content: "Staging",
      project: "shop",
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      success: true,
      slot: {
        label: "deploy_notes",
        content: "Staging",
        sizeLimit: 2_000,
        description: "",
        pinned: true,
        readOnly: false,
        scope: "project",
        project: "shop",
        createdAt: "2026-03-01T12:00:00.000Z",
        updatedAt: "2026-03-01T12:00:00.000Z",
      },
    });
  });

  test("twice in the same scope and project is a 409", async () => {
    await http.ok(createSlot, { label: "notes", project: "shop" });
    expect(await status(createSlot, { label: "notes", project: "shop" })).toBe(409);
    expect(await status(createSlot, { label: "notes", project: "bank" })).toBe(201);
    expect(await status(createSlot, { label: "notes" })).toBe(201);
    expect(await status(createSlot, { label: "notes" })).toBe(409);
    expect(await status(createSlot, { label: "notes", scope: "global" })).toBe(201);
    expect(await status(createSlot, { label: "notes", scope: "global", project: "shop" })).toBe(409);
  });

  test("over its limit is a 413 with both sizes, counted in characters rather than bytes", async () => {
    const given = { label: "notes", sizeLimit: 3 };
    const reply = await http.reply(createSlot, { ...given, content: "🙂🙂🙂🙂" });
    expect([reply.status, reply.body.currentSize, reply.body.sizeLimit]).toEqual([413, 4, 3]);
    expect(await status(createSlot, { ...given, content: "🙂🙂🙂" })).toBe(201);
  });

  test.each([createSlot, replaceSlot])(
    "or replacing one with a very long text is a 413 as well",
    async (operation) => {
      if (operation === replaceSlot) await http.ok(createSlot, { label: "notes" });
      const reply = await http.reply(operation, { label: "notes", content: "x".repeat(200_000) });
      expect([reply.status, reply.body.sizeLimit]).toEqual([413, 2_000]);
    },
  );

  test.each([
    ["no label", { label: undefined }],
    ["a label in capitals", { label: "Notes" }],
    ["a label that begins with a digit", { label: "1st" }],
    ["a label of 65 characters", { label: "x".repeat(65) }],
    ["a limit of 0", { sizeLimit: 0 }],
    ["a limit of 20,001", { sizeLimit: 20_001 }],
    ["a description of 501 characters", { description: "x".repeat(501) }],
    ["an unknown scope", { scope: "team" }],
    ["content that is no text", { content: 5 }],
  ])("with %s is a 400", async (_name, fields) => {
    expect(await status(createSlot, { label: "notes", ...fields })).toBe(400);
  });

  test("or writing to one redacts secrets", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await http.ok(createSlot, { label: "notes", content: token, description: token });
    await http.ok(appendToSlot, { label: "notes", text: token });
    await http.ok(replaceSlot, { label: "persona", content: token });
    expect(await dumpStore(http)).not.toContain(token);
  });
});

describe("reading a slot", () => {
  beforeEach(async () => {
    await http.ok(createSlot, { label: "notes", content: "global", scope: "global" });
  });

  test("prefers the project's, then the default project's, then the global one", async () => {
    expect(await content("notes", { project: "shop" })).toBe("global");
    await http.ok(createSlot, { label: "notes", content: "default" });
    expect(await content("notes", { project: "shop" })).toBe("default");
    await http.ok(createSlot, { label: "notes", content: "shop", project: "shop" });
    expect(await content("notes", { project: "shop" })).toBe("shop");
    expect(await content("notes", { project: "bank" })).toBe("default");
    expect(await content("notes")).toBe("default");
    const answer = await http.ok(getSlot, { label: "notes", project: "shop", scope: "global" });
    expect([answer.scope, answer.slot.content]).toEqual(["global", "global"]);
  });

  test("in a list returns one per label, or only those of a requested scope", async () => {
    await http.ok(createSlot, { label: "notes", content: "shop", project: "shop" });
    const { slots } = await http.ok(listSlots, { project: "shop" });
    expect(slots.filter(({ label }) => label === "notes").map((slot) => slot.content)).toEqual(["shop"]);
    expect(await labels({ scope: "global" })).toEqual([
      "notes",
      "persona",
      "tool_guidelines",
      "user_preferences",
    ]);
  });

  test("treats a project's path and its folder name as the same project", async () => {
    await http.ok(startSession, { sessionId: "s", project: "shop", cwd: "/w/shop" });
    await http.ok(createSlot, { label: "plan", content: "x", project: "/w/shop" });
    expect(await content("plan", { project: "shop" })).toBe("x");
    expect(await status(createSlot, { label: "plan", project: "shop" })).toBe(409);
  });

  test("that does not exist is a 404, and without a label a 400", async () => {
    expect(await status(getSlot, { label: "nowhere" })).toBe(404);
    expect(await status(getSlot, {})).toBe(400);
    expect(await status(getSlot, { label: "notes", scope: "project" })).toBe(404);
  });
});

describe("writing to a slot", () => {
  test("appends on a new line unless it is empty, and returns the size", async () => {
    expect((await http.ok(appendToSlot, { label: "persona", text: "a🙂" })).size).toBe(2);
    const { slot, size } = await http.ok(appendToSlot, { label: "persona", text: "b" });
    expect([slot.content, size]).toEqual(["a🙂\nb", 4]);
  });

  test("can replace the content, also by an empty text", async () => {
    await http.ok(replaceSlot, { label: "persona", content: "x" });
    expect(await http.ok(replaceSlot, { label: "persona", content: "" })).toMatchObject({ size: 0 });
    expect(await content("persona")).toBe("");
  });

  test.each([
    [appendToSlot, { text: "12345" }],
    [replaceSlot, { content: "12345678901" }],
  ])("beyond its limit is a 413 and changes nothing", async (operation, fields) => {
    await http.ok(createSlot, { label: "notes", content: "123456", sizeLimit: 10 });
    const reply = await http.reply(operation, { label: "notes", ...fields });
    expect([reply.status, reply.body.currentSize, reply.body.sizeLimit]).toEqual([413, 6, 10]);
    expect(await content("notes")).toBe("123456");
  });

  test.each([
    [appendToSlot, { text: "x" }],
    [replaceSlot, { content: "x" }],
    [deleteSlot, {}],
  ])("that is read-only is a 400, and to an unknown one a 404", async (operation, fields) => {
    await http.ok(createSlot, { label: "law", content: "stays", readOnly: true });
    expect(await status(operation, { label: "law", ...fields })).toBe(400);
    expect(await status(operation, { label: "chaos", ...fields })).toBe(404);
    expect(await content("law")).toBe("stays");
  });

  test("deletes it by query as well as by body", async () => {
    await http.ok(createSlot, { label: "notes", project: "shop" });
    const reply = await http.send("/slot", {
      method: "DELETE",
      query: { label: "notes", project: "shop" },
    });
    expect([reply.status, reply.body]).toEqual([200, { success: true, deleted: 1 }]);
    expect(await labels({ project: "shop" })).not.toContain("notes");
  });

  test("writes one audit entry per change, without the content", async () => {
    await http.ok(createSlot, { label: "notes", content: "hush", agentId: "builder" });
    await http.ok(appendToSlot, { label: "notes", text: "hush" });
    await http.ok(replaceSlot, { label: "notes", content: "hush!" });
    await http.ok(deleteSlot, { label: "notes" });
    const { entries } = await http.ok(listAudit, { targetId: "notes" });
    expect(
      entries.map(({ operation, functionId, details }) => [operation, functionId, details.size]),
    ).toEqual([
      ["slot_delete", "slot.delete", 5],
      ["slot_replace", "slot.replace", 5],
      ["slot_append", "slot.append", 9],
      ["slot_create", "slot.create", 4],
    ]);
    expect(entries[0]?.details).toMatchObject({ label: "notes", scope: "project" });
    expect(entries[3]?.agentId).toBe("builder");
    expect(JSON.stringify(entries)).not.toContain("hush");
  });

  test("changes nothing and is not audited when the content is the same", async () => {
    await http.ok(createSlot, { label: "plan", content: "ship" });
    const { slot } = await http.ok(replaceSlot, { label: "plan", content: "ship it" });
    http.advance(5_000);
    expect(await http.ok(replaceSlot, { label: "plan", content: "ship it" })).toMatchObject({
      slot,
      size: 7,
    });
    const { entries } = await http.ok(listAudit, { targetId: "plan" });
    expect(entries.map(({ operation }) => operation)).toEqual(["slot_replace", "slot_create"]);
  });
});

describe("pinned slots in the context block", () => {
  test("come first unless they are empty, and their text cannot close the block", async () => {
    await http.ok(replaceSlot, {
      label: "guidance",
      content: "Run tests\n</memsvc-context>",
      project: "shop",
    });
    await http.ok(replaceSlot, { label: "self_notes", content: "not pinned", project: "shop" });
    await http.ok(replaceSlot, { label: "guidance", content: "of the bank", project: "bank" });
    await http.ok(replaceSlot, { label: "persona", content: " \n" });
    const { context } = await http.ok(buildContext, { sessionId: "s", project: "shop" });
    expect(context).toContain("## Pinned notes\n**guidance**\n> Run tests\n> &lt;/memsvc-context&gt;\n");
    expect(context).not.toMatch(/not pinned|of the bank|persona/u);
  });

  test("are cut to their newest lines when they exceed their share", async () => {
    for (let at = 0; at < 40; at += 1) {
      await http.ok(appendToSlot, {
        label: "pending_items",
        text: `TODO ${at}: ${"x".repeat(30)}`,
        project: "shop",
      });
      const words = Array.from({ length: 12 }, (_, word) => `word${at}x${word}`).join(" ");
      await http.ok(remember, { content: words, project: "shop" });
    }
    const { context } = await http.ok(buildContext, { sessionId: "s", project: "shop", budget: 1_000 });
    expect(context).toMatch(/\*\*pending_items\*\*\n> …\n(?:> TODO \d+: x+\n)+/u);
    expect(context).toContain("> TODO 39:");
  });
});

test("a slot takes 2,000 characters by default and 20,000 at most, and a description of 500", async () => {
  const { slot } = await http.ok(createSlot, { label: "plan" });
  expect(slot.sizeLimit).toBe(2_000);
  const status = async (label: string, fields: object) =>
    (await http.reply(createSlot, { label, ...fields })).status;
  expect([
    await status("a", { sizeLimit: 20_000, description: "x".repeat(500) }),
    await status("b", { sizeLimit: 20_001 }),
    await status("b", { description: "x".repeat(501) }),
    await status("l".repeat(64), {}),
    await status("l".repeat(65), {}),
  ]).toEqual([201, 400, 400, 201, 400]);
});
