import { afterEach, expect, test, vi } from "vitest";
import { inSameStore } from "./same-store.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const none = { home: undefined, url: undefined, secretFile: undefined };

test("commands in a message name the store that the flags named", () => {
  const message = "start it: memsvc daemon start; or look: memsvc action show act_1";
  expect(inSameStore(message, none)).toBe(message);
  expect(inSameStore(message, { ...none, home: "/a b" })).toBe(
    'start it: memsvc --home "/a b" daemon start; or look: memsvc --home "/a b" action show act_1',
  );
  expect(inSameStore(message, { ...none, url: "http://box:1", secretFile: "s" })).toBe(
    "start it: memsvc daemon start; or look: memsvc --url http://box:1 --secret-file s action show act_1",
  );
});

test("a home that commands find by themselves is not named", () => {
  vi.stubEnv("MEMSVC_HOME", "/usual");
  vi.stubEnv("MEMSVC_URL", "");
  expect(inSameStore("memsvc doctor", { ...none, home: "/usual/" })).toBe("memsvc doctor");
  vi.stubEnv("MEMSVC_URL", "http://box:1");
  expect(inSameStore("memsvc doctor", { ...none, home: "/usual" })).toBe("memsvc --home /usual doctor");
});

test.each([
  "no memsvc daemon answers",
  "memsvc writes no such rows",
  "see it work: memsvc demo",
  "a running memsvc mcp after its next start",
  "the file ./memsvc show",
  "memsvc disconnect codex --home /b",
])("%s stays as it is", (message) => expect(inSameStore(message, { ...none, home: "/a" })).toBe(message));
