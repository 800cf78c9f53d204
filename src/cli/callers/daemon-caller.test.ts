import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { operationTable } from "../operations/operations.generated.ts";
import { callDaemon } from "./daemon-caller.ts";

test("a daemon is told who asks, and for whom and where, by every kind of request", async () => {
  const asked: [path: string | undefined, headers: IncomingHttpHeaders][] = [];
  const server = createServer((request, response) => {
    asked.push([request.url, request.headers]);
    request.resume();
    response.end('{"version":"1","success":true}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const daemon = callDaemon({ url, secret: "s3cret", agentId: "builder", cwd: "/srv/ä" });
  try {
    await daemon.call(operationTable["sessions.list"], {});
    await daemon.callOnBody(
      operationTable["transfer.import"],
      (async function* () {
        yield Buffer.from("{}");
      })(),
    );
    for await (const _ of await daemon.callToText(operationTable["transfer.export"], {}));
  } finally {
    await daemon.close();
    server.close();
  }
  expect(asked.map(([path]) => path)).toEqual(["/sessions", "/import", "/export"]);
  for (const [, headers] of asked)
    expect(headers).toMatchObject({
      authorization: "Bearer s3cret",
      "x-memsvc-source": "cli",
      "x-memsvc-agent": "builder",
      "x-memsvc-folder": "%2Fsrv%2F%C3%A4",
    });
});
