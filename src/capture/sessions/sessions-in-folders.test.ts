import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { forEachTest } from "../../../test/support/for-each-test.ts";

const t = forEachTest(openTestCore);

test("sessions of a folder are found, however the paths from Windows are written", async () => {
  const places = [
    "C:\\code\\shop",
    "c:/code/shop/src",
    "C:/code\\shop\\",
    "C:\\code\\shopping",
    "D:\\code\\shop",
    "/code/shop",
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
  expect(await idsIn("C:\\code\\shop")).toEqual(places.slice(0, 3).sort());
  expect(await idsIn("c:/code/shop/")).toEqual(places.slice(0, 3).sort());
  expect(await idsIn("/code/shop", "D:\\code")).toEqual(["/code/shop", "D:\\code\\shop"]);
  expect(await idsIn("/")).toEqual(["/code/shop"]);
});
