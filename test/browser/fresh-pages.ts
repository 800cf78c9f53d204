import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { buildOnce } from "../cli/program-process.ts";
import { findChromium, openBrowser } from "./chromium.ts";
import { type Served, serveViewer } from "./served.ts";
import { openWatched, type WatchedPage } from "./watched-page.ts";

export const chromium = findChromium();
export const secret = "a-secret-of-more-than-sixteen-letters";

const knowledge = "memories sessions lessons insights facts procedures slots graph search".split(" ");
const work = "frontier actions leases checkpoints sentinels signals routines sketches team mesh".split(" ");
/** All views in the navigation except the overview. */
export const lists = [...knowledge, ...work, "audit", "snapshots"];

interface FreshPages {
  /** A fresh store behind a viewer. */
  serve(env?: Readonly<Record<string, string>>): Promise<Served>;
  look(url: string, options?: Parameters<typeof openWatched>[2]): Promise<WatchedPage>;
}

/** Opens stores and pages that live for one test each; all tests of the calling suite share one browser. */
export function freshPages(): FreshPages {
  let browser: Browser;
  const opened: { close(): Promise<void> }[] = [];
  const kept = <Opened extends { close(): Promise<void> }>(one: Opened): Opened => {
    opened.push(one);
    return one;
  };
  beforeAll(async () => {
    buildOnce();
    browser = await openBrowser(chromium ?? "");
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });
  return {
    serve: async (env = {}) => kept(await serveViewer(env)),
    look: async (url, options = {}) => kept(await openWatched(browser, url, options)),
  };
}
