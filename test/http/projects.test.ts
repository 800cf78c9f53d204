import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { listProjects, moveProject, separateProject } from "../../src/capture/projects/operations.ts";
import { listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { createAction, listActions, updateAction } from "../../src/coordination/actions/operations.ts";
import { addToSketch, createSketch } from "../../src/coordination/sketches/operations.ts";
import { exportStore, importStore } from "../../src/governance/transfer/operations.ts";
import { createCrystal, listCrystals } from "../../src/knowledge/crystals/operations.ts";
import { compressFlow } from "../../src/knowledge/flow/operations.ts";
import { listLessons, saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { summarizeSession } from "../../src/knowledge/summaries/operations.ts";
import { readResource } from "../../src/mcp/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { shareItem, teamFeed } from "../../src/sharing/team/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const http = forEachTest(openTestHttp);

async function memoriesOf(project: string) {
  const { body } = await http.reply(listMemories, { project });
  return (body.memories as { content: string }[]).map(({ content }) => content).sort();
}

async function sessionsOf(project: string) {
  return (await http.ok(listSessions, { project })).sessions.map(({ id }) => id).sort();
}

function start(sessionId: string, project: string, cwd: string) {
  return http.ok(startSession, { sessionId, project, cwd });
}

describe("a project's path and its folder name", () => {
  test("stand for the same project, whichever was stored first", async () => {
    await http.ok(remember, { content: "by name", project: "shop" });
    await http.ok(remember, { content: "through path", project: "/w/shop" });
    for (const project of ["shop", "/w/shop"])
      expect(await memoriesOf(project)).toEqual(["by name", "through path"]);
  });

  test("of two checkouts with one folder name stay apart by path, and both are found by name", async () => {
    await http.ok(remember, { content: "first one", project: "/a/shop" });
    await http.ok(remember, { content: "second two", project: "/b/shop" });
    expect(await memoriesOf("/a/shop")).toEqual(["first one"]);
    expect(await memoriesOf("/b/shop")).toEqual(["second two"]);
    expect(await memoriesOf("shop")).toEqual(["first one", "second two"]);
  });

  test("are matched by the working folder", async () => {
    await start("in", "shop", "/w/shop/packages/api");
    await start("out", "shop", "/elsewhere");
    expect(await sessionsOf("/w/shop")).toEqual(["in", "out"]);
    await start("twin", "shop", "/v/shop");
    expect(await sessionsOf("/v/shop")).toEqual(["twin"]);
    expect(await sessionsOf("shop")).toEqual(["in", "out", "twin"]);
  });

  test("are matched by the nearest folder of that name", async () => {
    await start("deep", "shop", "/shop/x/shop/src");
    expect(await sessionsOf("/shop/x/shop")).toEqual(["deep"]);
    expect(await sessionsOf("/shop")).toEqual([]);
  });
});

describe("a project name that several folders share", () => {
  const within = (folder: string) => ({ headers: { "x-memsvc-folder": encodeURIComponent(folder) } });

  test("means the folder that the caller works in, for storing and searching", async () => {
    await start("first", "shop", "/a/shop");
    await start("second", "shop", "/b/shop/src");
    const content = "The host is reached by VPN alone";
    await http.reply(remember, { content, project: "shop" }, within("/b/shop/packages"));
    expect(await memoriesOf("/b/shop")).toEqual([content]);
    expect(await memoriesOf("/a/shop")).toEqual([]);
    const found = async (folder: string) => {
      const { body } = await http.reply(smartSearch, { query: "host VPN", project: "shop" }, within(folder));
      return (body.results as unknown[]).length;
    };
    expect([await found("/a/shop"), await found("/b/shop"), await found("/elsewhere")]).toEqual([0, 1, 1]);
  });

  test("means the caller's folder for the resource of recent sessions, too", async () => {
    for (const sessionId of ["a", "b"]) {
      const session = { sessionId, project: "shop", cwd: `/${sessionId}/shop` };
      await http.ok(startSession, session);
      const at = new Date(http.now()).toISOString();
      const data = { prompt: "Let the tests run in parallel" };
      await http.ok(observe, { ...session, hookType: "prompt_submit", timestamp: at, data });
      await http.ok(summarizeSession, { sessionId });
    }
    const uri = "memsvc://project/shop/recent";
    const recent = async (folder: string) => {
      const { body } = await http.reply(readResource, { uri }, within(folder));
      const [{ text }] = body.contents as [{ text: string }];
      return (JSON.parse(text) as { sessionId: string }[]).map(({ sessionId }) => sessionId).sort();
    };
    expect([await recent("/a/shop"), await recent("/b/shop"), await recent("/elsewhere")]).toEqual([
      ["a"],
      ["b"],
      ["a", "b"],
    ]);
  });

  test("gives a warning that names the folders when something is stored from outside of them", async () => {
    await start("first", "shop", "/a/shop");
    const keep = async (project: string, folder: string) => {
      const memory = { content: `Backups run at night, ${project}`, project };
      const lesson = { content: "Ask before a deploy", project };
      return Promise.all([
        http.reply(remember, memory, within(folder)).then(({ body }) => body.warning),
        http.reply(saveLesson, lesson, within(folder)).then(({ body }) => body.warning),
      ]);
    };
    expect(await keep("shop", "/elsewhere")).toEqual([undefined, undefined]);
    await start("second", "shop", "/b/shop");
    const warning =
      /^2 folders are called shop, \/a\/shop, \/b\/shop: .* with the path of the one .*: memsvc project move/u;
    expect(await keep("shop", "/elsewhere")).toEqual([
      expect.stringMatching(warning),
      expect.stringMatching(warning),
    ]);
    expect(await keep("shop", "/b/shop/src")).toEqual([undefined, undefined]);
    expect(await keep("/b/shop", "/elsewhere")).toEqual([undefined, undefined]);
  });

  test("gives a warning that names the project when something is stored for a folder inside of it", async () => {
    const shop = join(temporaryFolder(), "shop");
    const cart = join(shop, "packages", "cart");
    mkdirSync(join(shop, ".git"), { recursive: true });
    mkdirSync(cart, { recursive: true });
    const keep = async (project: string) => {
      const memory = await http.reply(remember, { content: `Carts expire in ${project}`, project });
      const lesson = await http.reply(saveLesson, { content: `Ask before a deploy in ${project}`, project });
      return [memory.body.warning, lesson.body.warning];
    };
    // Nobody is known to work in the enclosing folder yet.
    expect(await keep(cart)).toEqual([undefined, undefined]);
    await start("first", "shop", shop);
    const warning = `work in ${cart} is kept for the project ${shop}, in which what is kept for that folder is not told; store it with ${shop} as project`;
    expect(await keep(cart)).toEqual([warning, warning]);
    expect(await keep(shop)).toEqual([undefined, undefined]);
    await start("second", cart, cart);
    expect(await keep(cart)).toEqual([undefined, undefined]);
  });

  test("does not mean a folder of that name inside another project", async () => {
    await start("first", "api", "/a/api");
    await http.reply(
      remember,
      { content: "Tokens last an hour", project: "api" },
      within("/shop/packages/api/src"),
    );
    expect(await memoriesOf("/a/api")).toEqual(["Tokens last an hour"]);
  });

  test("is listed as a project of its own, beside those of the folders", async () => {
    for (const [at, project] of ["/a/shop", "/b/shop", "shop"].entries()) {
      http.advance(1_000);
      await http.ok(remember, { content: `Backup number ${at} runs at night`, project });
    }
    const { projects } = await http.ok(listProjects, {});
    expect(projects.map(({ project, names, memoryCount }) => [project, names, memoryCount])).toEqual([
      ["shop", [], 1],
      ["/b/shop", [], 1],
      ["/a/shop", [], 1],
    ]);
  });

  test("means the clone that the caller works in, even if nothing happened there yet", async () => {
    const root = temporaryFolder();
    const clone = join(root, "shop");
    mkdirSync(join(clone, ".git"), { recursive: true });
    await start("first", "shop", "/a/shop");
    await http.reply(remember, { content: "This clone is a customer's", project: "shop" }, within(clone));
    expect(await memoriesOf("/a/shop")).toEqual([]);
    expect(await memoriesOf(clone)).toEqual(["This clone is a customer's"]);
  });
});

test("what is made of a project's records stays with it when another folder of its name becomes known", async () => {
  const own = await openTestHttp({ env: { MEMSVC_TEAM_ID: "crew", MEMSVC_USER_ID: "ann" } });
  const startIn = (folder: string) =>
    own.ok(startSession, { sessionId: `in ${folder}`, project: "shop", cwd: folder });
  await startIn("/a/shop");
  const { memoryId: itemId } = await own.ok(remember, { content: "shared later", project: "shop" });
  const { sketch } = await own.ok(createSketch, { title: "the plan", project: "shop" });
  const { action } = await own.ok(createAction, { title: "Sell", project: "shop" });
  const result = "Lesson: count the money first.";
  await own.ok(updateAction, { actionId: action.id, status: "done", result });
  await startIn("/b/shop");
  await own.ok(addToSketch, { sketchId: sketch.id, title: "first" });
  await own.ok(shareItem, { itemId, itemType: "memory" });
  await own.ok(compressFlow, { actionIds: [action.id] });
  await own.ok(createCrystal, { actionIds: [action.id] });
  const of = { project: "/a/shop" };
  const { total: memories } = await own.ok(listMemories, { ...of, count: true });
  const pages = [
    await own.ok(listActions, { ...of, sketchId: sketch.id }),
    await own.ok(teamFeed, of),
    await own.ok(listCrystals, of),
    await own.ok(listLessons, of),
  ];
  await own.close();
  expect([memories, ...pages.map(({ total }) => total)]).toEqual([2, 1, 1, 1, 1]);
});

test("a moved project is reported in the folder that exists", async () => {
  const root = temporaryFolder();
  const [before, now] = [join(root, "mailer"), join(root, "postbote")];
  mkdirSync(now);
  await start("earlier", before, before);
  const place = { project: before, folders: [now], presentFolder: now };
  expect((await http.ok(moveProject, { from: before, to: now })).moved).toMatchObject(place);
  expect((await http.ok(listProjects, {})).projects).toMatchObject([place]);
  mkdirSync(before);
  expect((await http.ok(listProjects, {})).projects.map((one) => one.presentFolder)).toEqual([undefined]);
});

test("a folder found to be a symbolic link to a project is merged with it", async () => {
  const root = temporaryFolder();
  const [real, link] = [join(root, "real"), join(root, "link")];
  mkdirSync(join(real, "src"), { recursive: true });
  symlinkSync(real, link);
  await start("as a folder of its own", link, link);
  await start("not by the link", real, real);
  expect(await sessionsOf(real)).toEqual(["not by the link"]);
  await start("by the link", real, join(link, "src"));
  for (const project of [real, link])
    expect(await sessionsOf(project)).toEqual(["as a folder of its own", "by the link", "not by the link"]);
  const { projects } = await http.ok(listProjects, {});
  expect(projects).toMatchObject([{ project: real, folders: [link], names: ["link", "real"] }]);
});

describe("the spelling of a project", () => {
  test.each([
    ["/w/shop/", "/w/shop"],
    ["/w//shop", "/w/shop"],
    ["\\w\\shop", "/w/shop"],
    ["  /w/shop ", "/w/shop"],
    ["C:\\dev\\shop", "c:/dev/shop"],
    ["/c:/dev/shop", "C:\\dev\\shop"],
    ["~/shop", "/home/dev/shop"],
    ["cafe\u0301", "caf\u00e9"],
  ])("%j means the same project as %j", async (one, other) => {
    await http.ok(remember, { content: "it", project: one });
    expect(await memoriesOf(other)).toEqual(["it"]);
  });

  test("is case-sensitive", async () => {
    await http.ok(remember, { content: "it", project: "Shop" });
    expect(await memoriesOf("shop")).toEqual([]);
  });

  test("is returned as it was given", async () => {
    const { memory } = await http.ok(remember, { content: "it", project: " C:\\dev\\shop\\ " });
    expect(memory.project).toBe(" C:\\dev\\shop\\ ");
  });
});

describe("searching in a project", () => {
  const event = { hookType: "prompt_submit", timestamp: "2026-03-01", data: { prompt: "heron" } };

  test("finds its records and memories without a project, but nothing of other projects", async () => {
    await http.ok(observe, { ...event, sessionId: "a", project: "shop", cwd: "/w/shop" });
    await http.ok(observe, { ...event, sessionId: "b", project: "bank", cwd: "/w/bank" });
    await http.ok(remember, { content: "heron everywhere" });
    await http.ok(remember, { content: "heron in the bank", project: "bank" });
    const { results } = await http.ok(smartSearch, { query: "heron", project: "shop" });
    expect(results.map(({ sessionId, kind }) => `${kind} ${sessionId}`).sort()).toEqual([
      "memory ",
      "observation a",
    ]);
    expect((await http.ok(smartSearch, { query: "heron" })).totalCount).toBe(4);
  });

  test("given by name means the checkout of the asking session", async () => {
    await http.ok(observe, { ...event, sessionId: "a", project: "shop", cwd: "/a/shop" });
    await http.ok(observe, { ...event, sessionId: "b", project: "shop", cwd: "/b/shop" });
    const found = async (given: Readonly<Record<string, string>>) =>
      (await http.ok(smartSearch, { query: "heron", project: "shop", ...given })).results
        .map(({ sessionId }) => sessionId)
        .sort();
    expect(await found({})).toEqual(["a", "b"]);
    expect(await found({ cwd: "/b/shop/src" })).toEqual(["b"]);
    expect(await found({ sessionId: "a" })).toEqual(["a"]);
  });
});

describe("a moved project", () => {
  const [from, to] = ["/code/shop", "/other/store"];
  const expiry = "Carts expire after a day unless somebody has paid a deposit for them";

  async function moved() {
    await start("before", "shop", `${from}/src`);
    await http.ok(remember, { content: expiry, project: from });
    return http.ok(moveProject, { from, to });
  }

  test("is found from its old and new folder, and new records there belong to it", async () => {
    await start("early", "store", to);
    expect((await moved()).moved).toEqual({ project: from, folders: [to], names: ["shop", "store"] });
    const content = expiry.replace("a day", "two days");
    const { memory } = await http.ok(remember, { content, project: to });
    expect(memory.supersedes).toHaveLength(1);
    await start("after", "store", `${to}/src`);
    for (const project of [from, to, "shop", "store"]) {
      expect(await memoriesOf(project), project).toEqual([expiry, content]);
      expect(await sessionsOf(project), project).toEqual(["after", "before", "early"]);
    }
    const { results } = await http.ok(smartSearch, { query: "deposit", project: to });
    expect(results.map(({ obsId }) => obsId)).toEqual([memory.id]);
  });

  test("can be moved again, and its folders do not take over others of the same name", async () => {
    await moved();
    await start("other", "shop", "/other/shop");
    await http.ok(moveProject, { from: to, to: "/srv/shop" });
    await start("third", "shop", "/srv/shop");
    for (const project of [from, to, "/srv/shop"])
      expect(await sessionsOf(project)).toEqual(["before", "third"]);
    expect(await sessionsOf("/other/shop")).toEqual(["other"]);
    expect(await sessionsOf("shop")).toEqual(["before", "other", "third"]);
  });

  test("can be separated, after which its new folder is a project of its own", async () => {
    await moved();
    const { left } = await http.ok(separateProject, { folder: to });
    expect(left).toEqual({ project: from, folders: [], names: ["shop"] });
    await start("own", "store", to);
    expect(await sessionsOf(to)).toEqual(["own"]);
    expect(await sessionsOf("store")).toEqual(["own"]);
    expect(await sessionsOf(from)).toEqual(["before"]);
    expect((await http.reply(separateProject, { folder: to })).status).toBe(404);
  });

  test("leaves other projects their names when it is separated", async () => {
    await start("other", "store", "/x/store");
    await moved();
    await http.ok(separateProject, { folder: to });
    expect(await sessionsOf("store")).toEqual(["other"]);
    await http.ok(moveProject, { from, to: "/other/shop" });
    await http.ok(separateProject, { folder: "/other/shop" });
    await start("own", "shop", "/other/shop");
    expect(await sessionsOf("/other/shop")).toEqual(["own"]);
    expect(await sessionsOf(from)).toEqual(["before"]);
    expect(await sessionsOf("shop")).toEqual(["before", "own"]);
  });

  test("is listed once under its first folder with all its records, the last active project first", async () => {
    await start("early", "store", to);
    await moved();
    http.advance(1_000);
    await http.ok(remember, { content: "Taxes are rounded once", project: "tax" });
    const { projects, total } = await http.ok(listProjects, {});
    expect(projects).toEqual([
      expect.objectContaining({ project: "tax", folders: [], names: [], sessionCount: 0, memoryCount: 1 }),
      expect.objectContaining({ project: from, folders: [to], sessionCount: 2, memoryCount: 1 }),
    ]);
    expect(total).toBe(2);
    expect((await http.ok(listProjects, { limit: 1, offset: 1 })).projects).toEqual(projects.slice(1));
  });

  test("keeps its folders in an export and import", async () => {
    await moved();
    const exportData = await http.ok(exportStore, {});
    const other = await openTestHttp();
    await other.ok(importStore, { exportData });
    expect((await other.ok(listSessions, { project: to })).sessions.map(({ id }) => id)).toEqual(["before"]);
    await other.close();
  });

  test.each([
    ["a folder of which nothing is known", { from: "/nowhere", to }, 404],
    ["a name", { from: "shop", to }, 400],
    ["the folder in which it is", { from, to: from }, 409],
    ["a folder that stands for it already", { from, to: "/w/shop" }, 409],
  ])("cannot be moved from or to %s", async (_what, input, status) => {
    await start("before", "shop", from);
    await http.ok(moveProject, { from, to: "/w/shop" });
    expect((await http.reply(moveProject, input)).status).toBe(status);
  });
});
