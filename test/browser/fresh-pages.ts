import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { buildOnce } from "../cli/program-process.ts";
import { findChromium, openBrowser } from "./chromium.ts";
import { type Served, serveViewer } from "./served.ts";
import { type Looking, openWatched, type WatchedPage } from "./watched-page.ts";

export const chromium = findChromium();
export const secret = "a-secret-of-more-than-sixteen-letters";

const knowledge =
  "projects memories sessions commits lessons insights facts procedures crystals slots graph search".split(
    " ",
  );
const work = "frontier actions leases checkpoints sentinels signals routines sketches facets team mesh".split(
  " ",
);
/** All views in the navigation except the overview. */
export const lists = [...knowledge, ...work, "audit", "snapshots"];

interface FreshPages {
  /** A fresh store behind a viewer. */
  serve(env?: Readonly<Record<string, string>>): Promise<Served>;
  /** A page that looks at a viewer; a test that sets its clock asks for one of its own. */
  look(url: string, looking?: Looking & { readonly ownPage?: true }): Promise<WatchedPage>;
}

/**
 * Opens stores that live for one test each, and pages that know nothing of earlier tests. All tests of the calling suite
 * share one browser, and pages that earlier tests have left: opening one costs more than most tests do in it.
 */
export function freshPages(): FreshPages {
  let browser: Browser;
  const opened: { close(): Promise<void> }[] = [];
  const left: WatchedPage[] = [];
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
    look: async (url, { ownPage, ...looking } = {}) => {
      if (ownPage === true) return kept(await openWatched(browser, url, looking));
      const known = left.pop();
      await known?.lookAt(url, looking);
      const watched = known ?? (await openWatched(browser, url, looking));
      kept({
        close: async () => {
          await watched.leave();
          left.push(watched);
        },
      });
      return watched;
    },
  };
}
