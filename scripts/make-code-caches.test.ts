import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { codeCacheFolder } from "../src/cli/startup/code-cache.ts";
import { buildOnce } from "../test/cli/program-process.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("the build neither fails for the user's own settings nor reaches the store that they name", async () => {
  buildOnce();
  const folder = temporaryFolder();
  const dist = join(folder, "dist");
  mkdirSync(dist);
  const isBundle = (path: string) => basename(path) !== "code-cache";
  cpSync(join(root, "dist"), dist, { recursive: true, filter: isBundle });
  for (const name of ["node_modules", "drizzle", "package.json"])
    symlinkSync(join(root, name), join(folder, name));
  let requests = 0;
  const shared = createServer((_, answer) => {
    requests += 1;
    answer.end();
  });
  await new Promise<void>((resolve) => shared.listen(0, "127.0.0.1", resolve));
  const address = shared.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const settings = { MEMSVC_DB_URL: `http://127.0.0.1:${port}`, MEMSVC_PORT: "none", AGENT_ID: "builder" };
  try {
    await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", join(root, "scripts", "make-code-caches.ts"), dist],
      { cwd: root, env: { ...process.env, ...settings } },
    );
  } finally {
    shared.close();
  }
  expect(requests).toBe(0);
  expect(readdirSync(codeCacheFolder(dist))).toEqual(expect.arrayContaining(["observe.cjs", "program.cjs"]));
});
