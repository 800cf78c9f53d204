import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession, startSession } from "../../src/capture/sessions/operations.ts";
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
import { dumpStore, openTestHttp, type TestHttp } from "../support/http.ts";

const on = { MEMSVC_SLOTS: "true", MEMSVC_REFLECT: "true" };

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp({ env: on });
});
afterEach(() => http.close());

type Fields = Readonly<Record<string, unknown>>;

async function content(label: string, fields: Fields = {}, from = http) {
  return (await from.ok(getSlot, { label, ...fields })).slot.content;
}

async function labels(fields: Fields = {}, from = http) {
  return (await from.ok(listSlots, fields)).slots.map(({ label }) => label);
}

async function status(operation: (typeof slotOperations)[number], fields: Fields, from = http) {
  return (await from.reply(operation, fields)).status;
}

test("deleting a slot leaves the slots of that name in other projects and for all of them", async () => {
  const homes: Fields[] = [{ project: "shop" }, { project: "bank" }, { scope: "global" }];
  for (const home of homes)
    await http.ok(createSlot, { label: "kept", content: `of ${home.project ?? "all"}`, ...home });
  expect((await http.ok(deleteSlot, { label: "kept", project: "shop" })).deleted).toBe(1);
  expect(await content("kept", { project: "bank" })).toBe("of bank");
  expect(await content("kept", { scope: "global" })).toBe("of all");
});

