interface ReadingPlaces {
  /** The scroll position when this history entry was last shown, in pixels; 0 for a new entry. */
  top(): number;
  /** The address of the link through which this history entry was left with the keyboard, if it was. */
  link(): string | undefined;
}

const pauseMs = 150;

/**
 * Remembers the scroll position of each entry of the tab's history, and the link that was followed from there with the
 * keyboard. The browser's own restoration would happen on the change of the address, before the view was loaded.
 */
export function openReadingPlaces(): ReadingPlaces {
  history.scrollRestoration = "manual";
  const left = new Map<string, { readonly top: number; readonly link: string | undefined }>();
  let [entry, isShown] = [entryNow(), false];
  let pause: number | undefined;
  window.addEventListener("hashchange", () => {
    // An entry that was left before its view appeared has no position to remember.
    const link = document.querySelector("main a:focus-visible")?.getAttribute("href") ?? undefined;
    if (isShown) left.set(entry.name, { top: window.scrollY, link });
    window.clearTimeout(pause);
    [entry, isShown] = [entryNow(), false];
  });
  // Stored at each pause in scrolling, because nothing can be stored any more while the page is being reloaded.
  window.addEventListener("scroll", () => {
    window.clearTimeout(pause);
    pause = window.setTimeout(() => isShown && keep({ ...entry, top: window.scrollY }), pauseMs);
  });
  return {
    top: () => {
      isShown = true;
      return left.get(entry.name)?.top ?? entry.top;
    },
    link: () => left.get(entry.name)?.link,
  };
}

interface Entry {
  readonly name: string;
  readonly top: number;
}

let named = 0;

function entryNow(): Entry {
  const state: unknown = history.state;
  if (isEntry(state)) return state;
  named += 1;
  // The time origin makes the name unique: the history may still hold entries from before a reload.
  const entry = { name: `${performance.timeOrigin}-${named}`, top: 0 };
  keep(entry);
  return entry;
}

function isEntry(state: unknown): state is Entry {
  return typeof state === "object" && state !== null && "name" in state && "top" in state;
}

function keep(entry: Entry): void {
  history.replaceState(entry, "");
}
