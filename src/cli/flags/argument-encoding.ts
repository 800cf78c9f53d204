import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { MemsvcError } from "../../operation/errors.ts";

/** What Node puts in place of bytes that are not UTF-8; a user may also mean this character. */
const replacement = "\uFFFD";

/**
 * Refuses arguments in another encoding, whose text would be stored with gaps. Their bytes are known on Linux only, and
 * looked at only if there seem to be gaps. Error: invalid_input.
 */
export function refuseOtherEncodings(args: readonly string[]): void {
  if (!args.some((word) => word.includes(replacement)) || isUtf8(ownCommandLine())) return;
  throw new MemsvcError("invalid_input", "an argument is not UTF-8 text, so it was not used", {
    hint: "convert it first, as iconv -f latin1 -t utf-8 does, or let the terminal use UTF-8",
  });
}

function ownCommandLine(): Buffer {
  try {
    return readFileSync("/proc/self/cmdline");
  } catch {
    // Not Linux: the text is taken as Node gives it.
    return Buffer.alloc(0);
  }
}
