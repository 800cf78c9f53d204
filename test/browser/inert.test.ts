import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSnapshot } from "../../src/governance/snapshots/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { buildOnce } from "../cli/program-process.ts";
import { dumpStore } from "../support/http.ts";
import { findChromium, noChromium, openBrowser } from "./chromium.ts";
import { full, graphTypes, hostileStore } from "./hostile-store.ts";
import { fullWork, heldActions, reader, team } from "./hostile-work.ts";
import { payloads } from "./payloads.ts";
import { type Served, serveViewer } from "./served.ts";
import { openWatched, type WatchedPage } from "./watched-page.ts";

const chromium = findChromium();
if (chromium === undefined) console.warn(noChromium);

const pageRows = 50;
/** Holds answers about projects for a while, whoever asked. */
const answered = "profiles";
const secret = "a-secret-of-more-than-sixteen-letters";

/** All pages of a list. */
function pagesOf(view: string, rows = pageRows, records = payloads.length + 1): string[] {
  return Array.from({ length: Math.ceil(records / rows) }, (_, page) =>
    page === 0 ? view : `${view}${view.includes("?") ? "&" : "?"}offset=${page * rows}`,
  );
}

test("there are 500 different payloads", () => {
  expect([payloads.length, new Set(payloads).size]).toEqual([500, 500]);
});

