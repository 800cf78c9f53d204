import { readSync } from "node:fs";
import { errorCode } from "../error-code.ts";

const chunkBytes = 65_536;

/** All of standard input as text, without the mark that some shells of Windows put in front of it. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  if (!readAtOnce(chunks)) {
    // A pipe that its writer made non-blocking is empty for the moment: what came so far stays, the rest is awaited.
    for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/u, "");
}

/** Reads without waiting for the event loop, which is the quicker way; false when the input may go on. */
function readAtOnce(chunks: Buffer[]): boolean {
  for (;;) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    try {
      const length = readSync(0, buffer);
      if (length === 0) return true;
      chunks.push(buffer.subarray(0, length));
    } catch (error) {
      const code = errorCode(error);
      // Windows reports the end of a pipe as an error.
      if (code === "EOF") return true;
      if (code !== "EAGAIN") throw error;
      return false;
    }
  }
}
