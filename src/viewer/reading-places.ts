export interface ReadingPlaces {
  /** How far down the reader was when this entry of the history was last on the page; 0 where it is new. */
  top(): number;
}

const pauseMs = 150;

/**
 * Keeps for each entry of the tab's history how far down it was read. The browser would look for that place as soon as
 * the address changes, when the view is still to be read.
 */
export function openReadingPlaces(): ReadingPlaces {
  history.scrollRestoration = "manual";
  const tops = new Map<string, number>();
  let [entry, isShown] = [entryNow(), false];
  let pause: number | undefined;
  window.addEventListener("hashchange", () => {
    // What an entry was left for before it came up has nothing of its own to keep.
    if (isShown) tops.set(entry.name, window.scrollY);
    window.clearTimeout(pause);
    [entry, isShown] = [entryNow(), false];
  });
  // A page that is being loaded anew is not let write any more; so the entry knows its place whenever reading pauses.
  window.addEventListener("scroll", () => {
    window.clearTimeout(pause);
    pause = window.setTimeout(() => isShown && keep({ ...entry, top: window.scrollY }), pauseMs);
  });
  return {
    top: () => {
      isShown = true;
      return tops.get(entry.name) ?? entry.top;
    },
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
  // Names that a page gave before it was loaded anew are still in the history.
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
