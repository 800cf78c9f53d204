import { fileURLToPath } from "node:url";
import type { Browser, Page, ViewportSize } from "playwright-core";

const inPage = fileURLToPath(new URL("./in-page.js", import.meta.url));

/** How a viewer is looked at. */
export interface Looking {
  readonly viewport?: ViewportSize;
  readonly colorScheme?: "light" | "dark";
}

/** A page that records everything that should not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Goes to a view and waits for it; returns all text that can be read there. */
  view(place: string): Promise<string>;
  /** Payloads that ran, errors and violations, requests to others, and elements that are not known to be harmless. */
  faults(): Promise<readonly string[]>;
  /** Leaves the viewer, and with it all that was changed in the page except its clock. */
  leave(): Promise<void>;
  /** Looks at another viewer after that. */
  lookAt(url: string, looking?: Looking): Promise<void>;
  close(): Promise<void>;
}

export async function openWatched(
  browser: Browser,
  url: string,
  looking: Looking = {},
): Promise<WatchedPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const seen: string[] = [];
  let watched = url;
  page.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("popup", (popup) => seen.push(`opened ${popup.url()}`));
  page.on("download", (download) => seen.push(`downloaded ${download.url()}`));
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(watched)) seen.push(`went to ${frame.url()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(watched) && !request.url().startsWith("data:image/svg"))
      seen.push(`asked ${request.url()}`);
  });
  page.on("console", (message) => {
    // The browser itself logs every response that is not a success; that is no fault.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      seen.push(message.text());
  });
  await page.exposeFunction("hit", (number: number) => seen.push(`payload ${number} ran`));
  await page.addInitScript({ path: inPage });
  const lookAt: WatchedPage["lookAt"] = async (
    url,
    { viewport = { width: 1280, height: 720 }, colorScheme = "light" } = {},
  ) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ media: null, colorScheme });
    seen.splice(0);
    watched = url;
    await page.goto(url);
    await page.locator("h1").waitFor();
  };
  await lookAt(url, looking);
  return {
    page,
    view: (place) => page.evaluate(`inPage.show(${JSON.stringify(`#/${place}`)})`),
    faults: async () => [...seen, ...(await page.evaluate<string[]>("inPage.standing()"))],
    leave: async () => {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      // Another viewer may get the same port later.
      await page.evaluate("sessionStorage.clear()");
      // For about:blank the browser would start another process.
      await page.goto(new URL("/memsvc/livez", watched).href);
    },
    lookAt,
    close: () => context.close(),
  };
}
