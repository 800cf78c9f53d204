import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { daemonLog } from "../config/home.ts";
import { logFile } from "./log-file.ts";

test("a line of the log contains no secret, in its message or its fields", () => {
  const home = temporaryFolder();
  const token = ["gh", "p_"].join("") + "a1B2".repeat(9);
  logFile(home, "info")("warn", `refused ${token}`, { error: `401: ${token} is not known`, attempts: 2 });
  const line = JSON.parse(readFileSync(daemonLog(home), "utf8"));
  const mark = "[REDACTED_SECRET]";
  expect(line).toMatchObject({ message: `refused ${mark}`, error: `401: ${mark} is not known`, attempts: 2 });
});
