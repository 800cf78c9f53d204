import type { ByteStream } from "../../operation/define.ts";
import type { CommandContext } from "../command.ts";
import { shownBytes } from "../render/quantity.ts";
import { oneLine } from "../render/text.ts";
import { supportsEscapeSequences } from "./terminal.ts";
import { onTerminationSignal } from "./termination-signals.ts";

/** Progress of a long task: a bar on a terminal, otherwise a line every few seconds; nothing in quiet mode. */
interface Progress {
  /** Bytes done so far. */
  at(bytes: number): void;
  /** Prints a line above the bar. */
  say(line: string): void;
  /** Removes the bar, because the task has ended. */
  end(): void;
}

const lineEveryMs = 5_000;
const drawEveryMs = 80;
const barLength = 24;
const leastLabel = 12;
const eraseLine = "\r\u001b[K";

export function openProgress(
  { terminal, globals }: Pick<CommandContext, "terminal" | "globals">,
  label: string,
  /** Undefined if it is not known. */
  totalBytes: number | undefined,
  /** The message if a signal ends the task early. */
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
      process.stderr.write(`${eraseLine}${besideBar(`${bar} `, label, amount(bytes), terminal.columns)}`);
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

/**
 * One line of less than a terminal's width, because of a wrapped one only the last part would be erased. The label is
 * cut to what the amount leaves; without room for it beside the bar, the bar is left out.
 */
function besideBar(bar: string, label: string, amount: string, columns: number): string {
  const room = columns - amount.length - 3;
  const roomBesideBar = room - barLength - 1;
  return roomBesideBar < leastLabel
    ? `${oneLine(label, room)}  ${amount}`
    : `${bar}${oneLine(label, roomBesideBar)}  ${amount}`;
}

/** The same bytes, counted for the progress display. */
export async function* countedBytes(progress: Progress, bytes: ByteStream): AsyncGenerator<Uint8Array> {
  let done = 0;
  for await (const piece of bytes) {
    yield piece;
    done += piece.byteLength;
    progress.at(done);
  }
}
