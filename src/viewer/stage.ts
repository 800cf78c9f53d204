import { type Child, h, refill } from "./element.ts";
import { openReadingPlaces } from "./reading-places.ts";
import { routeOf } from "./route.ts";
import { isTyping } from "./typing.ts";

/** Where views are shown; what the reader has in hand there is kept as well as can be. */
export interface Stage {
  readonly main: HTMLElement;
  /** Says to those who hear the page what is shown, and how much was found. */
  readonly said: HTMLElement;
  /** Something else is being read; `isQuiet`: nobody asked for it just now. */
  wait(isQuiet: boolean): void;
  /** `isAnother`: it is no view, but stands in the place of one. */
  show(title: string, body: Child, isAnother: boolean): void;
  /** Whether what is shown can be read anew without taking anything out of the reader's hands. */
  isAtRest(): boolean;
}

const reading = "Reading…";
/** Reading that is quicker than this shows no sign of waiting, which would only flicker. */
const patienceMs = 250;
/** A daemon that works answers within this, also a busy one. */
const usualMs = 5_000;
const stillReading =
  "Still reading: the daemon has not answered yet. See how it is with: memsvc daemon status";

export function openStage(): Stage {
  const main = h("main", { id: "main", tabindex: -1 });
  const said = h("p", { class: "unseen", role: "status" });
  const places = openReadingPlaces();
  let waiting: number | undefined;
  let place: string | undefined;
  /** Where the view is to be gone on with that something else stands in the place of. */
  let interruptedAt: number | undefined;
  return {
    main,
    said,
    wait: (isQuiet) => {
      window.clearTimeout(waiting);
      if (isQuiet) return;
      // What comes is said then, also where it is what was said before.
      said.replaceChildren();
      waiting = window.setTimeout(() => {
        main.setAttribute("aria-busy", "true");
        if (!main.hasChildNodes()) {
          refill(main, waitingNote(reading));
          said.textContent = reading;
        }
        waiting = window.setTimeout(() => {
          main.prepend(waitingNote(stillReading));
          said.textContent = stillReading;
        }, usualMs);
      }, patienceMs);
    },
    show: (title, body, isAnother) => {
      window.clearTimeout(waiting);
      main.removeAttribute("aria-busy");
      document.title = `${title} – memsvc`;
      const [isFirst, stays] = [place === undefined, place === location.hash];
      const isSameView = routeOf(place ?? "").view === routeOf(location.hash).view;
      place = location.hash;
      const focused = document.activeElement;
      const top = stays ? (interruptedAt ?? window.scrollY) : places.top();
      interruptedAt = isAnother ? top : undefined;
      const writing = takeWriting(main);
      if (stays) refillKeepingOpen(main, body);
      else refill(main, body);
      const found = main.querySelector(".count, .empty > p")?.textContent;
      const told = found ? `${title}: ${found}` : title;
      if (said.textContent !== told) said.textContent = told;
      window.scrollTo(0, top);
      // A page that has just come is read from its beginning, unless there is nothing to read before the secret is given.
      if (isFirst) {
        secretIn(main)?.focus();
        return;
      }
      // What is shown anew takes the focus from nobody.
      if (stays && !isAnother && (focused === document.body || focused?.isConnected)) return;
      moveFocus(main, focused);
      if (isSameView && !isAnother) goOnWriting(writing);
    },
    isAtRest: () => {
      const focused = document.activeElement;
      const isInHands = main.contains(focused) && focused !== main && !focused?.matches("h1");
      const isAsking = main.querySelector(".secret") !== null;
      return !isInHands && !isAsking && !isTyping(focused) && (getSelection()?.isCollapsed ?? true);
    },
  };
}

function waitingNote(text: string): HTMLElement {
  return h("p", { class: "note waiting" }, text);
}

/** What the reader has unfolded stays so, wherever it stands now. */
function refillKeepingOpen(main: HTMLElement, body: Child): void {
  const opened = new Set(
    [...main.querySelectorAll("details")].flatMap((one) => (one.open ? [nameOf(one)] : [])),
  );
  refill(main, body);
  for (const one of main.querySelectorAll("details")) if (opened.has(nameOf(one))) one.open = true;
}

/** What is folded is told by what leads to it: the links and headings of its row, else of its section. */
function nameOf(folded: HTMLDetailsElement): string {
  const around = folded.closest(".row, section");
  const marks = [...(around?.querySelectorAll("a, h2, h3") ?? [])].filter((one) => !one.closest("details"));
  const told = marks.map((one) => one.getAttribute("href") ?? one.textContent);
  return JSON.stringify([told, folded.querySelector("summary")?.textContent]);
}

/** Whoever chose a filter goes on from there; whoever went elsewhere begins at the heading. */
function moveFocus(main: HTMLElement, from: Element | null): void {
  const next =
    (from?.id && main.querySelector(`#${CSS.escape(from.id)}`)) ||
    (secretIn(main) ?? main.querySelector("h1"));
  if (next instanceof HTMLElement && !isTyping(document.activeElement)) next.focus({ preventScroll: true });
}

interface Writing {
  readonly id: string;
  readonly text: string;
  readonly selection: readonly [start: number | null, end: number | null];
}

/** What somebody has written in a field and not sent. The field, when it is removed, would send it as a change. */
function takeWriting(main: HTMLElement): Writing | undefined {
  const { activeElement: field } = document;
  if (!(field instanceof HTMLInputElement) || !main.contains(field)) return undefined;
  const { id, value: text, defaultValue, selectionStart, selectionEnd } = field;
  if (text === defaultValue) return undefined;
  const hold = (event: Event): void => event.stopPropagation();
  main.addEventListener("change", hold, true);
  field.blur();
  main.removeEventListener("change", hold, true);
  return { id, text, selection: [selectionStart, selectionEnd] };
}

/** It goes on in the field of the same name. */
function goOnWriting(writing: Writing | undefined): void {
  const { activeElement: field } = document;
  if (writing === undefined || !(field instanceof HTMLInputElement) || field.id !== writing.id) return;
  field.value = writing.text;
  field.setSelectionRange(...writing.selection);
}

function secretIn(main: HTMLElement): HTMLElement | null {
  return main.querySelector<HTMLElement>(".secret input");
}
