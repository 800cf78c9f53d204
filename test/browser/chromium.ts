import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const usualPlaces = [
  "/usr/bin/chromium",
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The program that CHROMIUM names, else one in the search path or at a usual place. */
export function findChromium(): string | undefined {
  const { env } = process;
  if (env.CHROMIUM !== undefined) return env.CHROMIUM;
  const inPath = (env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [...inPath, ...usualPlaces].find((path) => existsSync(path));
}

export const noChromium =
  "skipped: no Chromium was found; install one, or name its program in CHROMIUM, to test the viewer";

/** Starts a headless browser that makes no network requests of its own. */
export function openBrowser(executablePath: string): Promise<Browser> {
  // Chromium's sandbox does not work for root, which is the user in containers.
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const quiet = ["background-networking", "component-update", "sync", "quic", "gpu"].map(
    (one) => `--disable-${one}`,
  );
  // Without the limit it has a process ready for the next page all the time, a quarter of the work of opening one.
  const none = ["--no-first-run", "--renderer-process-limit=1"];
  return chromium.launch({ executablePath, args: [...asRoot, ...quiet, ...none] });
}
