import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Database from "libsql";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { databaseFile } from "../../config/home.ts";
import { noteUnanswered, unansweredState } from "../../config/unanswered.ts";
import { openCore } from "../../open-core.ts";
import { openTarget } from "./observe-target.ts";

test("an event for a locked store goes to a daemon that others asked in vain", async () => {
  const home = temporaryFolder();
  await (await openCore({ home })).close();
  const daemon = createServer((_request, response) => response.end('{"success":true}'));
  await once(daemon.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(daemon.address() as AddressInfo).port}/memsvc`;
  noteUnanswered(home, url);
  const keeper = new Database(databaseFile(home));
  keeper.exec("BEGIN IMMEDIATE");
  const flags = { json: false, quiet: false, offline: false, home, url, secretFile: undefined };
  const target = openTarget({ ...flags, batch: false, strict: false, hook: undefined });
  const event = {
    sessionId: "s1",
    hookType: "post_tool_use",
    project: "p",
    cwd: "/p",
    timestamp: "2026-03-01T12:00:00.000Z",
    data: { tool_name: "Bash", tool_input: { command: "make" }, tool_output: "ok" },
  };
  expect(await target.send("observe", event)).toMatchObject({ exit: 0, answer: '{"success":true}' });
  expect(unansweredState(home, url)).toBe("unknown");
  await target.close();
  keeper.exec("ROLLBACK");
  keeper.close();
  daemon.close();
});
