import { describeSystemError } from "../errors/describe-system-error.ts";

/**
 * A reader that has seen enough (`| head -1`) closes the pipe: no failure, and nothing more to do. What else keeps
 * the output from being written, such as a full disk, ends the program with that exit code and says so where that
 * still can be read.
 */
export function handleClosedOutput(failure = 1): void {
  for (const stream of [process.stdout, process.stderr]) {
    // Whoever came first knows best what a failure is.
    if (stream.listenerCount("error") > 0) continue;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return;
      const fault = describeSystemError(Object.assign(error, { path: "the output" }));
      if (stream === process.stdout) process.stderr.write(`memsvc: ${fault?.problem ?? error.message}\n`);
      process.exit(failure);
    });
  }
}
