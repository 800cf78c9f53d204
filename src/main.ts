#!/usr/bin/env node
import packageFile from "../package.json" with { type: "json" };
import { openBundles } from "./cli/startup/bundle-loader.ts";
import { ownCodeCacheFolder } from "./cli/startup/code-cache.ts";
import { handleClosedOutput } from "./cli/terminal/closed-output.ts";
import { complaintAboutNode } from "./old-node.ts";

/*
 * The entry point of the command line. Three things are answered before anything else is loaded: the version, the help,
 * and an event from a hook, which comes with every tool call of an agent and must cost next to nothing.
 */

type Observe = typeof import("./cli/observe/observe-fast.ts");
type Program = typeof import("./cli/program.ts");

const args = process.argv.slice(2);
const startedWithinMs = 2_000;
const globalWithValue = new Set(["--home", "--url", "--secret-file"]);

async function main(): Promise<void> {
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    handleClosedOutput();
    process.stdout.write(`${packageFile.version}\n`);
    return;
  }
  if (args.length === 1 && (args[0] === "--help" || args[0] === "-h")) {
    const { printPrebuiltHelp } = await import("./cli/help/prebuilt-help.ts");
    if (printPrebuiltHelp()) return;
  }
  const complaint = complaintAboutNode(process.versions.node);
  if (complaint !== undefined) {
    process.stderr.write(`memsvc: ${complaint}\n`);
    process.exitCode = forHooks(1);
    return;
  }
  // The bundles are built from the modules that these types name.
  const bundles = openBundles(__dirname, ownCodeCacheFolder(__dirname), require);
  // For what runs long, such as the daemon.
  setTimeout(bundles.leaveCaches, startedWithinMs).unref();
  try {
    process.exitCode = await run(bundles.load);
  } finally {
    bundles.leaveCaches();
  }
}

async function run(load: (bundle: string) => unknown): Promise<number> {
  if (args[0] === "observe") {
    const { observeQuickly } = load("observe") as Observe;
    const done = await observeQuickly(args.slice(1));
    if (done !== undefined) return done;
  }
  const { runProgram } = load("program") as Program;
  return forHooks(await runProgram(args));
}

/**
 * The exit code. Hook commands exit with 0 even if they are set up wrongly, because some agents take another code as a
 * veto.
 */
function forHooks(exit: number): number {
  const command = args.find((word, at) => !word.startsWith("-") && !globalWithValue.has(args[at - 1] ?? ""));
  return command === "observe" && !args.includes("--strict") ? 0 : exit;
}

// If nothing is left to wait for, Node exits with 0, even in the middle of an await.
let isDone = false;
process.once("beforeExit", () => {
  if (isDone) return;
  handleClosedOutput(forHooks(1));
  process.stderr.write(
    "memsvc: ended before it was done, which is a fault of memsvc; look whether it was carried out\n",
  );
  process.exitCode = forHooks(1);
});

main()
  .catch((error: unknown) => {
    handleClosedOutput(forHooks(1));
    process.stderr.write(`memsvc: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = forHooks(1);
  })
  .finally(() => {
    isDone = true;
  });
