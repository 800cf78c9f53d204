#!/usr/bin/env node
import packageFile from "../package.json" with { type: "json" };

/*
 * The entry of the command line. Two things are answered before anything is loaded: the version, and an event
 * of a hook, which arrives at every tool call of an agent and must cost next to nothing.
 */

const args = process.argv.slice(2);

async function main(): Promise<void> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    process.stdout.write(`${packageFile.version}\n`);
    return;
  }
  if (args[0] === "observe") {
    const { observeQuickly } = await import("./cli/observe-fast.ts");
    const done = await observeQuickly(args.slice(1));
    if (done !== undefined) {
      process.exitCode = done;
      return;
    }
  }
  const { runProgram } = await import("./cli/program.ts");
  process.exitCode = await runProgram(args);
}

main().catch((error: unknown) => {
  process.stderr.write(`memsvc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
