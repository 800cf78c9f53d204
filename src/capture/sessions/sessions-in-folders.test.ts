import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";

const t = forEachTest(openTestCore);

test("sessions of a folder are found, however the paths from Windows are written", async () => {
  const places = [
    "C:\\work\\shop",
    "c:/work/shop/src",
    "C:/work\\shop\\",
    "C:\\work\\shopping",
    "D:\\work\\shop",
    "/work/shop",
  ];
  for (const cwd of places) {
    await t.writeSql(
      `INSERT INTO sessions (id, project, project_key, cwd, status, started_at, updated_at, observation_count, commit_shas, tags)
       VALUES ('${cwd}', 'p', 'p', '${cwd}', 'completed', 1, 1, 0, '[]', '[]')`,
    );
  }
  const idsIn = async (...folders: string[]) => {
    const { sessions } = await t.core.sessions.list({ folders, limit: 20, offset: 0 });
    return sessions.map(({ id }) => id).sort();
  };
  expect(await idsIn("C:\\work\\shop")).toEqual(places.slice(0, 3).sort());
  expect(await idsIn("c:/work/shop/")).toEqual(places.slice(0, 3).sort());
  expect(await idsIn("/work/shop", "D:\\work")).toEqual(["/work/shop", "D:\\work\\shop"]);
  expect(await idsIn("/")).toEqual(["/work/shop"]);
});
