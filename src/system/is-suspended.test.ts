import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { askPs } from "./ask-ps.ts";
import { isSuspended, isSuspendedByPs } from "./is-suspended.ts";

test.skipIf(askPs("stat", process.pid) === undefined)(
  "a suspended process is told from a running one",
  async () => {
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    const pid = child.pid ?? 0;
    const ways = existsSync("/proc/self/stat") ? [isSuspended, isSuspendedByPs] : [isSuspendedByPs];
    try {
      for (const [signal, stopped] of [
        ["SIGSTOP", true],
        ["SIGCONT", false],
      ] as const) {
        process.kill(pid, signal);
        for (const tells of ways) await expect.poll(() => tells(pid)).toBe(stopped);
      }
    } finally {
      child.kill("SIGKILL");
    }
  },
);
