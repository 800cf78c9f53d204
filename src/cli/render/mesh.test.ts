import { Chalk } from "chalk";
import { expect, test } from "vitest";
import type { Terminal } from "../terminal/terminal.ts";
import { renderSync } from "./mesh.ts";

const nothing = () => undefined;
const terminal: Terminal = {
  isInteractive: false,
  isForPeople: false,
  columns: Number.POSITIVE_INFINITY,
  paint: new Chalk({ level: 0 }),
  print: nothing,
  say: nothing,
  complain: nothing,
};

test("an exchange that outlasts the command says where to see its outcome", () => {
  expect(renderSync({ queued: true, jobId: "job_1" }, terminal)).toBe(
    "the exchange goes on as job job_1; to see how it went: memsvc mesh peers",
  );
});
