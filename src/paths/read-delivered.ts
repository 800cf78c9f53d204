import { closeSync, constants, openSync, readFileSync, readSync, statSync } from "node:fs";
import { errorCode } from "../system/error-code.ts";
import { blockFor } from "../time/block-for.ts";

/*
 * Secret managers offer a named pipe in place of a file: whoever reads it gets the text from a program that waits at
 * its other end. If no such program runs, opening the pipe as a file would wait for ever. So it is opened without
 * waiting, and read until its writer has closed it. Reading nothing then means that nobody writes (yet).
 */

interface Patience {
  /** For somebody to write to the pipe. */
  readonly writerMs: number;
  /** For the whole text, once somebody does. */
  readonly textMs: number;
}

/** A person may have to allow the secret manager to write. */
const usualPatience: Patience = { writerMs: 2_000, textMs: 60_000 };
/** Agents give hooks 10 s, and after this the store may have to be waited for. */
export const hookPatience: Patience = { writerMs: 1_000, textMs: 3_000 };

/** Short, because the next reader's text follows if the writer offers it again before its end was seen here. */
const lookEveryMs = 1;
const pieceBytes = 65_536;

/** The bytes of a file; undefined for a pipe whose text is not delivered in time. Errors: the system's. */
export function readDelivered(path: string, patience: Patience = usualPatience): Buffer | undefined {
  if (!statSync(path).isFIFO()) return readFileSync(path);
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return textOf(pipe, patience);
  } finally {
    closeSync(pipe);
  }
}

function textOf(pipe: number, { writerMs, textMs }: Patience): Buffer | undefined {
  const pieces: Buffer[] = [];
  const startedAt = performance.now();
  for (;;) {
    const piece = nextPiece(pipe);
    if (piece?.length === 0 && pieces.length > 0) return Buffer.concat(pieces);
    const isWritten = piece === undefined || piece.length > 0;
    if (performance.now() - startedAt > (isWritten ? textMs : writerMs)) return undefined;
    if (piece !== undefined && piece.length > 0) pieces.push(piece);
    else blockFor(lookEveryMs);
  }
}

/** Empty if nobody has the pipe open for writing; undefined if somebody has, and wrote nothing since. */
function nextPiece(pipe: number): Buffer | undefined {
  const piece = Buffer.alloc(pieceBytes);
  try {
    return piece.subarray(0, readSync(pipe, piece));
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return undefined;
    throw error;
  }
}
