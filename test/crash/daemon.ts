import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import type { Sandbox } from "../cli/program-process.ts";

const readyTimeoutMs = 60_000;
/** A process that has not ended this long after its signal counts as hanging and is killed; its Ending shows that. */
const endTimeoutMs = 60_000;

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface RunningDaemon {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from its start until it took requests. */
  readonly readyMs: number;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ending>;
}

/** Where the processes of a sandbox keep their store. */
export function storeOf(sandbox: Sandbox): string {
  return join(sandbox.home, ".memsvc", "memsvc.db");
}

export function homeOf(sandbox: Sandbox): string {
  return join(sandbox.home, ".memsvc");
}

/** Starts `memsvc serve` on a free port; returns an Ending when it ends without having listened. */
export async function serve(
  sandbox: Sandbox,
  args: readonly string[] = ["--port", "0"],
): Promise<RunningDaemon | Ending> {
  const startedAt = performance.now();
  const child = sandbox.start(["serve", ...args]);
  const ended = ending(child);
  const url = await Promise.race([listening(child), ended]);
  if (typeof url !== "string") return url;
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    readyMs: performance.now() - startedAt,
    end: async (signal) => {
      child.kill(signal);
      const tooLong = setTimeout(() => child.kill("SIGKILL"), endTimeoutMs);
      const result = await ended;
      clearTimeout(tooLong);
      return result;
    },
  };
}

/** The same, but throws when the daemon does not start. */
export async function serveWell(sandbox: Sandbox): Promise<RunningDaemon> {
  const daemon = await serve(sandbox);
  if ("url" in daemon) return daemon;
  throw new Error(`the daemon ended with ${daemon.exit ?? daemon.signal}: ${daemon.stderr}`);
}

export function ending(child: ChildProcess): Promise<Ending> {
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on("close", (exit, signal) => resolve({ exit, signal, stderr }));
  });
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), readyTimeoutMs);
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const [, url] = /listening on (\S+)\n/u.exec(stdout) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.on("close", () => clearTimeout(timer));
  });
}
