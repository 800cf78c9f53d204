import { describeSystemError } from "../errors/describe-system-error.ts";

/**
 * Handles write errors of stdout and stderr. A reader that has seen enough (`| head -1`) closes the pipe, which is not
 * a failure. Other errors, such as a full disk, end the program with the given exit code and a message, if stderr can
 * still be written.
 */
export function handleClosedOutput(failure = 1): void {
  for (const stream of [process.stdout, process.stderr]) {
    // The first caller's handler stays, because it knows its exit code best.
    if (stream.listenerCount("error") > 0) continue;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return;
      const fault = describeSystemError(Object.assign(error, { path: "the output" }));
      if (stream === process.stdout) process.stderr.write(`memsvc: ${fault?.problem ?? error.message}\n`);
      process.exit(failure);
    });
  }
}
