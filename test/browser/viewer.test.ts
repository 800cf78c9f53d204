import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { createAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { saveRoutine } from "../../src/coordination/routines/operations.ts";
import { createSentinel } from "../../src/coordination/sentinels/operations.ts";
import { sendSignal } from "../../src/coordination/signals/operations.ts";
import { createSketch } from "../../src/coordination/sketches/operations.ts";
import { listAudit } from "../../src/governance/audit/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { chromium, freshPages, lists, secret } from "./fresh-pages.ts";

/** Has answers to requests of a path wait until they are let go. */
async function heldBack(page: Page, path: string): Promise<{ letGo(): Promise<void> }> {
  let free = (): void => undefined;
  const freed = new Promise<void>((resolve) => {
    free = resolve;
  });
  const place = `**/memsvc/${path}`;
  await page.route(place, async (route) => {
    await freed;
    await route.fallback();
  });
  return {
    letGo: async () => {
      free();
      await page.unroute(place);
    },
  };
}

describe.skipIf(chromium === undefined)("the viewer", () => {
  const { serve, look } = freshPages();

  describe("with a secret", () => {
    const kept = (page: Page) =>
      page.evaluate<unknown>("[{...sessionStorage}, localStorage.length, document.cookie, location.href]");

    test("asks for it, rejects a wrong one, and keeps it only in the tab's session storage", async () => {
      const { url } = await serve({ MEMSVC_SECRET: secret });
      const { page, view, faults } = await look(url);
      await page.getByRole("heading", { name: "This store has a secret" }).waitFor();
      await page.locator("#secret:focus").waitFor();
      for (const wrong of ["wrong", "schlüssel → 🔑"]) {
        await page.getByLabel("Secret").fill(wrong);
        await page.getByRole("button", { name: "Open" }).click();
        await page.getByText("That is not the secret").waitFor();
        expect(await kept(page)).toEqual([{}, 0, "", expect.any(String)]);
      }
      const tried = await heldBack(page, "config/flags?*");
      // The field has the keyboard, and what was wrong is selected.
      await page.keyboard.type(secret);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      // The secret counts as given even if the reader opens another view before the answer comes.
      await page.getByRole("link", { name: "Lessons", exact: true }).click();
      await tried.letGo();
      await page.getByRole("heading", { name: "Lessons" }).waitFor();
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

    test("keeps it until a reload in a browser that refuses to store anything", async () => {
      const { url } = await serve({ MEMSVC_SECRET: secret });
      const { page } = await look(url, { ownPage: true });
      const content =
        'Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("", "SecurityError"); } })';
      await page.addInitScript({ content });
      await page.reload();
      await page.getByLabel("Secret").fill(secret);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.getByRole("link", { name: "Lessons", exact: true }).click();
      await page.getByRole("heading", { name: "Lessons" }).waitFor();
      await page.getByRole("button", { name: "Forget secret" }).click();
      await page.getByRole("heading", { name: "This store has a secret" }).waitFor();
    });

    test("asks again once the secret has changed", async () => {
      const { url } = await serve({ MEMSVC_SECRET: secret });
      const { page } = await look(url);
      await page.evaluate('sessionStorage.setItem("memsvc-secret", "the one before")');
      await page.reload();
      await page.getByText("is no longer accepted").waitFor();
      expect(await kept(page)).toEqual([{}, 0, "", expect.any(String)]);
    });
  });

  test("says that the daemon is slow, or gone and how to start it, and continues when it is back", async () => {
    const { url } = await serve();
    const { page } = await look(url, { ownPage: true });
    const first = await heldBack(page, "**");
    await page.clock.install();
    await page.reload();
    await page.getByText("Reading…").first().waitFor();
    await page.clock.runFor(5_000);
    await page.getByText("Still reading: the daemon has not answered yet.").first().waitFor();
    await first.letGo();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.route("**/memsvc/**", (route) => route.abort());
    await page.getByRole("link", { name: "Memories", exact: true }).click();
    await page.getByText("start it with: memsvc daemon start").waitFor();
    await page.unroute("**/memsvc/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Memories" }).waitFor();
    await page.evaluate('Response.prototype.text = () => Promise.reject(new TypeError("network error"))');
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByText("start it with: memsvc daemon start").waitFor();
  });

  test("names the invalid filter in a URL, and links to the view without filters", async () => {
    const { url } = await serve();
    const { page } = await look(`${url}#/memories?type=rumour`);
    await page.getByText("type: must be pattern").waitFor();
    await page.getByRole("link", { name: "Remove the filters" }).click();
    await page.locator("main").getByText("Nothing is remembered yet").waitFor();
  });

  test("with Follow, shows new records, keeps open details and focus, and finds the daemon again", async () => {
    const { url, store } = await serve();
    const steps = [{ title: "Bump the version" }];
    await store.call(saveRoutine, { name: "Release", steps });
    const { page, view, faults } = await look(url, { ownPage: true });
    await page.clock.install({ time: store.now() });
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await view("routines");
    await page.getByText("1 step").click();
    const button = page.getByRole("button", { name: "Follow" });
    await button.click();
    const pass = () => page.clock.runFor(5_000);
    await store.call(saveRoutine, { name: "Onboarding", steps: [...steps, { title: "Tell everybody" }] });
    await pass();
    await page.getByText("Onboarding").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Follow");

    await page.getByText("2 steps").click();
    await button.focus();
    await pass();
    await expect.poll(() => page.locator("details[open]").count()).toBe(2);

    await page.route("**/memsvc/**", (route) => route.abort());
    await pass();
    await page.getByText("start it with: memsvc daemon start").waitFor();
    await page.unroute("**/memsvc/**");
    await store.call(saveRoutine, { name: "Backup", steps });
    await pass();
    await page.getByText("Backup").waitFor();

    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("false");

    // Relative times go on counting in a view that is no longer followed.
    await page.clock.runFor(15 * 60_000);
    expect(await page.locator("time").first().textContent()).toBe("15 min ago");

    await button.click();
    // What is shown must not be taken for the present state while the daemon hangs.
    const hung = await heldBack(page, "routines?*");
    await pass();
    await pass();
    const delay = page.getByText("Still reading: the daemon has not answered yet.");
    await delay.first().waitFor();
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.clock.runFor(6_000);
    expect(await page.locator("main").getByText("Still reading").count()).toBe(1);
    await hung.letGo();
    await delay.first().waitFor({ state: "detached" });
    // Of a daemon that is gone it is said once that it is gone, and not that it is slow, except while it is being
    // asked.
    await page.route("**/memsvc/**", (route) => route.abort());
    await pass();
    await page.getByText("start it with: memsvc daemon start").waitFor();
    await pass();
    await page.clock.runFor(4_999);
    await button.click();
    await page.clock.runFor(5_000);
    await expect.poll(() => delay.count()).toBe(0);
    await button.click();
    // Nor is it said any longer once it has been asked in vain, even if that took long.
    const late = await heldBack(page, "{routines,audit}?*");
    await pass();
    await button.click();
    await pass();
    expect(await delay.count()).toBe(2);
    await late.letGo();
    await expect.poll(() => delay.count()).toBe(0);
    await page.unroute("**/memsvc/**");
    await button.click();

    await view("");
    const looking = await heldBack(page, "diagnostics");
    await page.getByRole("button", { name: "Look for faults" }).click();
    await button.focus();
    await pass();
    await looking.letGo();
    await page.getByText("without a finding").waitFor();
    await store.call(remember, { content: "Rotate the keys in spring" });
    await pass();
    await page.getByText("Rotate the keys in spring").waitFor();
    expect(await page.getByText("without a finding").count()).toBe(1);
    expect(await faults()).toEqual([]);
  });

  test("can be used with the keyboard alone: skip link, search, filters and graph", async () => {
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

    let searches = 0;
    await page.route("**/smart-search", async (route) => {
      searches += 1;
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), totalCount: 45 } });
    });
    // No key alone is a shortcut: people who speak to their computer would press it in the middle of a sentence.
    await page.keyboard.press("/");
    await page.keyboard.press("k");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("jitter");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.title()).toBe("Search – memsvc");
    await page.getByRole("link", { name: "Retry with jitter" }).waitFor();
    const said = page.locator("body > [role=status]");
    expect(await said.textContent()).toMatch(/^Search: 45 hits, the best 1 of them here, searched by words/u);
    // The same words are searched for again, because something may have been stored meanwhile.
    await page.locator("#search").press("Enter");
    await expect.poll(() => searches).toBe(2);
    await view("search?q=jitter&project=nowhere");
    await page.locator("#search").fill("retry");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("location.hash")).toBe("#/search?q=retry&project=nowhere");

    await view("memories");
    await page.getByLabel("Project").focus();
    await page.keyboard.type("nowhere");
    await page.keyboard.press("Enter");
    await page.locator("main").getByText("There are no memories that fit these filters.").waitFor();
    expect(await page.evaluate("location.hash")).toBe("#/memories?project=nowhere");
    expect(await said.textContent()).toBe("Memories: There are no memories that fit these filters.");
    let asked = 0;
    await page.route("**/memsvc/memories?*", (route) => {
      asked += 1;
      return route.fallback();
    });
    await page.getByRole("button", { name: "Filter" }).click();
    await expect.poll(() => asked).toBe(1);
    const narrowed = await heldBack(page, "memories?*");
    await page.getByLabel("Project").fill("");
    await page.keyboard.press("Enter");
    await page.getByLabel("Agent").focus();
    await page.keyboard.type("build");
    await narrowed.letGo();
    await expect.poll(() => said.textContent()).toBe("Memories: 1 memory, newest first");
    // What was being written when the rows came is not lost.
    await page.keyboard.type("er");
    expect(await page.locator("#filter-agent:focus").inputValue()).toBe("builder");
    // Nor is it taken for a filter when its field is gone. Back leads to the view before, not to the filters before.
    await page.goBack();
    await expect.poll(() => page.title()).toBe("Search – memsvc");
    expect(await page.evaluate("location.hash")).toBe("#/search?q=retry&project=nowhere");

    await view("lessons");
    await page.getByLabel("Project").focus();
    await page.keyboard.type("nowhere");
    await page.keyboard.press("Tab");
    await page.locator("main").getByText("There are no lessons that fit these filters.").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Filter");

    await view("graph");
    await page.getByRole("link", { name: /^retry, concept/u }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Neighbours" }).waitFor();
    expect(await page.locator("table").textContent()).toContain("src/queue.ts");
    await page.locator("svg text", { hasText: "src/queue.ts" }).click();
    await page.getByRole("heading", { name: "src/queue.ts" }).waitFor();
    expect(await page.locator("main details a").allTextContents()).toEqual(["Retry with jitter"]);
    expect(await view("graph?project=nowhere")).toContain("There are no nodes that fit these filters.");
    await page.getByLabel("Project").waitFor();
  });

  test("draws no name of the graph over its own dot, not even wide ones at the edge", async () => {
    const { url, store } = await serve({
      GRAPH_EXTRACTION_ENABLED: "true",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      OPENAI_MODEL: "none",
    });
    for (let number = 1; number <= 9; number += 1)
      await store.call(remember, {
        content: `Fact ${number}`,
        files: [`wwwwww/mmmmmm/${number}.ts`],
        concepts: ["w"],
      });
    const { page, view } = await look(url);
    await view("graph");
    const covering = await page.evaluate(`[...document.querySelectorAll(".graph .named")].filter((node) => {
      const [dot, name] = ["circle", "text"].map((part) => node.querySelector(part).getBoundingClientRect());
      return name.left < dot.right && dot.left < name.right;
    }).map((node) => node.textContent)`);
    expect(covering).toEqual([]);
    expect(await page.locator(".graph text[text-anchor=end]").count()).toBeGreaterThan(0);
  });

  test("restores the scroll position on Back and on reload, and on Back the focus", async () => {
    const { url, store } = await serve();
    for (let number = 1; number <= 30; number += 1)
      await store.call(createAction, { title: `Step ${number}` });
    const { page, view, faults } = await look(url);
    const top = () => page.evaluate<number>("scrollY");
    const heading = (name: string) => page.getByRole("heading", { name, exact: true, level: 1 });
    await view("actions");
    const link = page.getByRole("link", { name: "Step 11", exact: true });
    await link.scrollIntoViewIfNeeded();
    const left = await top();
    expect(left).toBeGreaterThan(300);
    await expect.poll(() => page.evaluate("history.state.top")).toBe(left);
    await link.press("Enter");
    await heading("Step 11").waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await heading("Actions").waitFor();
    await expect.poll(top).toBe(left);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Step 11");
    await page.goForward();
    await heading("Step 11").waitFor();
    await page.reload();
    await heading("Step 11").waitFor();
    await page.goBack();
    await heading("Actions").waitFor();
    await expect.poll(top).toBe(left);
    await page.evaluate("scrollTo(0, 250)");
    await expect.poll(() => page.evaluate("history.state.top")).toBe(250);
    await page.reload();
    await heading("Actions").waitFor();
    await expect.poll(top).toBe(250);
    expect(await faults()).toEqual([]);
  });

  test("shows the entry of the view in the navigation, also where that scrolls", async () => {
    const { url } = await serve();
    const { page, view } = await look(url, { viewport: { width: 1280, height: 480 } });
    const isInSight = () =>
      page.evaluate<boolean>(`(() => {
        const strip = document.querySelector("nav.views").getBoundingClientRect();
        const entry = document.querySelector("[aria-current]").getBoundingClientRect();
        return entry.top >= strip.top && entry.bottom <= strip.bottom + 1;
      })()`);
    for (const place of ["snapshots", "search", "audit"]) {
      await view(place);
      expect(await isInSight(), place).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    const lacking =
      "document.querySelector('nav.views').scrollHeight - document.querySelector('nav.views').clientHeight";
    expect(await page.evaluate(lacking)).toBe(0);
  });

  test("says that there is no such view for an unknown address", async () => {
    const { url } = await serve();
    const { page } = await look(`${url}#/memoirs`);
    await page.getByText("there is no view memoirs").waitFor();
    expect(await page.locator("[aria-current]").count()).toBe(0);
  });

  test("keeps details open when a row is added above, and the scroll position after an outage", async () => {
    const { url, store } = await serve();
    const routine = (name: string) => store.call(saveRoutine, { name, steps: [{ title: `${name} step` }] });
    for (let number = 1; number <= 20; number += 1) await routine(`Routine ${number}`);
    const { page, view } = await look(url);
    const refresh = page.getByRole("button", { name: "Refresh" });
    await view("routines");
    await page.locator(".row", { hasText: "Routine 5" }).getByText("1 step").click();
    const top = await page.evaluate<number>("scrollY");
    expect(top).toBeGreaterThan(200);
    // To click, the test's browser would scroll.
    await routine("Another");
    await refresh.dispatchEvent("click");
    await page.getByText("Another", { exact: true }).waitFor();
    expect(await page.locator("details[open]").allTextContents()).toEqual([
      expect.stringContaining("Routine 5 step"),
    ]);

    await page.route("**/memsvc/**", (route) => route.abort());
    await refresh.dispatchEvent("click");
    await page.getByText("start it with: memsvc daemon start").waitFor();
    await page.unroute("**/memsvc/**");
    await page.getByRole("button", { name: "Try again" }).dispatchEvent("click");
    await page.getByText("Another", { exact: true }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(top);
  });

  test("prints dark text without the navigation, even in dark mode", async () => {
    const { url } = await serve();
    const { page, view } = await look(url, { colorScheme: "dark" });
    await view("memories");
    await page.emulateMedia({ media: "print" });
    const found = await page.evaluate<{ ink: string; shown: string }>(`({
      ink: getComputedStyle(document.querySelector("h1")).color,
      shown: document.body.innerText,
    })`);
    expect(Math.max(...(found.ink.match(/\d+/gu) ?? ["255"]).map(Number))).toBeLessThan(64);
    expect(found.shown).toMatch(/^Memories\s+Nothing is remembered yet/u);
  });

  test("shows all text larger to readers whose browser is set to a larger font", async () => {
    const { url, store } = await serve();
    await store.call(saveRoutine, { name: "Release", description: "Weekly", steps: [{ title: "Bump" }] });
    const { page, view } = await look(url);
    const sizes = () =>
      page.evaluate<number[]>(
        "[...document.querySelectorAll('main *, nav a, .top *')].map((one) => parseFloat(getComputedStyle(one).fontSize))",
      );
    await view("routines");
    const before = await sizes();
    // As the browser's setting does.
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    expect((await sizes()).map((size, at) => size / (before[at] ?? 0))).toEqual(before.map(() => 2));
  });

  test("scrolls its header away on a page enlarged four times", async () => {
    const { url, store } = await serve();
    for (let number = 1; number <= 9; number += 1)
      await store.call(createAction, { title: `Step ${number}` });
    const { page, view } = await look(url, { viewport: { width: 320, height: 256 } });
    await view("actions");
    await page.evaluate("scrollTo(0, 600)");
    expect(await page.evaluate("document.querySelector('.top').getBoundingClientRect().bottom")).toBeLessThan(
      0,
    );
  });

  test("shows right-to-left text from the right, and keeps a number on one line inside its tile", async () => {
    const { url, store } = await serve();
    const content = "الذاكرة لا تحذف src/queue.ts قبل النسخ الاحتياطي";
    // Longer than a title, so that it is shown below the title, too.
    const { memoryId } = await store.call(remember, { content: `${content}، ${"وهذا مهم جدا ".repeat(5)}` });
    const { page, view } = await look(url);
    const places = (selector: string) =>
      page.evaluate<number[]>(`(() => {
        const text = document.querySelector(${JSON.stringify(selector)}).firstChild;
        return ["الذاكرة", "src/queue.ts", "قبل"].map((word) => {
          const range = document.createRange();
          const start = text.data.indexOf(word);
          range.setStart(text, start);
          range.setEnd(text, start + word.length);
          return Math.round(range.getBoundingClientRect().left);
        });
      })()`);
    const isFromTheRight = ([first = 0, second = 0, third = 0]: number[]) => first > second && second > third;
    await view("memories");
    expect(isFromTheRight(await places(".row h3 a"))).toBe(true);
    await view(`memory/${memoryId}`);
    for (const selector of ["h1", "pre.content"])
      expect(isFromTheRight(await places(selector)), selector).toBe(true);

    await page.route("**/memsvc/graph/stats*", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), nodes: 1_912_079 } });
    });
    for (const width of [1280, 800, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await view("");
      await page.getByText("1,912,079").waitFor();
      const found = await page.evaluate(`(() => {
        const number = [...document.querySelectorAll(".tile strong")].find((one) => one.textContent === "1,912,079");
        const range = document.createRange();
        range.selectNodeContents(number);
        const [line, ...further] = range.getClientRects();
        return { further: further.length, isInside: line.right < number.closest("a").getBoundingClientRect().right };
      })()`);
      expect(found, `at ${width}`).toEqual({ further: 0, isInside: true });
      await view("audit");
    }
  });

  test("labels every field, has one h1 per view, and fits 1280 px in light and 390 px in dark mode", async () => {
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
    const name = long.slice(0, 200);
    const { action } = await store.call(createAction, {
      title: name,
      description: long,
      project: long,
      tags: [name],
      assignedTo: name,
      metadata: { [name]: long },
    });
    await store.call(acquireLease, { actionId: action.id, agentId: name });
    await store.call(createCheckpoint, { name, description: long, linkedActionIds: [action.id] });
    await store.call(createSentinel, { name, config: { [name]: name } });
    await store.call(sendSignal, { from: name, content: long, metadata: { [name]: name } });
    await store.call(saveRoutine, { name, tags: [name], steps: [{ title: name, description: long }] });
    await store.call(createSketch, { title: name, description: long, project: long });
    const { entries } = await store.call(listAudit, {});
    const memoryId = entries.flatMap(({ targetIds }) => targetIds).find((id) => id.startsWith("mem_"));
    const { page, view, faults, lookAt } = await look(url);
    for (const [width, colorScheme] of [
      [1280, "light"],
      [390, "dark"],
    ] as const) {
      await lookAt(url, { viewport: { width, height: 800 }, colorScheme });
      const records = [
        `memory/${memoryId}`,
        `session/${base.sessionId}`,
        `action/${action.id}`,
        `project/${long}`,
        "facets?label=team:none",
        "memory/none",
      ];
      for (const place of ["", ...lists, ...records]) {
        await view(place);
        const found = await page.evaluate(`({
          headings: document.querySelectorAll("h1").length,
          unnamed: [...document.querySelectorAll("input:not([type=hidden]), select, meter")]
            .filter((one) => one.labels.length === 0 && !one.ariaLabel && one.ariaHidden !== "true").length,
          unnamedTables: [...document.querySelectorAll("table")].filter((one) => !one.ariaLabel).length,
          tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          skipped: [...document.querySelectorAll("h1, h2, h3")].map((one) => Number(one.tagName.at(1)))
            .filter((level, at, levels) => level > (levels[at - 1] ?? 0) + 1).length,
          cutForGood: [...document.querySelectorAll(".excerpt")]
            .filter((one) => !one.closest(".row")?.querySelector("h3 a, a.id")).length,
        })`);
        const sound = { headings: 1, unnamed: 0, unnamedTables: 0, tooWide: 0, skipped: 0, cutForGood: 0 };
        expect(found, `${place} at ${width}`).toEqual(sound);
      }
      const [hint = 0, edge = 0] = await page.evaluate<number[]>(`(() => {
        const field = document.querySelector("#search");
        const { borderColor, backgroundColor } = getComputedStyle(field);
        const light = (color) => color.match(/[0-9]+/gu).slice(0, 3).map((part) => part / 255)
          .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
          .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);
        return [getComputedStyle(field, "::placeholder").color, borderColor]
          .map((color) => light(color) / light(backgroundColor))
          .map((ratio) => Math.max(ratio, 1 / ratio));
      })()`);
      expect([hint > 4.5, edge > 3], `${hint}, ${edge}`).toEqual([true, true]);
      const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
      const [red = 0] = (ground.match(/\d+/u) ?? []).map(Number);
      expect(red < 128 ? "dark" : "light").toBe(colorScheme);
      expect(await faults()).toEqual([]);
    }
  });

  test("fits 320 px with all details open, and keeps links in a list at least 24 px apart", async () => {
    const { url, store } = await serve();
    const lines = [
      "Queues are drained on shutdown",
      "Herons nest in tall trees",
      "Deploys go out on Tuesdays",
    ];
    for (const content of lines) await store.call(remember, { content, project: "shop" });
    const { entries } = await store.call(listAudit, { operation: "remember" });
    const at = "2026-03-01T10:00:00.000Z";
    const fact = {
      id: "sem_1",
      fact: "Deploys are quiet",
      confidence: 0.8,
      accessCount: 0,
      lastAccessedAt: at,
    };
    const sources = { sourceSessionIds: [], sourceMemoryIds: entries.flatMap(({ targetIds }) => targetIds) };
    const semanticMemories = [{ ...fact, ...sources, provider: "extractive", createdAt: at, updatedAt: at }];
    await store.call(importStore, { exportData: { semanticMemories } });
    const { page, view } = await look(url, { viewport: { width: 320, height: 640 } });
    const broken = `(() => {
      const words = [];
      for (const text of document.querySelectorAll(".tile *, .why th, .why .number")) {
        if (text.childElementCount > 0) continue;
        for (const { 0: word, index } of text.textContent.matchAll(/\\S+/gu)) {
          const range = document.createRange();
          range.setStart(text.firstChild, index);
          range.setEnd(text.firstChild, index + word.length);
          if (range.getClientRects().length > 1) words.push(word);
        }
      }
      return words;
    })()`;
    await view("");
    expect(await page.evaluate(broken)).toEqual([]);
    for (const place of ["search?q=queues+deploys", "facts"]) {
      await view(place);
      const found = await page.evaluate<{ tooWide: number; unfolded: number; apart: number[] }>(`(() => {
        const unfolded = [...document.querySelectorAll("main details")];
        for (const one of unfolded) one.open = true;
        const tops = [...document.querySelectorAll("ul.plain a")].map((link) => link.getBoundingClientRect().top);
        return {
          tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          unfolded: unfolded.length,
          apart: tops.slice(1).map((top, at) => top - tops[at]),
        };
      })()`);
      expect([found.tooWide, found.unfolded > 0], place).toEqual([0, true]);
      expect(Math.min(24, ...found.apart), place).toBe(24);
      expect(await page.evaluate(broken), place).toEqual([]);
      if (place === "facts") expect(found.apart).toHaveLength(2);
    }
  });

  test("never leaves the focused element behind the header, even at 320 px", async () => {
    const { url, store } = await serve({ MEMSVC_SECRET: secret });
    for (let number = 1; number <= 9; number += 1)
      await store.call(createAction, { title: `Step ${number}` });
    const { page, view } = await look(url, { viewport: { width: 320, height: 480 } });
    await page.getByLabel("Secret").fill(secret);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("What runs").waitFor();
    await view("actions");
    await page.locator("main a").last().focus();
    const hidden: unknown[] = [];
    for (let presses = 0; presses < 15; presses += 1) {
      await page.keyboard.press("Shift+Tab");
      const found = await page.evaluate(`(() => {
        const { activeElement: reached } = document;
        const header = document.querySelector(".top");
        if (header.contains(reached)) return undefined;
        const { bottom } = header.getBoundingClientRect();
        return reached.getBoundingClientRect().top < bottom ? reached.outerHTML.slice(0, 80) : undefined;
      })()`);
      if (found !== undefined) hidden.push(found);
    }
    expect(hidden).toEqual([]);
  });

  test("serves API docs that fit 320 px and have readable links in dark mode", async () => {
    const { url } = await serve();
    const { page } = await look(url, { viewport: { width: 320, height: 640 }, colorScheme: "dark" });
    await page.goto(`${url}memsvc/docs`);
    const found = await page.evaluate<{ tooWide: number; color: string }>(`(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    return {
      tooWide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      color: getComputedStyle(document.querySelector("a")).color,
    };
  })()`);
    expect(found.tooWide).toBe(0);
    const [red = 0, green = 0] = (found.color.match(/\d+/gu) ?? []).map(Number);
    expect(red + green).toBeGreaterThan(200);
  });
});
