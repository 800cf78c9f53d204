import { expect, test } from "vitest";
import { complaintText, logText } from "./log-text.ts";

const entry = {
  message: "a job failed\nagain",
  job: { kind: "embed" },
  attempts: 3,
  error: "Error: no room\n    at write (file.ts:1:2)",
};

test("a complaint is one line, without stack traces, and the log has all of it", () => {
  expect(complaintText(entry)).toBe(
    'a job failed again job={"kind":"embed"} attempts=3 error="Error: no room"',
  );
  expect(logText(entry)).toBe(
    'a job failed\nagain job={"kind":"embed"} attempts=3 error="Error: no room\\n    at write (file.ts:1:2)"',
  );
});
