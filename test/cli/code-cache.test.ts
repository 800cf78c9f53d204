import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openBundles } from "../../src/cli/startup/bundle-loader.ts";
import { codeCacheFolder } from "../../src/cli/startup/code-cache.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");

test("the build writes code caches that its Node accepts", () => {
  buildOnce();
  const { load, scripts } = openBundles(dist, codeCacheFolder(dist));
  for (const name of ["observe", "program", "daemon-process"]) load(name);
  for (const file of ["observe.cjs", "program.cjs", "daemon-process.cjs"])
    expect(scripts.get(file)?.cachedDataRejected, file).toBe(false);
});

test("under a Node with other flags the program runs and writes separate code caches", async () => {
  buildOnce();
  const sandbox = openSandbox();
  try {
    const env = { NODE_OPTIONS: "--max-old-space-size=4096" };
    const stored = await sandbox.run(["remember", "Works with flags"], { env });
    expect(stored).toMatchObject({ exit: 0, stderr: "" });
    const found = await sandbox.run(["search", "flags"], { env });
    expect(found).toMatchObject({ exit: 0, stdout: expect.stringContaining("Works with flags") });
    const code = 'process.stdout.write(String(require("node:v8").cachedDataVersionTag()))';
    const tag = execFileSync(process.execPath, ["-e", code], { env, encoding: "utf8" });
    expect(readdirSync(`${codeCacheFolder(dist)}-${tag}`)).toContain("program.cjs");
  } finally {
    sandbox.remove();
  }
});
