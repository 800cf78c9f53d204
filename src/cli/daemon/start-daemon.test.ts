import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startDaemon } from "./start-daemon.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "memsvc-start-"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true });
});

test("a daemon that lives but takes no requests in time is not said to have failed", async () => {
  const program = join(folder, "main.cjs");
  writeFileSync(program, "setTimeout(() => undefined, 5_000);\n");
  vi.stubGlobal("process", Object.create(process, { argv: { value: [process.execPath, program] } }));
  await expect(startDaemon(join(folder, "home"), { waitMs: 300 })).rejects.toMatchObject({
    code: "daemon_unreachable",
    message: expect.stringMatching(/^the daemon \(pid \d+\) takes no requests after 0.3 s$/u),
    hint: expect.stringMatching(/^it may still be starting; /u),
  });
});
