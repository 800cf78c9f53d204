import { Agent, get } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type Fetch, type Listener, listen } from "./listen.ts";

let listener: Listener;
afterEach(() => listener.close(1_000));

/** All that comes back until the server ends the connection, from which nothing more is sent. */
async function answerTo(request: string, fetch: Fetch): Promise<string> {
  listener = await listen(fetch, "127.0.0.1", 0, () => undefined);
  const socket = connect({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(request);
  return text(socket);
}

const late: Fetch = async () => {
  for (let turns = 0; turns < 20; turns += 1) await turn();
  return new Response("the answer");
};

test("who ends its side of the connection behind the request gets the answer, and the connection ends", async () => {
  const answer = await answerTo("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", late);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*the answer$/su);
});

test.each([
  ["within the headers", "GET / HTTP/1.1\r\nHost: local", /^HTTP\/1\.1 400 /u],
  ["before a request", "", /^$/u],
])("who ends it %s is left at once", async (_, request, expected) => {
  expect(await answerTo(request, late)).toMatch(expected);
});

test("a body that its sender ends too early is never whole", async () => {
  let read: string | undefined;
  const answer = await answerTo(
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf",
    async (request) => {
      read = await request.text();
      return new Response(read);
    },
  );
  expect([answer.includes(" 200 "), read]).toEqual([false, undefined]);
});

test("whose request runs while it closes is answered, and told to use the connection no more", async () => {
  listener = await listen(late, "127.0.0.1", 0, () => undefined);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await connectionHeader(agent, listener.port)).toBe("keep-alive");
  const running = connectionHeader(agent, listener.port);
  await turn();
  const closed = listener.close(1_000);
  expect(await running).toBe("close");
  await closed;
  agent.destroy();
});

/** What an answer says of its connection. */
function connectionHeader(agent: Agent, port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    get({ agent, port, host: "127.0.0.1" }, (response) => {
      response.resume().on("end", () => resolve(response.headers.connection));
    }).on("error", reject);
  });
}
