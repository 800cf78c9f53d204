import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBundles } from "../src/cli/startup/bundle-loader.ts";
import { codeCacheFolder } from "../src/cli/startup/code-cache.ts";
import { letGoOfClosed } from "../src/store/let-go.ts";

/*
 * Makes the code caches of the bundles, the last step of the build: runs usual commands in this process, loads the
 * daemon, and keeps what V8 compiled for them. What only other commands run is compiled at each of their starts.
 */

const commands = [
  ["remember", "Uploads are retried with full jitter", "--concept", "retry"],
  ["search", "why are uploads retried"],
  ["session", "start", "example"],
  ["session", "list"],
  ["memory", "list"],
  ["context"],
  ["status"],
];

type Program = typeof import("../src/cli/program.ts");

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "memsvc-"));
// Whatever it found: what counts is that it is asked.
const daemon = createServer((_, answer) => answer.end('{"success":true,"results":[]}'));
try {
  const url = await listening();
  const bundles = openBundles(dist);
  // The bundle of that name is made from that file.
  const { runProgram } = bundles.load("program") as Program;
  const run = async (command: readonly string[]): Promise<void> => {
    const exit = await runProgram(command);
    if (exit !== 0 && exit !== 3) throw new Error(`memsvc ${command.join(" ")} ended with ${exit}`);
  };
  await quietly(async () => {
    for (const command of commands) await run([...command, "--home", home, "--offline"]);
    await run(["search", "retries", "--home", home, "--url", url, "--json"]);
  });
  bundles.load("daemon-process");
  const folder = codeCacheFolder(dist);
  // A command that ran meanwhile may have left one of a text that was here before.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, script] of bundles.scripts) writeFileSync(join(folder, file), script.createCachedData());
} finally {
  daemon.close();
  await letGoOfClosed();
  rmSync(home, { recursive: true, force: true });
}

function listening(): Promise<string> {
  return new Promise((resolve) => {
    daemon.listen(0, "127.0.0.1", () => {
      const address = daemon.address();
      if (typeof address === "object" && address !== null) resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

/** What the commands answer is of no interest here. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
}