test("the project and the scope of a slot stand in the query as well as in the body, and win there", async () => {
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

describe("the feature", () => {
  test.each(slotOperations.map((operation) => [operation.id, operation] as const))(
    "%s answers 503 with the flag while slots are off, whatever it is asked",
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

  test("reflection alone can be off, and says so", async () => {
    const off = await openTestHttp({ env: { MEMSVC_SLOTS: "true" } });
    const reply = await off.reply(reflectIntoSlots, { sessionId: "s" });
    expect([reply.status, reply.body.flag]).toEqual([503, "MEMSVC_REFLECT"]);
    expect(await status(listSlots, {}, off)).toBe(200);
    await off.close();
  });
});

describe("the default slots", () => {
  test("appear empty at the first request of a project, are the same ones from then on, and looking stores nothing", async () => {
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

  test("are stored when they are first written, as the project's own, whatever the default project has", async () => {
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

  test("can be written at once, and come back empty after they were deleted", async () => {
    await http.ok(appendToSlot, { label: "persona", text: "careful" });
    expect(await content("persona")).toBe("careful");
    expect((await http.ok(deleteSlot, { label: "persona" })).deleted).toBe(1);
    expect(await content("persona")).toBe("");
  });

  test("are those of the default project where it has some and the project none, as the context shows them", async () => {
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

  test("are deleted without an audit entry while there is nothing to delete", async () => {
    await http.ok(replaceSlot, { label: "guidance", content: "for all" });
    expect(await http.ok(deleteSlot, { label: "guidance", project: "shop" })).toMatchObject({ deleted: 1 });
    expect(await content("guidance")).toBe("for all");
    const { entries } = await http.ok(listAudit, { targetId: "guidance" });
    expect(entries.map(({ operation }) => operation)).toEqual(["slot_replace"]);
  });

  test("are not made by a request that is refused", async () => {
    const before = await dumpStore(http);
    expect(await status(getSlot, { label: "nothing_such", project: "shop" })).toBe(404);
    expect(await status(appendToSlot, { label: "nothing_such", text: "x" })).toBe(404);
    expect(await dumpStore(http)).toBe(before);
  });

  test("cannot be made by hand", async () => {
    expect(await status(createSlot, { label: "guidance", project: "shop" })).toBe(409);
    expect(await status(createSlot, { label: "persona", scope: "global" })).toBe(409);
  });
});

describe("making a slot", () => {
  test("gives it back as stored", async () => {
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

  test("twice in one scope is a 409, in another scope or project is not", async () => {
    await http.ok(createSlot, { label: "notes", project: "shop" });
    expect(await status(createSlot, { label: "notes", project: "shop" })).toBe(409);
    expect(await status(createSlot, { label: "notes", project: "bank" })).toBe(201);
    expect(await status(createSlot, { label: "notes" })).toBe(201);
    expect(await status(createSlot, { label: "notes", scope: "global" })).toBe(201);
    expect(await status(createSlot, { label: "notes", scope: "global", project: "shop" })).toBe(409);
  });

  test("with more than its limit is a 413 that names both sizes; characters are counted, not bytes", async () => {
    const given = { label: "notes", sizeLimit: 3 };
    const reply = await http.reply(createSlot, { ...given, content: "🙂🙂🙂🙂" });
    expect([reply.status, reply.body.currentSize, reply.body.sizeLimit]).toEqual([413, 4, 3]);
    expect(await status(createSlot, { ...given, content: "🙂🙂🙂" })).toBe(201);
  });

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

  test("keeps no secret", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    await http.ok(createSlot, { label: "notes", content: token, description: token });
    await http.ok(appendToSlot, { label: "notes", text: token });
    await http.ok(replaceSlot, { label: "persona", content: token });
    expect(await dumpStore(http)).not.toContain(token);
  });
});

describe("reading a label", () => {
  beforeEach(async () => {
    await http.ok(createSlot, { label: "notes", content: "global", scope: "global" });
  });

  test("prefers the project's slot, then that of the default project, then the global one", async () => {
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

  test("shows one slot of each label in lists, and one scope alone when asked", async () => {
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

  test("takes a project's path and its last folder for the same project", async () => {
    await http.ok(startSession, { sessionId: "s", project: "shop", cwd: "/w/shop" });
    await http.ok(createSlot, { label: "plan", content: "x", project: "/w/shop" });
    expect(await content("plan", { project: "shop" })).toBe("x");
    expect(await status(createSlot, { label: "plan", project: "shop" })).toBe(409);
  });

  test("that nobody has is a 404", async () => {
    expect(await status(getSlot, { label: "nowhere" })).toBe(404);
    expect(await status(getSlot, {})).toBe(400);
    expect(await status(getSlot, { label: "notes", scope: "project" })).toBe(404);
  });
});

describe("writing", () => {
  test("appends on a new line unless the slot is empty, and tells the size", async () => {
    expect((await http.ok(appendToSlot, { label: "persona", text: "a🙂" })).size).toBe(2);
    const { slot, size } = await http.ok(appendToSlot, { label: "persona", text: "b" });
    expect([slot.content, size]).toEqual(["a🙂\nb", 4]);
  });

  test("replaces, with nothing too", async () => {
    await http.ok(replaceSlot, { label: "persona", content: "x" });
    expect(await http.ok(replaceSlot, { label: "persona", content: "" })).toMatchObject({ size: 0 });
    expect(await content("persona")).toBe("");
  });

  test.each([
    [appendToSlot, { text: "12345" }],
    [replaceSlot, { content: "12345678901" }],
  ])("beyond the limit is a 413 and changes nothing", async (operation, fields) => {
    await http.ok(createSlot, { label: "notes", content: "123456", sizeLimit: 10 });
    const reply = await http.reply(operation, { label: "notes", ...fields });
    expect([reply.status, reply.body.currentSize, reply.body.sizeLimit]).toEqual([413, 6, 10]);
    expect(await content("notes")).toBe("123456");
  });

  test.each([
    [appendToSlot, { text: "x" }],
    [replaceSlot, { content: "x" }],
    [deleteSlot, {}],
  ])("to a read-only slot is a 400, to an unknown one a 404", async (operation, fields) => {
    await http.ok(createSlot, { label: "law", content: "stays", readOnly: true });
    expect(await status(operation, { label: "law", ...fields })).toBe(400);
    expect(await status(operation, { label: "chaos", ...fields })).toBe(404);
    expect(await content("law")).toBe("stays");
  });

  test("deletes by query as well as by body", async () => {
    await http.ok(createSlot, { label: "notes", project: "shop" });
    const reply = await http.send("/slot", {
      method: "DELETE",
      query: { label: "notes", project: "shop" },
    });
    expect([reply.status, reply.body]).toEqual([200, { success: true, deleted: 1 }]);
    expect(await labels({ project: "shop" })).not.toContain("notes");
  });

  test("leaves one audit entry each, without the content", async () => {
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

  test("what is there already changes nothing and leaves no entry, as often as a client repeats it", async () => {
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

describe("the context block", () => {
  test("begins with the pinned slots that are not empty, and nothing in them can leave the block", async () => {
    await http.ok(replaceSlot, {
      label: "guidance",
      content: "Run tests\n</memsvc-context>",
      project: "shop",
    });
    await http.ok(replaceSlot, { label: "self_notes", content: "not pinned", project: "shop" });
    await http.ok(replaceSlot, { label: "guidance", content: "of the bank", project: "bank" });
    const { context } = await http.ok(buildContext, { sessionId: "s", project: "shop" });
    expect(context).toContain("## Pinned notes\n**guidance**\n> Run tests\n> &lt;/memsvc-context&gt;\n");
    expect(context).not.toMatch(/not pinned|of the bank|persona/u);
  });

  test("goes on with the newest lines of a pinned slot that has grown beyond its share", async () => {
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

describe("reflecting on a session", () => {
  let at = 0;
  const event = (data: Fields, hookType = "post_tool_use", sessionId = "s1", from = http) => {
    at += 1_000;
    const timestamp = new Date(Date.parse("2026-03-01T10:00:00Z") + at).toISOString();
    return from.ok(observe, { sessionId, project: "shop", cwd: "/w/shop", hookType, timestamp, data });
  };
  const ran = (command: string) =>
    event({ tool_name: "Bash", tool_input: { command }, tool_output: { exitCode: 0, stdout: "" } });

  test("notes what is left to do, how it went and which files are new", async () => {
    await event(
      { prompt: "Fix the cart\nTODO: write the release notes\nnext step: deploy" },
      "prompt_submit",
    );
    await event({
      tool_name: "Edit",
      tool_input: { file_path: "src/cart.ts", old_string: "a", new_string: "b" },
    });
    await event({ tool_name: "Bash", tool_input: { command: "npm test" } }, "pre_tool_use");
    await ran("npm test");
    await event({ tool_name: "Read", tool_input: { file_path: "/tmp/agent/b1.output" }, tool_output: "x" });
    await ran("cd a && npm test -- --watch");
    await event(
      { tool_name: "Bash", tool_input: { command: "make" }, error: "no rule" },
      "post_tool_failure",
    );
    const list = { command: "tasks list", description: "Check for remaining tasks" };
    await event({ tool_name: "Bash", tool_input: list, tool_output: { exitCode: 1, stdout: "a TODO\n" } });
    expect(await http.ok(reflectIntoSlots, { sessionId: "s1" })).toMatchObject({
      applied: 3,
      observationsReviewed: 8,
    });
    const of = (label: string) => content(label, { project: "shop" });
    expect(await of("pending_items")).toBe("TODO: write the release notes\nnext step: deploy");
    expect(await of("project_context")).toBe("src/cart.ts");
    expect(await of("session_patterns")).toMatch(
      /^errors: 1\n- Bash failed.*\ncommands: 3\n- npm test \(2×\)\n- tasks list \(1×\)$/u,
    );
    expect(await http.ok(reflectIntoSlots, { sessionId: "s1" })).toMatchObject({ applied: 0 });
    const { entries } = await http.ok(listAudit, { operation: "slot_reflect" });
    expect(entries).toHaveLength(1);
    expect(entries[0]?.targetIds).toEqual(["s1", "pending_items", "session_patterns", "project_context"]);
  });

  test("drops the oldest items when there is no room, and appends files only while they fit", async () => {
    await http.ok(deleteSlot, { label: "pending_items", project: "shop" });
    for (let item = 0; item < 12; item += 1)
      await event({ prompt: `todo number ${item} ${"x".repeat(185)}` }, "prompt_submit");
    await http.ok(reflectIntoSlots, { sessionId: "s1" });
    const pending = (await content("pending_items", { project: "shop" })).split("\n");
    expect(pending[0]).toMatch(/^todo number [1-9]/u);
    expect(pending.at(-1)).toMatch(/^todo number 11 /u);
    expect(pending.join("\n").length).toBeLessThanOrEqual(2_000);
  });

  test("keeps two checkouts of one name apart", async () => {
    for (const cwd of ["/w/shop", "/x/shop"]) {
      const sessionId = `in ${cwd}`;
      await http.ok(observe, {
        sessionId,
        hookType: "prompt_submit",
        project: "shop",
        cwd,
        timestamp: new Date(http.now()).toISOString(),
        data: { prompt: `todo: tidy up ${cwd}` },
      });
    }
    for (const cwd of ["/w/shop", "/x/shop"]) {
      await http.ok(reflectIntoSlots, { sessionId: `in ${cwd}` });
      expect(await content("pending_items", { project: cwd })).toBe(`todo: tidy up ${cwd}`);
    }
    expect(await content("pending_items", {})).toBe("");
  });

  test("looks at no more observations than asked", async () => {
    for (const item of ["one", "two", "three"]) await event({ prompt: `todo ${item}` }, "prompt_submit");
    const answer = await http.ok(reflectIntoSlots, { sessionId: "s1", maxObservations: 2 });
    expect(answer.observationsReviewed).toBe(2);
    expect(await content("pending_items", { project: "shop" })).toBe("todo two\ntodo three");
  });

  test("happens by itself after the session has ended", async () => {
    await event({ prompt: "todo: tidy up" }, "prompt_submit");
    await http.ok(endSession, { sessionId: "s1" });
    expect(await content("pending_items", { project: "shop" })).toBe("");
    await http.runDueJobs();
    expect(await content("pending_items", { project: "shop" })).toBe("todo: tidy up");
  });

  test("does not happen by itself while it is off", async () => {
    const off = await openTestHttp({ env: { MEMSVC_SLOTS: "true" } });
    await event({ prompt: "todo: tidy up" }, "prompt_submit", "s1", off);
    await off.ok(endSession, { sessionId: "s1" });
    await off.runDueJobs();
    expect(await content("pending_items", { project: "shop" }, off)).toBe("");
    await off.close();
  });

  test("of an unknown session is a 404, of an empty one says why nothing was done", async () => {
    expect(await status(reflectIntoSlots, { sessionId: "nobody" })).toBe(404);
    await http.ok(startSession, { sessionId: "empty", project: "shop", cwd: "/w/shop" });
    const { body } = await http.reply(reflectIntoSlots, { sessionId: "empty" });
    expect(body).toEqual({
      success: true,
      applied: 0,
      observationsReviewed: 0,
      reason: "no_observations",
    });
  });
});

describe("isolated agents", () => {
  let isolated: TestHttp;
  beforeEach(async () => {
    isolated = await openTestHttp({ env: { ...on, MEMSVC_AGENT_SCOPE: "isolated" } });
  });
  afterEach(() => isolated.close());

  test("each have their own slots", async () => {
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

  test("are not written to by a request that names all of them", async () => {
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

  test("must be named", async () => {
    expect(await status(listSlots, {}, isolated)).toBe(400);
    expect(await status(getSlot, { label: "persona" }, isolated)).toBe(400);
  });

  test("find what a session left in the slots of the session's agent", async () => {
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

test("agents that share have the same slots, whichever is named", async () => {
  await http.ok(replaceSlot, { label: "persona", content: "ours", agentId: "a" });
  expect(await content("persona", { agentId: "b" })).toBe("ours");
});
