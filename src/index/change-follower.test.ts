import { expect, test } from "vitest";
import { forEachTest } from "../../test/support/for-each-test.ts";
import { firstRow, type Sql } from "../store/sql.ts";
import { ChangeFollower } from "./change-follower.ts";
import { currentPosition } from "./change-log.ts";
import { openTestIndex, putInto } from "./index-fixture.ts";

const index = forEachTest(openTestIndex);

test("a change after a reconnection that happened while changes were followed is not missed", async () => {
  const [first, second] = [index.connect(), index.connect()];
  let current = first;
  const sql: Sql = {
    all: (text, args) => current.all(text, args),
    values: (text, args) => current.values(text, args),
    run: (text, args) => current.run(text, args),
  };
  const change = () => putInto(index, { ref: "a", body: "heron" });
  await change();
  // The second connection has counted one commit less than the first when it takes its place.
  for (const connection of [first, second]) await firstRow(connection, "PRAGMA data_version");
  const follower = new ChangeFollower(
    sql,
    "document_changes",
    await currentPosition(sql, "document_changes"),
    50,
  );
  await change();
  const reconnecting = async () => {
    current = second;
    follower.reconnected();
  };
  expect(await follower.follow(reconnecting)).toBe("followed");
  await change();
  const taken: number[] = [];
  await follower.follow(async (ids) => void taken.push(...ids));
  expect(taken).toHaveLength(1);
});
