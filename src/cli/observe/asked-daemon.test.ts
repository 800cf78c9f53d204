import { once } from "node:events";
import { utimesSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { noteUnanswered, restMs, unansweredState } from "../../config/unanswered.ts";
import { AskedDaemon } from "./asked-daemon.ts";

let home: string;
let daemon: Server;
let url: string;
beforeEach(async () => {
  home = temporaryFolder();
  daemon = createServer();
  await once(daemon.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(daemon.address() as AddressInfo).port}/memsvc`;
});
afterEach(() => {
  daemon.close();
});

function open(): AskedDaemon {
  return new AskedDaemon({ home, url, secret: undefined });
}

test("a minute after a daemon gave no answer one hook asks it again, and those beside it do not wait", async () => {
  noteUnanswered(home, url);
  const longAgo = (Date.now() - restMs) / 1_000 - 1;
  utimesSync(join(home, "memsvc.unanswered"), longAgo, longAgo);
  const [first, beside] = [open(), open()];
  const asked = first.ask("observe", {});
  const [, response] = (await once(daemon, "request")) as [unknown, ServerResponse];
  expect(await beside.ask("observe", {})).toEqual({ kind: "passed by" });
  response.end('{"success":true}');
  expect(await asked).toMatchObject({ kind: "taken" });
  expect(unansweredState(home, url)).toBe("unknown");
  first.close();
  beside.close();
});

describe("an event that a daemon answers with", () => {
  const refusal = '{"error":"it is refused"}';

  /** What becomes of an event whose answer is this one. */
  async function delivery(status: number, body: string): Promise<object> {
    daemon.once("request", (_request, response: ServerResponse) => response.writeHead(status).end(body));
    const asked = open();
    const outcome = await asked.ask("observe", {});
    asked.close();
    return outcome;
  }

  test.each([
    [401, refusal],
    [403, refusal],
    [404, refusal],
    [500, refusal],
    [503, refusal],
    // Longer than a request may be, but not than what the store takes.
    [413, refusal],
    // From something else that has the port.
    [200, '{"ok":true}'],
    [300, '{"success":true}'],
    [400, "<html>"],
  ])("%i %s is not taken", async (status, body) => {
    expect(await delivery(status, body)).toEqual({ kind: "not taken", isSecretRefused: status === 401 });
  });

  test.each([
    [400, refusal, 2],
    [409, refusal, 5],
    [413, '{"error":"it is refused","observationCount":1}', 1],
  ])("%i %s is refused, with exit code %i under --strict", async (status, body, exit) => {
    const outcome = { exit, problem: "it is refused" };
    expect(await delivery(status, body)).toEqual({ kind: "taken", outcome });
  });
});
