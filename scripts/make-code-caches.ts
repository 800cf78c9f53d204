import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sampleSessions } from "../src/cli/demo/sample/history.ts";
import { openBundles } from "../src/cli/startup/bundle-loader.ts";
import { codeCacheFolder } from "../src/cli/startup/code-cache.ts";
import { settingsTable } from "../src/config/settings-table.ts";
import { releaseClosedDatabases } from "../src/store/release-closed-databases.ts";

/*
 * Makes the code caches of the bundles, as the last step of the build: runs common commands and hooks in this process,
 * loads the daemon, and stores what V8 compiled for them. Functions that only others run are compiled at each start.
 * The folder of the bundles is an argument; without one it is dist/.
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

type Observe = typeof import("../src/cli/observe/observe-fast.ts");
type Program = typeof import("../src/cli/program.ts");

const events = (sampleSessions[0]?.events ?? []).map(({ payload }) => JSON.stringify(payload));

const dist = process.argv[2] ?? fileURLToPath(new URL("../dist", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "memsvc-"));
// The user's own settings may name a shared store, or be wrong.
for (const { name } of settingsTable) delete process.env[name];
// Stands in for a daemon; its answers do not matter, only that commands run the code that asks it.
const daemon = createServer((_, answer) =>
  answer.end('{"success":true,"results":[],"sessions":[],"total":0}'),
);
try {
  const url = await listening();
  const bundles = openBundles(dist);
  // The casts are safe: these bundles are built from src/cli/program.ts and src/cli/observe/observe-fast.ts.
  const { runProgram } = bundles.load("program") as Program;
  const { observeQuickly } = bundles.load("observe") as Observe;
  const run = async (command: readonly string[]): Promise<void> => {
    const exit = await runProgram(command);
    if (exit !== 0 && exit !== 3) throw new Error(`memsvc ${command.join(" ")} ended with ${exit}`);
  };
  const observe = async (event: string): Promise<void> => {
    const exit = await withInput(event, () => observeQuickly(["--strict", "--home", home, "--url", url]));
    if (exit !== 0) throw new Error(`memsvc observe ended with ${exit}`);
  };
  await quietly(async () => {
    for (const event of events) await observe(event);
    for (const command of commands) await run([...command, "--home", home, "--offline"]);
    await run(["search", "retries", "--home", home, "--url", url, "--json"]);
    await run(["session", "list", "--home", home, "--url", url]);
  });
  bundles.load("daemon-process");
  const folder = codeCacheFolder(dist);
  // A command that ran during the build may have left a cache of an older bundle.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, script] of bundles.scripts) writeFileSync(join(folder, file), script.createCachedData());
} finally {
  daemon.close();
  await releaseClosedDatabases();
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

/** Runs `work` with the output of commands discarded. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    await work();
  } finally {
    process.stdout.write = write;
  }
}

/** Runs `work` with `input` as standard input. */
async function withInput<T>(input: string, work: () => Promise<T>): Promise<T> {
  const { readSync } = fs;
  let rest = Buffer.from(input);
  fs.readSync = (_: number, { buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView) => {
    const length = rest.copy(Buffer.from(buffer, byteOffset, byteLength));
    rest = rest.subarray(length);
    return length;
  };
  try {
    return await work();
  } finally {
    fs.readSync = readSync;
  }
}
