import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openBundles } from "../../src/cli/bundles.ts";
import { buildOnce, openSandbox } from "./program-process.ts";

const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");

test("the build leaves code caches that its Node takes", () => {
  buildOnce();
  const { load, scripts } = openBundles(dist, "used");
  load("observe");
  load("program");
  for (const file of ["observe.cjs", "program.cjs"])
    expect(scripts.get(file)?.cachedDataRejected, file).toBe(false);
});

test("a Node that takes no cache runs the program all the same", async () => {
  buildOnce();
  const sandbox = openSandbox();
  try {
    // Caches are made for the flags of V8, too.
    const env = { NODE_OPTIONS: "--stack-trace-limit=20" };
    const stored = await sandbox.run(["remember", "Works without a cache"], { env });
    expect(stored).toMatchObject({ exit: 0, stderr: "" });
    const found = await sandbox.run(["search", "cache"], { env });
    expect(found).toMatchObject({ exit: 0, stdout: expect.stringContaining("Works without a cache") });
  } finally {
    sandbox.remove();
  }
});
