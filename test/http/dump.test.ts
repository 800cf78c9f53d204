import { expect, test } from "vitest";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { dumpStore, openTestHttp } from "../support/http.ts";

test("the store dump that the walks compare changes with every write", async () => {
  const http = await openTestHttp();
  const empty = await dumpStore(http);
  expect(await dumpStore(http)).toBe(empty);
  await http.ok(remember, { content: "something new" });
  const one = await dumpStore(http);
  expect(one).not.toBe(empty);
  await http.writeSql("UPDATE memories SET title = title || 2");
  expect(await dumpStore(http)).not.toBe(one);
  expect(await dumpStore(http, ["memories"])).toBe(await dumpStore(http, ["memories"]));
  await http.close();
});
