import { expect, test } from "vitest";
import { plainTerminal } from "../../../test/support/plain-terminal.ts";
import { renderSync } from "./mesh.ts";

test("an exchange that outlasts the command says where to see its outcome", () => {
  expect(renderSync({ queued: true, jobId: "job_1" }, plainTerminal)).toBe(
    "the exchange goes on as job job_1; to see how it went: memsvc mesh peers",
  );
});
