import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

export const program = new URL("../../dist/main.cjs", import.meta.url).pathname;

export interface RunningDaemon {
  /** Base URL, with the path prefix of the API. */
  readonly url: string;
  /** Time from the start of the process to its first line of output. */
  readonly readyMs: number;
  /** Resident memory; NaN where the system does not tell. */
  rssMib(): number;
  stop(): Promise<void>;
}

/** Starts the real daemon on a free port and waits until it says that it listens. */
export async function startDaemon(
  home: string,
  nodeFlags: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningDaemon> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, program, "serve", "--home", home, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...ownEnvironment(), ...settings },
  });
  const line = await firstLine(child);
  const readyMs = performance.now() - startedAt;
  const url = line.split(" ").at(-1) ?? "";
  return {
    url,
    readyMs,
    rssMib: () => rssMib(child.pid),
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * The environment without the user's own settings for memsvc (MEMSVC_*) and for Node (NODE_*): extra certificates
 * (NODE_EXTRA_CA_CERTS), for one, make each start of Node two or three times as long.
 */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:MEMSVC|NODE)_/u.test(name));
  return { ...Object.fromEntries(own), MEMSVC_MODEL_DOWNLOAD: "never" };
}

function firstLine(child: ChildProcess): Promise<string> {
  const { stdout } = child;
  if (stdout === null) throw new Error("the daemon was started without a standard output to read");
  return new Promise((resolve, reject) => {
    createInterface({ input: stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`the daemon ended with ${code} before it listened`)));
  });
}

function rssMib(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1] ?? "NaN") / 1024;
  } catch {
    // Only Linux has /proc.
    return Number.NaN;
  }
}
