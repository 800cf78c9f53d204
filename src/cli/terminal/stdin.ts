import { readSync } from "node:fs";
import { MemsvcError } from "../../operation/errors.ts";
import { errorCode } from "../../system/error-code.ts";

const chunkBytes = 65_536;

/** Whether what was read so far is all that is wanted. */
type IsEnough = (chunks: readonly Buffer[]) => boolean;

/**
 * Standard input as text, up to its end or until it is enough. Invalid UTF-8 becomes U+FFFD, because an event is worth
 * storing all the same.
 */
export async function readStdin(isEnough: IsEnough): Promise<string> {
  return decoded(await readBytes(isEnough), false);
}

/** All of standard input, for text that a person wrote. Error: invalid_input if it is neither UTF-8 nor UTF-16. */
export async function readStdinText(): Promise<string> {
  const bytes = await readBytes(() => false);
  try {
    return decoded(bytes, true);
  } catch (cause) {
    throw new MemsvcError("invalid_input", "the piped input is not UTF-8 text, so it was not used", {
      hint: "convert it first, as in: … | iconv -f latin1 -t utf-8 | memsvc …",
      cause,
    });
  }
}

/** Windows shells begin piped text with a byte order mark, which tells UTF-16 from UTF-8. */
function decoded(bytes: Buffer, fatal: boolean): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le", { fatal }).decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be", { fatal }).decode(bytes);
  return new TextDecoder("utf-8", { fatal }).decode(bytes);
}

async function readBytes(isEnough: IsEnough): Promise<Buffer> {
  const chunks: Buffer[] = [];
  if (!readAtOnce(chunks, isEnough)) {
    // A non-blocking pipe is empty for the moment: keeps what was read so far and awaits the rest.
    for await (const chunk of process.stdin) {
      chunks.push(Buffer.from(chunk));
      if (isEnough(chunks)) break;
    }
  }
  return Buffer.concat(chunks);
}

/** Reads synchronously, which is quicker; returns false if more input may come. */
function readAtOnce(chunks: Buffer[], isEnough: IsEnough): boolean {
  for (;;) {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    try {
      const length = readSync(0, buffer);
      if (length === 0) return true;
      chunks.push(buffer.subarray(0, length));
      if (isEnough(chunks)) return true;
    } catch (error) {
      const code = errorCode(error);
      // Windows reports the end of a pipe as an error.
      if (code === "EOF") return true;
      if (code !== "EAGAIN")
        throw error instanceof Error ? Object.assign(error, { path: "standard input" }) : error;
      return false;
    }
  }
}
