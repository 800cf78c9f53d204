import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
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

test("a log of 10 MiB is moved away for a new one, and of five files the oldest goes", () => {
  const path = daemonLog(temporaryFolder());
  mkdirSync(dirname(path));
  for (const number of [1, 2, 3, 4]) writeFileSync(`${path}.${number}`, `file ${number}`);
  writeFileSync(path, "full");
  truncateSync(path, 10 * 1_048_576 - 1_000);
  const log = logFile(dirname(dirname(path)), "info");
  log("info", "fits");
  expect(readdirSync(dirname(path))).toHaveLength(5);
  expect(readFileSync(`${path}.1`, "utf8")).toBe("file 1");
  log("info", "ä".repeat(500));
  log("info", "next");
  expect(readdirSync(dirname(path))).toHaveLength(5);
  expect(readFileSync(path, "utf8").match(/"message":"(?:ä+|next)"/gu)).toHaveLength(2);
  expect(statSync(`${path}.1`).size).toBeLessThan(10 * 1_048_576);
  expect(readFileSync(`${path}.1`, "latin1")).toContain("fits");
  expect([2, 3, 4].map((number) => readFileSync(`${path}.${number}`, "utf8"))).toEqual([
    "file 1",
    "file 2",
    "file 3",
  ]);
});
