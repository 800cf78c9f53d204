import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { openTestCore } from "../../../test/support/core.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { listSessions } from "../../capture/sessions/operations.ts";
import { configFile, databaseFile } from "../../config/home.ts";
import { noteUnanswered, unansweredState } from "../../config/unanswered.ts";
import { httpApp } from "../../http/app.ts";
import { listen } from "../../http/listen.ts";
import { openCore } from "../../open-core.ts";
import { type ObserveTarget, openTarget } from "./observe-target.ts";

const event = {
  sessionId: "s1",
  hookType: "post_tool_use",
  project: "p",
  cwd: "/p",
  timestamp: "2026-03-01T12:00:00.000Z",
  data: { tool_name: "Bash", tool_input: { command: "make" }, tool_output: "ok" },
};

function targetOf(home: string, url: string): ObserveTarget {
  const flags = { json: false, quiet: false, offline: false, home, url, secretFile: undefined };
  return openTarget({ ...flags, batch: false, strict: false, hook: undefined });
}

test("an event that is too long for the daemon is stored all the same, one for a full session is not", async () => {
  const home = temporaryFolder();
  const { core, close } = await openTestCore({
    env: { MEMSVC_MAX_BODY_BYTES: "1024", MEMSVC_MAX_OBS_PER_SESSION: "1" },
  });
  const app = httpApp({ core, ports: () => ({ api: 0, viewer: null }) });
  const daemon = await listen(
    (request) => app.fetch(request),
    "127.0.0.1",
    0,
    () => undefined,
  );
  const target = targetOf(home, `http://127.0.0.1:${daemon.port}/memsvc`);
  const long = { ...event, data: { ...event.data, tool_output: "made it ".repeat(1_000) } };
  const outcomes = [await target.send("observe", event), await target.send("observe", long)];
  const full = { ...event, data: { ...event.data, tool_output: "made again" } };
  outcomes.push(await target.send("observe", full));
  await target.close();
  await daemon.close(0);
  await close();
  expect(outcomes.map(({ exit, problem }) => [exit, problem])).toEqual([
    [0, undefined],
    [0, undefined],
    [1, expect.stringContaining("its cap is 1")],
  ]);
  const stored = await openCore({ home });
  expect((await stored.call(listSessions, {}, { face: "library" })).sessions).toMatchObject([
    { id: "s1", observationCount: 1 },
  ]);
  await stored.close();
});

test("a setting without a value in the config file counts as unset", () => {
  const home = temporaryFolder();
  writeFileSync(configFile(home), "MEMSVC_SECRET= \nAGENT_ID=ann\n");
  const { setting } = targetOf(home, "http://127.0.0.1:1");
  expect([setting("MEMSVC_SECRET"), setting("AGENT_ID")]).toEqual([undefined, "ann"]);
});

test("an event that neither the daemon nor the store takes is not said to be kept", async () => {
  const file = join(temporaryFolder(), "a-file");
  writeFileSync(file, "");
  const daemon = createServer((_request, response) =>
    response.writeHead(401).end('{"error":"unauthorized"}'),
  );
  await once(daemon.listen(0, "127.0.0.1"), "listening");
  const target = targetOf(join(file, "home"), `http://127.0.0.1:${(daemon.address() as AddressInfo).port}`);
  const { exit, problem } = await target.send("observe", event);
  await target.close();
  daemon.close();
  expect(exit).not.toBe(0);
  expect(problem).toContain("nothing was captured");
  expect(problem).not.toContain("it is kept");
});

// The last test: it leaves the store open, as a hook does that ends late.
test("an event for a locked store goes to a daemon that others asked in vain", async () => {
  const home = temporaryFolder();
  await (await openCore({ home })).close();
  const daemon = createServer((_request, response) => response.end('{"success":true}'));
  await once(daemon.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(daemon.address() as AddressInfo).port}/memsvc`;
  noteUnanswered(home, url);
  const keeper = new Database(databaseFile(home));
  keeper.exec("BEGIN IMMEDIATE");
  const target = targetOf(home, url);
  expect(await target.send("observe", event)).toMatchObject({ exit: 0, answer: '{"success":true}' });
  expect(unansweredState(home, url)).toBe("unknown");
  await target.close();
  keeper.exec("ROLLBACK");
  keeper.close();
  daemon.close();
});
