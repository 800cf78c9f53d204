import { expect, test } from "vitest";
import { readBytes } from "./body.ts";

/** A request whose body begins and never ends. */
function slowRequest(headers: Record<string, string> = {}): Request {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from("{")),
  });
  const asked = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body };
  return new Request("http://127.0.0.1/memsvc/remember", { ...asked, duplex: "half" } as RequestInit);
}

test.each([
  ["without a length", {}],
  ["of a stated length", { "Content-Length": "100" }],
])("a body %s that never arrives is given up at its timeout", async (_, headers) => {
  await expect(readBytes(slowRequest(headers), 1_000, 20)).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("did not arrive within 0.02 s"),
  });
});
