import { once } from "node:events";
import { utimesSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { noteUnanswered, restMs, unansweredState } from "../../config/unanswered.ts";
import { AskedDaemon } from "./asked-daemon.ts";

test("a minute after a daemon gave no answer one hook asks it again, and those beside it do not wait", async () => {
  const home = temporaryFolder();
  const daemon = createServer();
  await once(daemon.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(daemon.address() as AddressInfo).port}/memsvc`;
  noteUnanswered(home, url);
  const longAgo = (Date.now() - restMs) / 1_000 - 1;
  utimesSync(join(home, "memsvc.unanswered"), longAgo, longAgo);
  const [first, beside] = [1, 2].map(() => new AskedDaemon({ home, url, secret: undefined }));
  const asked = first?.ask("observe", {});
  const [, response] = (await once(daemon, "request")) as [unknown, ServerResponse];
  expect(await beside?.ask("observe", {})).toEqual({ kind: "passed by" });
  response.end('{"success":true}');
  expect(await asked).toMatchObject({ kind: "taken" });
  expect(unansweredState(home, url)).toBe("unknown");
  first?.close();
  beside?.close();
  daemon.close();
});
