import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { clearUnanswered, noteUnanswered, restMs, unansweredState } from "./unanswered.ts";

const url = "http://127.0.0.1:3111/memsvc";
let home: string;
beforeEach(() => {
  home = temporaryFolder();
});

test("a daemon that gave no answer is not asked again for a minute, other daemons are", () => {
  expect(unansweredState(home, url)).toBe("unknown");
  noteUnanswered(home, url);
  expect(unansweredState(home, url)).toBe("asked in vain");
  expect(unansweredState(home, "http://127.0.0.1:3112/memsvc")).toBe("unknown");
  const aged = (ageMs: number) => {
    const at = (Date.now() - ageMs) / 1_000;
    utimesSync(join(home, "memsvc.unanswered"), at, at);
    return unansweredState(home, url);
  };
  expect(aged(restMs + 1)).toBe("due");
  // As if the clock had been set back since.
  expect(aged(-2 * restMs)).toBe("due");
  clearUnanswered(home);
  expect(unansweredState(home, url)).toBe("unknown");
});

test("a home where no note can be written prevents nothing", () => {
  mkdirSync(join(home, "memsvc.unanswered"));
  noteUnanswered(home, url);
  clearUnanswered(home);
  expect(unansweredState(home, url)).toBe("unknown");
});
