import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

const inPage = fileURLToPath(new URL("./in-page.js", import.meta.url));

/** A page that records everything that should not happen in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Goes to a view and waits for it; returns all text that can be read there. */
  view(place: string): Promise<string>;
  /** Payloads that ran, errors and violations, requests to others, and elements that are not known to be harmless. */
  faults(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openWatched(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen: string[] = [];
  page.on("dialog", (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("popup", (popup) => seen.push(`opened ${popup.url()}`));
  page.on("download", (download) => seen.push(`downloaded ${download.url()}`));
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(url)) seen.push(`went to ${frame.url()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:image/svg"))
      seen.push(`asked ${request.url()}`);
  });
  page.on("console", (message) => {
    // The browser itself logs every response that is not a success; that is no fault.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      seen.push(message.text());
  });
  await page.exposeFunction("hit", (number: number) => seen.push(`payload ${number} ran`));
  await page.addInitScript({ path: inPage });
  await page.goto(url);
  await page.locator("h1").waitFor();
  return {
    page,
    view: (place) => page.evaluate(`inPage.show(${JSON.stringify(`#/${place}`)})`),
    faults: async () => [...seen, ...(await page.evaluate<string[]>("inPage.standing()"))],
    close: () => context.close(),
  };
}
