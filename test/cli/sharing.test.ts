import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { forAllTests } from "../support/for-each-test.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

/* The commands of who else may know: what they print, and how they end. */

beforeAll(buildOnce);

const sandbox = forAllTests(openSandbox);

async function printed(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { exit, stdout, stderr } = await sandbox.runHere(args, { env });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout.trimEnd();
}

test("a shared memory shows in the team's feed and profile, and without a team the exit is 6", async () => {
  const memoryId = await printed(["remember", "Round once", "--concept", "money"]);
  const env = { MEMSVC_TEAM_ID: "core", MEMSVC_USER_ID: "ann" };
  const shared = await printed(["team", "share", memoryId, "--type", "memory"], env);
  expect(shared).toMatch(/^tsi_[0-9a-z]{26}$/u);
  expect(await printed(["team", "feed"], env)).toMatch(
    new RegExp(`^${shared} {2}memory +Round once +ann, `, "u"),
  );
  expect(await printed(["team", "profile"], env)).toBe(
    "core: 1 shared item\nmembers: ann\nconcepts: money (1)",
  );
  const off = await sandbox.run(["team", "feed"]);
  expect([off.exit, off.stderr]).toEqual([6, expect.stringContaining("MEMSVC_TEAM_ID=<team>")]);
});

test("vault export takes a relative folder, and bridge sync writes the memory file", async () => {
  mkdirSync(join(sandbox.home, "notes"), { recursive: true });
  const env = { MEMSVC_ALLOWED_ROOTS: sandbox.folder };
  const answer = await printed(["vault", "export", "./notes"], env);
  expect(answer).toMatch(/^wrote 1 note to .*\/notes\/memsvc\n {2}1 memory, 0 lessons, /u);
  const missing = await sandbox.runHere(["vault", "export", "~/Documents/vault"], { env });
  expect([missing.exit, missing.stderr]).toEqual([
    3,
    `memsvc: the parent folder of ~/Documents/vault does not exist\nhint: make it first: mkdir -p ${sandbox.home}/Documents\n`,
  ]);
  const file = join(sandbox.folder, "MEMORY.md");
  const bridge = { MEMSVC_BRIDGE_ENABLED: "true", MEMSVC_BRIDGE_FILE: file };
  const dry = await sandbox.runHere(["bridge", "sync", "--dry-run"], { env: bridge });
  expect({ exit: dry.exit, stderr: dry.stderr }).toEqual({ exit: 0, stderr: "nothing was changed\n" });
  expect(dry.stdout).toContain(`would write ${file}`);
  expect(existsSync(file)).toBe(false);
  expect(await printed(["bridge", "sync"], bridge)).toBe(`written ${file}\n  1 memory on 3 lines`);
  expect(await printed(["bridge", "read"], bridge)).toBe(readFileSync(file, "utf8").trimEnd());
});

test("mesh peers are added, listed, synced and removed, and an unreachable one is reported", async () => {
  const env = { MEMSVC_SECRET: "a-secret-of-the-mesh", MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1" };
  const peer = await printed(["mesh", "add", "http://127.0.0.1:9", "office", "--scope", "memories"], env);
  expect(peer).toMatch(/^peer_/u);
  expect(await printed(["mesh", "peers"], env)).toBe(
    `${peer}  office  http://127.0.0.1:9  disconnected, last exchange: never`,
  );
  const synced = await sandbox.run(["mesh", "sync", peer], { env });
  expect(synced).toMatchObject({
    exit: 1,
    stdout: expect.stringMatching(/^office: 0 taken, 0 given\n {2}the peer could not be reached/u),
  });
  const refused = await sandbox.runHere(["mesh", "add", "http://10.0.0.1", "inside"], { env });
  expect(refused).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(
      /10\.0\.0\.1 is not a public address.*\nhint: .* memsvc config set MEMSVC_MESH_ALLOW_PRIVATE 127\.0\.0\.1,10\.0\.0\.1\n$/u,
    ),
  });
  const again = await sandbox.runHere(["mesh", "add", "http://127.0.0.1:9", "twin"], { env });
  expect([again.exit, again.stderr]).toEqual([
    5,
    expect.stringMatching(
      `hint: exchange rows with it: memsvc mesh sync ${peer}; .* memsvc mesh remove ${peer}`,
    ),
  ]);
  expect(await printed(["mesh", "remove", peer, "--yes"], env)).toBe(
    "removed office, http://127.0.0.1:9; what came from it stays",
  );
  expect(await printed(["mesh", "peers"], env)).toBe("no peers yet");
  const off = await sandbox.runHere(["mesh", "peers"]);
  expect([off.exit, off.stderr]).toEqual([6, expect.stringContaining("mesh requires MEMSVC_SECRET")]);
});
