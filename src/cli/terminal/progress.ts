import type { CommandContext } from "../command.ts";
import { shownBytes } from "../render/quantity.ts";
import { supportsEscapeSequences } from "./terminal.ts";
import { onTerminationSignal } from "./termination-signals.ts";

/** How far a long task is: a bar on a terminal, else a line every few seconds; nothing where nobody wants to know. */
export interface Progress {
  /** Bytes done so far. */
  at(bytes: number): void;
  /** A line of its own, which the bar makes room for. */
  say(line: string): void;
  /** Takes the bar away again: the task is done, or failed. */
  end(): void;
}

const lineEveryMs = 5_000;
const drawEveryMs = 80;
const barLength = 24;
const eraseLine = "\r\u001b[K";

export function openProgress(
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
  label: string,
  /** Where it is known. */
  totalBytes: number | undefined,
  /** How things stand when a signal ends it before. */
  undone: () => string,
): Progress {
  const amount = (bytes: number) =>
    totalBytes === undefined ? shownBytes(bytes) : `${shownBytes(bytes)} of ${shownBytes(totalBytes)}`;
  const hasBar = terminal.isForPeople && process.stderr.isTTY === true && supportsEscapeSequences();
  if (globals.quiet) return { at: () => undefined, say: () => undefined, end: () => undefined };
  const clear = () => {
    if (hasBar) process.stderr.write(eraseLine);
  };
  const release = onTerminationSignal(() => {
    clear();
    terminal.say(`interrupted: ${undone()}`);
  });
  let shownAt = hasBar ? Number.NEGATIVE_INFINITY : performance.now();
  return {
    at: (bytes) => {
      const now = performance.now();
      if (now - shownAt < (hasBar ? drawEveryMs : lineEveryMs)) return;
      shownAt = now;
      if (!hasBar) {
        terminal.say(`${label}: ${amount(bytes)}`);
        return;
      }
      const share = totalBytes === undefined ? 0 : bytes / Math.max(1, totalBytes);
      const done = Math.min(barLength, Math.floor(barLength * share));
      const bar = terminal.paint.green("━".repeat(done)) + terminal.paint.dim("━".repeat(barLength - done));
      process.stderr.write(`${eraseLine}${bar} ${label}  ${amount(bytes)}`);
    },
    say: (line) => {
      clear();
      terminal.say(line);
    },
    end: () => {
      release();
      clear();
    },
  };
}