describe.skipIf(chromium === undefined)("stored text that would run as markup", () => {
  let served: Served;
  let browser: Browser;
  let watched: WatchedPage;
  let before: string;

  beforeAll(async () => {
    buildOnce();
    served = await serveViewer({
      GRAPH_EXTRACTION_ENABLED: "true",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_MODEL: "none",
      MEMSVC_SLOTS: "true",
      MEMSVC_TEAM_ID: team.id,
      MEMSVC_USER_ID: team.user,
      MEMSVC_SECRET: secret,
    });
    await served.store.call(importStore, { exportData: hostileStore });
    await served.store.call(createSnapshot, { message: payloads.slice(0, 12).join(" ").slice(0, 500) });
    browser = await openBrowser(chromium ?? "");
    watched = await openWatched(browser, served.url);
    await watched.page.getByLabel("Secret").fill(secret);
    await watched.page.keyboard.press("Enter");
    await watched.page.getByRole("heading", { name: "Overview" }).waitFor();
    before = await dumpStore(served.store, [answered]);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  /** Texts of these views that a reader cannot read there. */
  async function unread(views: readonly string[], texts: readonly string[] = payloads): Promise<string[]> {
    let text = "";
    for (const view of views) text += `\n${await watched.view(view)}`;
    return texts.filter((one) => !text.includes(one)).slice(0, 12);
  }

  test.each([
    ["memories", pagesOf("memories")],
    ["sessions", pagesOf("sessions")],
    ["lessons", pagesOf("lessons")],
    ["insights", pagesOf("insights")],
    ["facts", pagesOf("facts")],
    ["commits", pagesOf("commits")],
    ["crystals", pagesOf("crystals")],
    ["procedures", pagesOf("procedures")],
    ["slots", ["slots"]],
    ["audit", pagesOf("audit")],
    ["the timeline of a session", pagesOf(`session/${encodeURIComponent(full.session)}`, 100)],
    ["a memory with all of them", [`memory/${full.memory}`]],
    ["an observation with all of them", [`observation/${full.observation}`]],
    ["actions", pagesOf("actions", pageRows, payloads.length + 2)],
    ["the actions of a sketch", pagesOf(`actions?sketch=${fullWork.sketch}`, pageRows, payloads.length)],
    ["facets", ["facets"]],
    ["an action with all of them", [`action/${fullWork.action}`]],
    ["checkpoints", pagesOf("checkpoints", pageRows, payloads.length)],
    ["sentinels", pagesOf("sentinels", pageRows, payloads.length)],
    ["signals", pagesOf(`signals?agent=${encodeURIComponent(reader)}`, pageRows, payloads.length)],
    ["routines", pagesOf("routines", pageRows, payloads.length)],
    ["a run with all of them", [`run/${fullWork.run}`]],
    ["sketches", pagesOf("sketches")],
    ["what a team shares", pagesOf("team", pageRows, payloads.length)],
    ["mesh peers", pagesOf("mesh", pageRows, payloads.length)],
  ])("is shown as plain text in %s: all 500 payloads can be read", async (_view, views) => {
    expect(await unread(views)).toEqual([]);
    expect(await watched.faults()).toEqual([]);
  });

  test("is shown as plain text in the knowledge graph, whose names have no line breaks", async () => {
    const names = payloads.map((text) => text.replace(/\s+/gu, " ").trim());
    const project = encodeURIComponent(full.graphProject);
    const views = graphTypes.map((type) => `graph?type=${type}&project=${project}`);
    expect(await unread(views, names)).toEqual([]);
    // As many other names as a node may have.
    const node = `graph?node=${encodeURIComponent(full.node)}`;
    expect(await unread([node], payloads.slice(0, 100))).toEqual([]);
    expect(await watched.faults()).toEqual([]);
  });

  test("is shown as plain text in projects, whose names are folders without doubled separators", async () => {
    const names = payloads.filter((text) => !/\/\/|\\/u.test(text));
    expect(names.length).toBeGreaterThan(400);
    expect(await unread(pagesOf("projects", pageRows, payloads.length + 2), names)).toEqual([]);
    expect(await watched.faults()).toEqual([]);
  });

  test("is shown as plain text in searches and filters, and where nothing is found", async () => {
    const some = payloads.filter((_, number) => number % 83 === 0);
    for (const text of some) {
      const asked = encodeURIComponent(text);
      expect(await unread([`search?q=heron&project=${asked}`], [text])).toEqual([]);
      expect(await unread([`memory/${asked}`], ["Not here"])).toEqual([]);
      expect(await unread([`project/${asked}`], [text.trim()])).toEqual([]);
      expect(
        await unread([`search?q=${asked}`, `memories?project=${asked}&agent=${asked}`], ["Memories"]),
      ).toEqual([]);
    }
    expect(await watched.faults()).toEqual([]);
  });

  test("is shown as plain text in the frontier, leases and signals, and as the name of an agent", async () => {
    const held = payloads.slice(0, heldActions);
    expect(await unread(pagesOf("leases", 25, heldActions), held)).toEqual([]);
    for (const text of payloads.filter((_, number) => number % 83 === 0)) {
      const named = encodeURIComponent(text);
      expect(await unread([`signals?agent=${named}&thread=${named}`], [`Signals of ${text.trim()}`])).toEqual(
        [],
      );
      expect(await unread([`action/${named}`, `run/${named}`], ["Not here"])).toEqual([]);
    }
    const agent = encodeURIComponent(payloads[1] ?? "");
    expect(await unread([`frontier?agent=${agent}`, `frontier?agent=${agent}&project=${agent}`], [])).toEqual(
      [],
    );
    expect(
      await unread(
        ["frontier"],
        payloads.filter((_, number) => number >= heldActions && number % 10 === 9).slice(0, 47),
      ),
    ).toEqual([]);
    expect(await watched.faults()).toEqual([]);
  });

  test("is shown as plain text in the overview and among the snapshots", async () => {
    for (const view of ["", "snapshots"]) await watched.view(view);
    expect(await unread(["snapshots"], payloads.slice(0, 10))).toEqual([]);
    expect(await watched.faults()).toEqual([]);
  });

  test("stays unchanged: viewing all of it wrote nothing to the store", async () => {
    await served.store.core.search.notes.settled();
    const after = (await dumpStore(served.store, [answered])).split("\n");
    const changed = before.split("\n").filter((table, at) => table !== after[at]);
    expect(changed.map((table) => table.slice(0, table.indexOf(":")))).toEqual([]);
  });
});
