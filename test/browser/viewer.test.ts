import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import { wordsOf } from "../../src/cli/command.ts";
import { ownCommands } from "../../src/cli/commands/table.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { saveLesson } from "../../src/knowledge/lessons/operations.ts";
import { evolve, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import { buildOnce } from "../cli/program-process.ts";
import { findChromium, openBrowser } from "./chromium.ts";
import { type Served, serveViewer } from "./served.ts";
import { openWatched, type WatchedPage } from "./watched-page.ts";

const chromium = findChromium();
const lists = "memories sessions lessons insights facts procedures slots audit snapshots graph search".split(
  " ",
);
const secret = "a-secret-of-more-than-sixteen-letters";

describe.skipIf(chromium === undefined)("the viewer", () => {
  let browser: Browser;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    buildOnce();
    browser = await openBrowser(chromium ?? "");
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  async function serve(env: Readonly<Record<string, string>> = {}): Promise<Served> {
    const served = await serveViewer(env);
    opened.push(served);
    return served;
  }
  async function look(url: string, options: Parameters<typeof openWatched>[2] = {}): Promise<WatchedPage> {
    const watched = await openWatched(browser, url, options);
    opened.push(watched);
    return watched;
  }

  test("says for an empty store in each view which command comes next, and what is switched off how to switch it on", async () => {
    const { url } = await serve();
    const watched = await look(url);
    expect(await watched.view("")).toContain('memsvc remember "');
    for (const list of lists) {
      const text = await watched.view(list);
      const way =
        { slots: "MEMSVC_SLOTS=true", audit: "Every change leaves an entry here" }[list] ?? "memsvc ";
      expect(text, list).toContain(way);
    }
    expect(await watched.faults()).toEqual([]);
  });

  test("shows what is stored, and that looking at it strengthens nothing", async () => {
    const { url, store } = await serve();
    const { observationId } = await store.call(observe, {
      hookType: "post_tool_use",
      sessionId: "s1",
      project: "shop",
      cwd: "/w/shop",
      timestamp: "2026-03-01T10:00:00Z",
      data: { toolName: "Bash", toolInput: { command: "npm run migrate" } },
    });
    await store.call(endSession, { sessionId: "s1" });
    const { memoryId } = await store.call(remember, {
      content: "Queues are drained on shutdown",
      project: "shop",
      sourceObservationIds: [observationId],
    });
    const { memory } = await store.call(evolve, { memoryId, newContent: "Queues are flushed on shutdown" });
    await store.call(saveLesson, { content: "Flush before you stop" });
    const before = await store.call(listMemories, {});
    const watched = await look(url);

    expect(await watched.view("memories")).toMatch(/Queues are flushed on shutdown.*version 2.*shop/su);
    expect(await watched.view(`memory/${memory.id}`)).toMatch(
      /1\.00.*Sources.*npm run migrate.*Versions.*drained/su,
    );
    expect(await watched.view("sessions")).toMatch(/completed.*shop.*1 observation/su);
    expect(await watched.view("session/s1")).toMatch(/Timeline.*command run.*npm run migrate/su);
    expect(await watched.view(`observation/${observationId}`)).toContain("Remembered from it");
    expect(await watched.view("search?q=queues%20shutdown")).toMatch(
      /1 hit.*flushed.*Why: words #1.*score/su,
    );
    expect(await watched.view("lessons")).toMatch(/Flush before you stop.*every project/su);
    expect(await watched.view("audit?operation=evolve")).toMatch(/1 entry.*memory\.evolve/su);
    expect(await watched.view("memories?project=nowhere")).toContain("Take the filters away");
    expect(await watched.view("memory/mem_unknown")).toMatch(/Not here.*mem_unknown/su);
    await store.core.search.settled();
    expect(await store.call(listMemories, {})).toEqual(before);
    expect(await watched.faults()).toEqual([]);
  });

  test("tells that looking into the graph is switched off, and counts it all the same", async () => {
    const { url, store } = await serve();
    await store.call(remember, {
      content: "Retry with jitter",
      concepts: ["retry"],
      files: ["src/queue.ts"],
    });
    const watched = await look(url);
    expect(await watched.view("graph")).toMatch(/2 nodes.*switched off.*GRAPH_EXTRACTION_ENABLED/su);
  });

  test("shows the rows of all agents where they are kept apart, and those of one where it is asked for", async () => {
    const { url, store } = await serve({ MEMSVC_AGENT_SCOPE: "isolated" });
    for (const agentId of ["builder", "tester"])
      await store.call(remember, { content: `what the ${agentId} knows`, agentId });
    const { view, faults } = await look(url);
    expect(await view("memories")).toMatch(/2 memories.*agent tester.*agent builder/su);
    expect(await view("memories?agent=tester")).toMatch(/1 memory.*what the tester knows/su);
    for (const place of ["", ...lists, "search?q=knows"]) expect(await view(place)).not.toContain("agentId");
    expect(await faults()).toEqual([]);
  });

  describe("with a secret", () => {
    const kept = (page: Page) =>
      page.evaluate<unknown>("[{...sessionStorage}, localStorage.length, document.cookie, location.href]");

    test("asks for it, says when it is wrong, and keeps it in the tab alone", async () => {
      const { url } = await serve({ MEMSVC_SECRET: secret });
      const { page, view, faults } = await look(url);
      await page.getByRole("heading", { name: "This store has a secret" }).waitFor();
      for (const wrong of ["wrong", "schlüssel → 🔑"]) {
        await page.getByLabel("Secret").fill(wrong);
        await page.getByRole("button", { name: "Open" }).click();
        await page.getByText("That is not the secret").waitFor();
        expect(await kept(page)).toEqual([{}, 0, "", expect.any(String)]);
      }
      await page.getByLabel("Secret").fill(secret);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(await kept(page)).toEqual([
        { "memsvc-secret": secret },
        0,
        "",
        expect.not.stringContaining(secret),
      ]);
      expect(await view("memories")).toContain("Nothing is remembered yet");

      const other = await look(url);
      await other.page.getByRole("heading", { name: "This store has a secret" }).waitFor();

      await page.getByRole("button", { name: "Forget secret" }).click();
      await page.getByRole("heading", { name: "This store has a secret" }).waitFor();
      expect(await kept(page)).toEqual([{}, 0, "", expect.any(String)]);
      expect(await faults()).toEqual([]);
    });

    test("that has changed meanwhile asks again", async () => {
      const { url } = await serve({ MEMSVC_SECRET: secret });
      const { page } = await look(url);
      await page.evaluate('sessionStorage.setItem("memsvc-secret", "the one before")');
      await page.reload();
      await page.getByText("is not accepted any more").waitFor();
      expect(await kept(page)).toEqual([{}, 0, "", expect.any(String)]);
    });
  });

  test("says that the daemon is gone and how to start it, and goes on when it is back", async () => {
    const { url } = await serve();
    const { page } = await look(url);
    await page.route("**/memsvc/**", (route) => route.abort());
    await page.getByRole("link", { name: "Memories", exact: true }).click();
    await page.getByText("start it with: memsvc serve").waitFor();
    await page.unroute("**/memsvc/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Memories" }).waitFor();
  });

  test("can be used without a mouse: past the navigation, into the search, through filters and the graph", async () => {
    const { url, store } = await serve({
      GRAPH_EXTRACTION_ENABLED: "true",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_MODEL: "none",
    });
    await store.call(remember, {
      content: "Retry with jitter",
      concepts: ["retry"],
      files: ["src/queue.ts"],
    });
    const { page, view } = await look(url);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");

    await page.keyboard.press("/");
    await page.keyboard.type("jitter");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.title()).toBe("Search – memsvc");
    await page.getByRole("link", { name: "Retry with jitter" }).waitFor();

    await view("memories");
    await page.getByLabel("Project").focus();
    await page.keyboard.type("nowhere");
    await page.keyboard.press("Enter");
    await page.getByText("There are no memories that fit these filters.").waitFor();
    expect(await page.evaluate("location.hash")).toBe("#/memories?project=nowhere");

    await view("graph");
    await page.getByRole("link", { name: /^retry, concept/u }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Neighbours" }).waitFor();
    expect(await page.locator("table").textContent()).toContain("src/queue.ts");
  });

  test("names every field, has one main heading in each view, and fits 1280 and 390 pixels, light and dark", async () => {
    const { url, store } = await serve({ MEMSVC_SLOTS: "true" });
    const long = "a-name-without-any-place-to-break-".repeat(8);
    await store.call(remember, {
      content: long,
      project: long,
      concepts: [long.slice(0, 200)],
      files: [long.slice(0, 200)],
    });
    const base = {
      sessionId: long.slice(0, 200),
      project: long,
      cwd: `/w/${long}`,
      hookType: "prompt_submit",
    };
    await store.call(observe, { ...base, timestamp: "2026-03-01T10:00:00Z", data: { prompt: long } });
    const { entries } = await store.call(listAudit, {});
    const memoryId = entries.flatMap(({ targetIds }) => targetIds).find((id) => id.startsWith("mem_"));
    for (const [width, colorScheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      const { page, view, faults } = await look(url, { viewport: { width, height: 800 }, colorScheme });
      for (const place of ["", ...lists, `memory/${memoryId}`, `session/${base.sessionId}`, "memory/none"]) {
        await view(place);
        const found = await page.evaluate(`({
          headings: document.querySelectorAll("h1").length,
          unnamed: [...document.querySelectorAll("input:not([type=hidden]), select, meter")]
            .filter((one) => one.labels.length === 0 && !one.ariaLabel && one.ariaHidden !== "true").length,
          tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        })`);
        expect(found, `${place} at ${width}`).toEqual({ headings: 1, unnamed: 0, tooWide: 0 });
      }
      const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      const [red = 0] = (ground.match(/\d+/u) ?? []).map(Number);
      expect(red < 128 ? "dark" : "light").toBe(colorScheme);
      expect(await faults()).toEqual([]);
    }
  });
});

test("every command that the viewer names exists", () => {
  const known = new Set(
    [...ownCommands.map(({ command }) => command), ...catalogue.flatMap(({ cli }) => cli?.command ?? [])].map(
      wordsOf,
    ),
  );
  const folder = fileURLToPath(new URL("../../src/viewer", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:ts|html)$/u.test(file),
  );
  const named = files.flatMap((file) =>
    [
      ...readFileSync(join(folder, file), "utf8").matchAll(
        /memsvc ((?:[a-z]+(?:-[a-z]+)*)(?: [a-z]+)?)(?=[ "'`,.<]|$)/gmu,
      ),
    ].map(([, words = ""]) => words),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((words) => !known.has(words) && !known.has(words.split(" ")[0] ?? ""))).toEqual([]);
});
