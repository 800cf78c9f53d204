import { expect, test } from "vitest";
import { toldBy } from "./format-fixture.ts";

const head = {
  sessionId: "told",
  projectHash: "ab",
  startTime: "2026-02-01T09:00:00Z",
  directories: ["/shop"],
};
const called = (status: string, response: object) => ({
  ...{ id: "g1", type: "gemini", timestamp: "2026-02-01T09:00:01Z", content: "" },
  toolCalls: [
    {
      ...{ id: "c1", name: "replace", args: { file_path: "/shop/a.ts" }, status },
      result: [{ functionResponse: { id: "c1", name: "replace", response } }],
    },
  ],
});

test.each([
  ["error", { error: "No occurrence was found." }, "No occurrence was found."],
  [
    "cancelled",
    { error: "[Operation Cancelled] The user said no." },
    "[Operation Cancelled] The user said no.",
  ],
  ["error", { output: "The file is gone." }, "The file is gone."],
])("a call with the status %s has failed: %j", (status, response, reason) => {
  const [event, ...more] = toldBy(head, called(status, response));
  expect(more).toEqual([]);
  expect(JSON.stringify(event?.error)).toContain(reason);
});

test("a call that succeeded has no error", () => {
  const [event] = toldBy(head, called("success", { output: "Replaced." }));
  expect(event).toMatchObject({ hookType: "post_tool_use", tool_name: "replace" });
  expect(event).not.toHaveProperty("error");
});
