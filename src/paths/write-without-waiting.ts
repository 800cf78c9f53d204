import { closeSync, constants, openSync, writeFileSync } from "node:fs";

const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NONBLOCK } = constants;

/**
 * Writes a text to a file that only its owner may read. A pipe in its place would keep whoever opens it waiting for a
 * reader, perhaps for ever; here it is an error. Errors: the system's, ENXIO for such a pipe.
 */
export function writeWithoutWaiting(path: string, text: string, how: "append" | "replace"): void {
  const file = openSync(
    path,
    O_WRONLY | O_CREAT | O_NONBLOCK | (how === "append" ? O_APPEND : O_TRUNC),
    0o600,
  );
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
