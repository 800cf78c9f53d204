import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isAlive } from "../../src/config/lock-file.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

beforeAll(buildOnce);

test("memsvc does not mistake another home's daemon for its own after a lock file was copied", async () => {
  const [one, other] = [openSandbox(), openSandbox()];
  await one.runHere(["daemon", "start", "--port", "0", "--no-viewer"]);
  mkdirSync(join(other.home, ".memsvc"));
  copyFileSync(join(one.home, ".memsvc", "memsvc.lock"), join(other.home, ".memsvc", "memsvc.lock"));
  expect((await other.run(["remember", "kept where it belongs"])).exit).toBe(0);
  expect((await other.runHere(["search", "belongs"])).stdout).toContain("kept where it belongs");
  expect((await one.runHere(["search", "belongs"])).stdout).not.toContain("kept where");
  expect((await other.runHere(["daemon", "stop"])).stdout).toBe("no daemon runs\n");
  expect((await one.runHere(["daemon", "status"])).exit).toBe(0);
  await one.runHere(["daemon", "stop"]);
  for (const sandbox of [one, other]) sandbox.remove();
});

describe("a daemon whose files are deleted while it runs", () => {
  const own = forEachTest(openSandbox);
  let home: string;
  beforeEach(async () => {
    home = join(own.home, ".memsvc");
    expect((await own.runHere(["daemon", "start", "--port", "0"])).exit).toBe(0);
  });
  afterEach(() => own.runHere(["daemon", "stop"]));

  async function pid(): Promise<number> {
    return Number(JSON.parse((await own.runHere(["daemon", "status", "--json"])).stdout).pid);
  }

  test("writes its lock file again and is found", async () => {
    const running = await pid();
    rmSync(join(home, "memsvc.lock"));
    await expect.poll(() => existsSync(join(home, "memsvc.lock"))).toBe(true);
    expect(await pid()).toBe(running);
  });

  test.each([
    ["its folder", () => home],
    ["its database", () => join(home, "memsvc.db")],
  ])("ends after %s was deleted, so that no write is acknowledged and lost", async (_name, path) => {
    const running = await pid();
    // Fails if the daemon puts its lock back into the folder just then.
    await expect.poll(() => rmSync(path(), { recursive: true, force: true })).toBeUndefined();
    await expect.poll(() => isAlive(running, home)).toBe(false);
    expect((await own.run(["remember", "kept"])).exit).toBe(0);
    expect((await own.runHere(["daemon", "start", "--port", "0"])).exit).toBe(0);
    expect((await own.runHere(["search", "kept"])).stdout).toContain("kept");
  });

  test("ends after its folder was moved, creates no new one, and leaves its data in the moved one", async () => {
    await own.runHere(["remember", "said before the home was taken away"]);
    const running = await pid();
    const moved = join(own.home, "moved");
    renameSync(home, moved);
    await expect.poll(() => isAlive(running, home)).toBe(false);
    expect(existsSync(home)).toBe(false);
    expect((await own.run(["search", "taken away", "--home", moved])).exit).toBe(0);
  });
});
