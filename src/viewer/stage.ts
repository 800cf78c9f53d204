import { type Child, h, refill } from "./element.ts";
import { openReadingPlaces } from "./reading-places.ts";
import { routeOf } from "./route.ts";
import { isTyping } from "./typing.ts";

/** The area for views; it preserves the reader's focus, input, scroll position and unfolded details where possible. */
interface Stage {
  readonly main: HTMLElement;
  /** Announces to screen readers what is shown and how much was found. */
  readonly said: HTMLElement;
  /** A view is being loaded; `isQuiet`: a refresh that nobody asked for. */
  wait(isQuiet: boolean): void;
  /** Ends the waiting; what is shown stays. */
  stay(): void;
  /** `isAnother`: shows something else instead of the view, such as a failure. */
  show(title: string, body: Child, isAnother: boolean): void;
  /** Whether the view can be refreshed without disturbing the reader (focus, selection, input). */
  isAtRest(): boolean;
}

const reading = "Reading…";
/** Loading that takes less time shows no sign of waiting, which would only flicker. */
const patienceMs = 250;
/** A working daemon answers within this time, even a busy one. */
const usualMs = 5_000;
const stillReading =
  "Still reading: the daemon has not answered yet. See how it is with: memsvc daemon status";

export function openStage(): Stage {
  const main = h("main", { id: "main", tabindex: -1 });
  const said = h("p", { class: "unseen", role: "status" });
  const places = openReadingPlaces();
  let waiting: number | undefined;
  let place: string | undefined;
  /** Scroll position of a view that something else has replaced for now. */
  let interruptedAt: number | undefined;
  const tellDelay = (): void => {
    main.setAttribute("aria-busy", "true");
    dropNote(main);
    main.prepend(waitingNote(stillReading));
    said.textContent = stillReading;
  };
  const stay = (): void => {
    window.clearTimeout(waiting);
    main.removeAttribute("aria-busy");
    dropNote(main);
    if (said.textContent === stillReading) said.replaceChildren();
  };
  return {
    main,
    said,
    stay,
    wait: (isQuiet) => {
      window.clearTimeout(waiting);
      if (isQuiet) {
        waiting = window.setTimeout(tellDelay, usualMs);
        return;
      }
      // Cleared, so that the next announcement is read out even if it has the same text.
      said.replaceChildren();
      waiting = window.setTimeout(() => {
        main.setAttribute("aria-busy", "true");
        if (!main.hasChildNodes()) {
          refill(main, waitingNote(reading));
          said.textContent = reading;
        }
        waiting = window.setTimeout(tellDelay, usualMs);
      }, patienceMs);
    },
    show: (title, body, isAnother) => {
      stay();
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
      // A page that has just loaded is read from its beginning; only the form for the secret takes the focus at once.
      if (isFirst) {
        secretIn(main)?.focus();
        return;
      }
      // A refresh of the same view leaves the focus where it is.
      if (stays && !isAnother && (focused === document.body || focused?.isConnected)) return;
      moveFocus(main, focused, places.link());
      if (isSameView && !isAnother) restoreWriting(writing);
    },
    isAtRest: () => {
      const focused = document.activeElement;
      const isInHands = main.contains(focused) && focused !== main && !focused?.matches("h1");
      const isBusy = main.querySelector(".secret, [aria-busy]") !== null;
      return !isInHands && !isBusy && !isTyping(focused) && (getSelection()?.isCollapsed ?? true);
    },
  };
}

function waitingNote(text: string): HTMLElement {
  return h("p", { class: "note waiting" }, text);
}

function dropNote(main: HTMLElement): void {
  main.querySelector(":scope > .waiting")?.remove();
}

/** Replaces the contents, but keeps details open that the reader had unfolded, even if they have moved. */
function refillKeepingOpen(main: HTMLElement, body: Child): void {
  const opened = new Set(
    [...main.querySelectorAll("details")].flatMap((one) => (one.open ? [nameOf(one)] : [])),
  );
  refill(main, body);
  for (const one of main.querySelectorAll("details")) if (opened.has(nameOf(one))) one.open = true;
}

/**
 * A name that identifies a `details` element across refreshes: its summary, with the links and headings of its row or
 * section.
 */
function nameOf(folded: HTMLDetailsElement): string {
  const around = folded.closest(".row, section");
  const marks = [...(around?.querySelectorAll("a, h2, h3") ?? [])].filter((one) => !one.closest("details"));
  const told = marks.map((one) => one.getAttribute("href") ?? one.textContent);
  return JSON.stringify([told, folded.querySelector("summary")?.textContent]);
}

/**
 * After a filter was changed, the focus stays in its field; on the way back it returns to the link that was followed
 * with the keyboard, after other navigation it goes to the heading.
 */
function moveFocus(main: HTMLElement, from: Element | null, followed: string | undefined): void {
  const next =
    (from?.id && main.querySelector<HTMLElement>(`#${CSS.escape(from.id)}`)) ||
    [...main.querySelectorAll("a")].find((link) => link.getAttribute("href") === followed) ||
    (secretIn(main) ?? main.querySelector("h1"));
  if (next && !isTyping(document.activeElement)) next.focus({ preventScroll: true });
}

interface Writing {
  readonly id: string;
  readonly text: string;
  readonly selection: readonly [start: number | null, end: number | null];
}

/**
 * Takes what the user has typed but not yet submitted out of the focused field. The change event is suppressed:
 * removing the field would fire it and so submit the text.
 */
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

/** Puts the typed text back into the field with the same id. */
function restoreWriting(writing: Writing | undefined): void {
  const { activeElement: field } = document;
  if (writing === undefined || !(field instanceof HTMLInputElement) || field.id !== writing.id) return;
  field.value = writing.text;
  field.setSelectionRange(...writing.selection);
}

function secretIn(main: HTMLElement): HTMLElement | null {
  return main.querySelector<HTMLElement>(".secret input");
}
