import { expect, test } from "vitest";
import { toolHint } from "./tool-hint.ts";

test.each([
  [
    "take it first: memsvc lease acquire act_1 --agent-id <who>",
    "memory_lease with operation acquire, actionId act_1",
  ],
  [
    "ask again: memsvc file-context src/a.ts --session s1",
    "memory_file_history with files src/a.ts, sessionId s1",
  ],
])("%s is shown with the tool's own arguments", (hint, told) => {
  expect(toolHint(hint, { tools: "all" })).toBe(`${hint.slice(0, hint.indexOf(":"))}: ${told}`);
});
