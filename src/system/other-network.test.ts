import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { isOnOtherNetwork } from "./other-network.ts";

let other: ChildProcess | undefined;
afterEach(() => {
  other?.kill();
});

/** Starts a process that writes a line and goes on; its id, unless it could not be started. */
async function started(command: string, args: readonly string[]): Promise<number | undefined> {
  other = spawn(command, [...args, "sh", "-c", "echo; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await Promise.race([once(other.stdout ?? other, "data"), once(other, "error"), once(other, "close")]).catch(
    () => undefined,
  );
  return other.exitCode === null ? other.pid : undefined;
}

test("a process is on the same network as those that it starts, and on no other than one that is gone", async () => {
  expect(isOnOtherNetwork(process.pid)).toBe(false);
  expect(isOnOtherNetwork((await started("env", [])) ?? 0)).toBe(false);
  expect(isOnOtherNetwork(4_194_304)).toBe(false);
});

test.runIf(process.platform === "linux")(
  "a process with a network of its own is on another one",
  async (context) => {
    const pid = await started("unshare", ["--map-root-user", "--net"]);
    // Some systems let no user make one.
    if (pid === undefined) context.skip();
    expect(isOnOtherNetwork(pid ?? 0)).toBe(true);
  },
);
