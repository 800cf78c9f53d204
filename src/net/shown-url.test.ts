import { expect, test } from "vitest";
import { shownUrl } from "./shown-url.ts";

test("passwords and tokens in a URL are hidden, and nothing else is changed", () => {
  expect(shownUrl("http://bob:hunter2@host:3111/memsvc")).toBe("http://bob:***@host:3111/memsvc");
  expect(shownUrl("HTTPS://:p@ss:w@host/a")).toBe("HTTPS://:***@host/a");
  expect(shownUrl("libsql://db.host?tls=0&authToken=e.y.j&a=b")).toBe(
    "libsql://db.host?tls=0&authToken=***&a=b",
  );
  for (const url of ["http://127.0.0.1:3111/memsvc", "http://bob@host/a", "http://[::1]:3111/a?b=c:d@e", ""])
    expect(shownUrl(url)).toBe(url);
});
