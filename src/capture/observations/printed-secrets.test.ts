import { expect, test } from "vitest";
import { withoutPrintedSecrets } from "./printed-secrets.ts";

const secret = "b2ec1f7cbb0a4d5f9a33";
const hidden = "[REDACTED_SECRET]";

test.each([
  [
    { tool_response: { stdout: `${secret}\n`, stderr: "" } },
    { tool_response: { stdout: `${hidden}\n`, stderr: "" } },
  ],
  [{ toolOutput: `Exit code: 0\nOutput:\n${secret}` }, { toolOutput: `Exit code: 0\nOutput:\n${hidden}` }],
  [
    { event: { content: [{ type: "text", text: secret }] } },
    { event: { content: [{ type: "text", text: hidden }] } },
  ],
  [
    { tool_response: JSON.stringify({ output: `${secret}\n`, metadata: { exit_code: 0 } }) },
    { tool_response: JSON.stringify({ output: `${hidden}\n`, metadata: { exit_code: 0 } }) },
  ],
  [
    { tool_output: JSON.stringify([{ type: "text", text: secret }]) },
    { tool_output: JSON.stringify([{ type: "text", text: hidden }]) },
  ],
  [{ toolOutput: `Output: ${secret}\nExit Code: 0` }, { toolOutput: `Output: ${hidden}\nExit Code: 0` }],
  [{ stdout: `${secret}\nuser: ada` }, { stdout: `${hidden}\nuser: ada` }],
])("a line that is one word is replaced in %j", (data, expected) => {
  expect(withoutPrintedSecrets(data)).toEqual(expected);
});

test.each([
  "gh: command not found",
  "unauthorized",
  "/home/ada/token.txt",
  "https://vault.example.com",
  "----------------",
  "[REDACTED_SECRET]",
  "short",
])("a message stays: %s", (stderr) => {
  const data = { tool_input: { command: secret }, stderr };
  expect(withoutPrintedSecrets(data)).toEqual(data);
});
