import { expect, test } from "vitest";
import { viewerAddress } from "./viewer-address.ts";

const api = "http://127.0.0.1:3111/memsvc";

test("the viewer has its own port on the API's host", () => {
  expect(viewerAddress({ api, viewerPort: 3113, hasSecret: true })).toBe("http://127.0.0.1:3113/");
  const named = "http://[::1]:3111/memsvc";
  expect(viewerAddress({ api: named, viewerPort: 4000, hasSecret: false })).toBe("http://[::1]:4000/");
});

test.each([
  ["its port is off", api, null],
  ["only a proxy is reached", "https://memory.example.org/memsvc", 3113],
])("where %s the viewer is below the API, unless a secret is required", (_when, address, viewerPort) => {
  const daemon = { api: address, viewerPort };
  expect(viewerAddress({ ...daemon, hasSecret: false })).toBe(`${address}/viewer`);
  expect(() => viewerAddress({ ...daemon, hasSecret: true })).toThrow(/cannot send the secret/u);
});
