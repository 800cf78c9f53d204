import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFileSync,
  spawn,
} from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Outcome, runHere } from "./program-here.ts";

/*
 * Runs the built program in real processes, with a home of their own and an environment of which only PATH comes from
 * outside.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "dist", "main.cjs");
const readyTimeoutMs = 60_000;
const pauseMs = 150;
const standard = ["pipe", "pipe", "pipe"] as const;
/**
 * Descriptor of the held file. Node closes inherited descriptors for its children only up to a gap; this is above one.
 */
export const holdingAs = 200;

export interface ProgramRun {
  /** Exit code; null when a signal ended the process. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Several pieces are written with a pause between them, as a slow writer would; null leaves the pipe to the test. */
  readonly stdin?: string | Uint8Array | readonly string[] | null;
  readonly cwd?: string;
  /** A file that the process inherits open, as after a shell's `exec 200> file`. */
  readonly holding?: string;
}

type HereOptions = Omit<RunOptions, "stdin" | "holding"> & {
  readonly stdin?: string;
  /** The width of a terminal to run at; without it the streams are pipes. */
  readonly columns?: number;
};

export interface Sandbox {
  readonly folder: string;
  /** The user's home. */
  readonly home: string;
  /** The folder for temporary files (TMPDIR). */
  readonly temporary: string;
  run(args: readonly string[], options?: RunOptions): Promise<ProgramRun>;
  /**
   * The same within this process, in a tenth of the time. For whatever a process would prove nothing of: what a command
   * prints and does, once one of its kind was run as a process.
   */
  runHere(args: readonly string[], options?: HereOptions): Promise<Outcome>;
  start(args: readonly string[], options?: RunOptions): ChildProcess;
  remove(): void;
}

/** Builds the program if there is no build yet. */
export function buildOnce(): void {
  if (!existsSync(program)) execFileSync("npm", ["run", "-s", "build"], { cwd: root, stdio: "ignore" });
}

export function openSandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), "memsvc-cli-"));
  const [home, temporary] = ["home-", "tmp-"].map((name) => mkdtempSync(join(folder, name)));
  if (home === undefined || temporary === undefined) throw new Error("no sandbox");
  // No test may use the network.
  const quiet = { MEMSVC_MODEL_DOWNLOAD: "never" };
  const usual = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: temporary, ...quiet };
  const start: Sandbox["start"] = (args, { env, stdin = "", cwd = home, holding } = {}) => {
    const held = holding === undefined ? [] : [openSync(holding, "w")];
    const none = held.flatMap(() => Array<"ignore">(holdingAs - standard.length).fill("ignore"));
    const options = { cwd, env: { ...usual, ...env }, stdio: [...standard, ...none, ...held] };
    const child = spawn(process.execPath, [program, ...args], options) as ChildProcessWithoutNullStreams;
    held.forEach(closeSync);
    // A process that does not read its input closes the pipe early.
    child.stdin.on("error", () => undefined);
    if (stdin !== null)
      void write(child.stdin, typeof stdin === "string" || stdin instanceof Uint8Array ? [stdin] : stdin);
    return child;
  };
  return {
    folder,
    home,
    temporary,
    start,
    run: (args, options) => {
      const startedAt = performance.now();
      return ending(start(args, options), startedAt);
    },
    runHere: (args, { env, stdin = "", cwd = home, columns } = {}) =>
      runHere({ args, env: { ...usual, ...env }, stdin, cwd, ...(columns === undefined ? {} : { columns }) }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function write(
  input: Writable,
  [first = "", ...others]: readonly (string | Uint8Array)[],
): Promise<void> {
  input.write(first);
  for (const piece of others) {
    await sleep(pauseMs);
    input.write(piece);
  }
  input.end();
}

function ending(child: ChildProcess, startedAt: number): Promise<ProgramRun> {
  const written = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exit) => resolve({ exit, ...written, tookMs: performance.now() - startedAt }));
  });
}

export interface DaemonProcess {
  /** Ends it with SIGKILL, as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `memsvc serve` on a free port and waits until it listens. */
export async function startDaemon(
  sandbox: Sandbox,
  env: NonNullable<RunOptions["env"]> = {},
): Promise<DaemonProcess> {
  const child = sandbox.start(["serve", "--port", "0"], { env });
  const gone = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  await listening(child);
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return gone;
  };
  return {
    kill: async () => {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
  };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = "";
    const fail = (reason: string) => {
      child.kill("SIGKILL");
      reject(new Error(`the daemon ${reason}: ${written}`));
    };
    const timer = setTimeout(() => fail("did not listen in time"), readyTimeoutMs);
    const take = (chunk: Buffer) => {
      written += chunk.toString();
      if (!written.includes("listening on")) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.on("close", (exit) => {
      clearTimeout(timer);
      fail(`ended with ${exit}`);
    });
  });
}
