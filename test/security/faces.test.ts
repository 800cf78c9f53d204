import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Core } from "../../src/core.ts";
import { bearerTokenMatches } from "../../src/http/bearer-token.ts";
import { Daemon } from "../../src/http/daemon.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import type { Operation } from "../../src/operation/define.ts";
import { forAllTests } from "../support/for-each-test.ts";
import { plausibleInput } from "../support/generated-input.ts";
import { apiPort, commitsOf, openTestHttp, storeVersion, viewerPort } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const secret = "correct-horse-battery-staple";
const authorization = `Bearer ${secret}`;
const ownOrigin = `http://localhost:${apiPort}`;

const withRoute = catalogue
  .filter(({ http }) => http !== undefined)
  .map((operation) => [operation.id, operation] as const);
const guarded = withRoute.filter(([, { http }]) => http?.open !== true);

const http = forAllTests(() =>
  openTestHttp({
    env: {
      MEMSVC_SECRET: secret,
      MEMSVC_ALLOWED_HOSTS: "Memory.Example.org",
      MEMSVC_ALLOWED_ORIGINS: "https://ui.example.org:8443",
      MEMSVC_PREFIX_ALIASES: "/agentmemory",
    },
  }),
);
let memoryId: string;
beforeAll(async () => {
  const stored = await http.ok(remember, { content: "what must stay" }, { headers: { authorization } });
  memoryId = stored.memoryId;
});

type Headers = Readonly<Record<string, string | undefined>>;

/** Sends an operation, and expects a refusal without a trace. `name` tells what is wrong with the headers. */
async function refusal(operation: Operation, name: string, headers: Headers, prefix = "/memsvc") {
  const before = await storeVersion(http);
  const reply = await http.reply(operation, plausibleInput(operation, memoryId), { headers, prefix });
  expect(await commitsOf(http), `${name}: the store has changed`).toBe(before);
  expect(reply.body, name).toEqual({ error: expect.stringMatching(/\S/u) });
  expect(reply.text, name).not.toContain("what must stay");
  return reply;
}

describe.each(withRoute)("%s", (_id, operation) => {
  test("is refused with 403 for a wrong Host header, even with the token", async () => {
    for (const [name, host] of [
      ["is missing", undefined],
      ["is empty", ""],
      ["is foreign", "evil.example"],
      ["is foreign and has our port", `evil.example:${apiPort}`],
      ["begins like ours", "localhost.evil.example"],
      ["ends like an allowed one", "evilmemory.example.org"],
      ["ends like loopback", "evillocalhost"],
      ["is an address of the network", "192.168.1.7:3111"],
      ["is every address", "0.0.0.0"],
      ["looks like loopback", "127.0.0.1.nip.io"],
      ["has a user part", "localhost@evil.example"],
      ["has a path", "localhost/evil.example"],
      ["holds two", "localhost, evil.example"],
      ["has a port that is none", "localhost:x"],
    ] as const)
      expect((await refusal(operation, name, { host, authorization })).status, name).toBe(403);
  });

  test("is refused with 403 from a foreign origin, even with the token", async () => {
    for (const origin of [
      "null",
      "",
      "https://evil.example",
      `http://evil.example:${apiPort}`,
      "http://localhost",
      "http://localhost:3112",
      `https://localhost:${apiPort}`,
      `http://localhost.evil.example:${apiPort}`,
      `http://localhost:${apiPort}/`,
      `http://localhost:${apiPort} http://evil.example`,
      "https://ui.example.org",
      "https://ui.example.org:8443.evil.example",
      "file://",
      "chrome-extension://abcdef",
    ]) {
      const reply = await refusal(operation, origin, { origin, authorization });
      expect(reply.status, origin).toBe(403);
      expect(reply.headers.get("access-control-allow-origin"), origin).toBeNull();
    }
  });
});

describe.each(guarded)("%s", (_id, operation) => {
  test("is refused with 403 when a page of another site sends it without an Origin header", async () => {
    const headers = { "sec-fetch-site": "cross-site", authorization };
    expect((await refusal(operation, "another site", headers)).status).toBe(403);
  });

  test("is refused with 401 without exactly the token", async () => {
    for (const [name, given] of [
      ["no token", undefined],
      ["an empty header", ""],
      ["the scheme alone", "Bearer"],
      ["an empty token", "Bearer "],
      ["a wrong token of the same length", `Bearer ${secret.replaceAll("o", "0")}`],
      ["a shorter token", authorization.slice(0, -1)],
      ["a longer token", `${authorization}x`],
      ["a token in capitals", `Bearer ${secret.toUpperCase()}`],
      ["the token without a scheme", secret],
      ["another spelling of the scheme", `bearer ${secret}`],
      ["two blanks", `Bearer  ${secret}`],
      ["another scheme", `Basic ${secret}`],
      ["a very long token", `Bearer ${"x".repeat(100_000)}`],
    ] as const) {
      const reply = await refusal(operation, name, { authorization: given });
      expect([reply.status, reply.body.error], name).toEqual([401, "unauthorized"]);
      expect(reply.headers.get("www-authenticate"), name).toBe("Bearer");
    }
  });

  test("is refused with 401 under a prefix alias and for HEAD, too", async () => {
    expect((await refusal(operation, "an alias", {}, "/agentmemory")).status).toBe(401);
    const path = (operation.http?.path ?? "").replace(/:\w+/gu, memoryId);
    expect((await http.send(path, { method: "HEAD" })).status).toBe(401);
  });

  test("is accepted with the token", async () => {
    const sending = { headers: { authorization } };
    const { status } = await http.reply(operation, plausibleInput(operation, memoryId), sending);
    expect([401, 403]).not.toContain(status);
    // Records written after an answer must not be taken for traces of the next request.
    await http.settled();
  });
});

describe("without the token", () => {
  test("livez is open for reading under every prefix", async () => {
    for (const prefix of ["/memsvc", "/agentmemory"]) {
      for (const path of ["/livez", "/livez/"]) {
        expect((await http.send(path, { prefix })).status).toBe(200);
        expect((await http.send(path, { prefix, method: "HEAD" })).status).toBe(200);
      }
      expect((await http.send("/livez", { prefix, method: "POST" })).status).toBe(401);
    }
    expect((await http.send("/livez", { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(200);
  });

  test.each([
    ["/livez", "/other"],
    ["/livez", ""],
    ["/livez/x", "/memsvc"],
    ["/memories/livez", "/memsvc"],
    ["/health", "/memsvc"],
    ["/viewer", "/memsvc"],
    ["/nowhere", "/memsvc"],
    ["/openapi.json", ""],
    ["/docs", "/memsvc"],
    ["", "/memsvc"],
    ["/", ""],
  ])("%s under %j is a 401", async (path, prefix) => {
    expect((await http.send(path, { prefix })).status).toBe(401);
  });

  test("a page of another site cannot read a memory with the id livez or viewer", async () => {
    const headers = { authorization, "sec-fetch-site": "cross-site" };
    for (const id of ["livez", "viewer"])
      expect((await http.send(`/memories/${id}`, { headers })).status).toBe(403);
  });
});

describe("allowed hosts and origins", () => {
  test.each([
    "localhost",
    "LOCALHOST:3111",
    "127.0.0.1",
    "127.0.0.1:65535",
    "[::1]:3111",
    "[::1]",
    "shop.localhost",
    "memory.example.org",
    "Memory.Example.org:443",
  ])("the host %s is served", async (host) => {
    expect((await http.send("/memories", { headers: { host, authorization } })).status).toBe(200);
  });

  test.each([
    ownOrigin,
    `http://127.0.0.1:${apiPort}`,
    `http://[::1]:${apiPort}`,
    `http://localhost:${viewerPort}`,
    `http://shop.localhost:${apiPort}`,
    `http://memory.example.org:${apiPort}`,
    "https://ui.example.org:8443",
  ])("the origin %s is served and named in the answer, without wildcard or credentials", async (origin) => {
    for (const sent of [
      { authorization, origin },
      { authorization, origin, "sec-fetch-site": "cross-site" },
    ]) {
      const { status, headers } = await http.send("/memories", { headers: sent });
      expect(status).toBe(200);
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(headers.get("vary")).toBe("Origin");
      expect(headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("an allowed origin may read refusals", async () => {
    const { status, headers } = await http.send("/memories", { headers: { origin: ownOrigin } });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([401, ownOrigin]);
  });

  test("an allowed origin may read that the store is being restored", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
    let end = (): void => undefined;
    const restored = http.core.snapshots.stillness.keep(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const answered = http.send("/memories", { headers: { authorization, origin: ownOrigin } });
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    const { status, headers } = await answered;
    expect([status, headers.get("retry-after"), headers.get("access-control-allow-origin")]).toEqual([
      503,
      "5",
      ownOrigin,
    ]);
    end();
    await restored;
  });

  test("a request without an Origin header gets no CORS header", async () => {
    const { headers } = await http.send("/memories", { headers: { authorization } });
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });

  test.each(["same-origin", "same-site", "none"])("a request from %s is served", async (site) => {
    expect(
      (await http.send("/memories", { headers: { authorization, "sec-fetch-site": site } })).status,
    ).toBe(200);
  });
});

describe("a CORS preflight", () => {
  test.each(withRoute)("for %s from an allowed origin is a 204 without a token", async (_id, operation) => {
    const path = (operation.http?.path ?? "").replace(/:\w+/gu, "x");
    const { status, headers, text } = await http.send(path, {
      method: "OPTIONS",
      headers: { origin: ownOrigin },
    });
    expect([status, text]).toEqual([204, ""]);
    expect(headers.get("access-control-allow-origin")).toBe(ownOrigin);
    expect(headers.get("access-control-allow-methods")).toBe("GET, POST, DELETE, OPTIONS");
    expect(headers.get("access-control-max-age")).toBe("600");
    const allowed = headers.get("access-control-allow-headers")?.split(", ");
    expect(allowed).toEqual(
      expect.arrayContaining([
        "Authorization",
        "Content-Type",
        "X-Memsvc-Source",
        "MCP-Protocol-Version",
        "Accept",
      ]),
    );
  });

  test.each(["null", "https://evil.example"])("from %s is a 403", async (origin) => {
    expect((await http.send("/memories", { method: "OPTIONS", headers: { origin } })).status).toBe(403);
  });

  test("to a foreign host is a 403", async () => {
    const headers = { host: "evil.example", origin: ownOrigin };
    expect((await http.send("/memories", { method: "OPTIONS", headers })).status).toBe(403);
  });
});

describe("mesh routes", () => {
  test("without a secret answer 503, before anything else is checked", async () => {
    const open = await openTestHttp({ env: { MEMSVC_PREFIX_ALIASES: "/agentmemory" } });
    for (const prefix of ["/memsvc", "/agentmemory"]) {
      for (const path of ["/mesh/peers", "/mesh/sync", "/mesh/nothing"]) {
        const reply = await open.send(path, { prefix, method: "POST", body: "no json" });
        expect(reply.status).toBe(503);
        expect(reply.body).toEqual({ error: "mesh requires MEMSVC_SECRET" });
        expect(reply.headers.has("retry-after")).toBe(false);
      }
    }
    expect((await open.send("/memories/mesh")).status).toBe(404);
    await open.close();
  });
});

describe("the bearer token", () => {
  test("matches only as a whole", () => {
    expect(bearerTokenMatches(authorization, secret)).toBe(true);
    for (const other of [
      undefined,
      "",
      secret,
      `${authorization} `,
      ` ${authorization}`,
      "Bearer ",
      `Bearer ${"é".repeat(9)}`,
    ]) {
      expect(bearerTokenMatches(other, secret)).toBe(false);
    }
  });
});

describe("files of the store", () => {
  test("are readable only by their owner, whatever the umask", async () => {
    const parent = temporaryFolder();
    const home = join(parent, "deep", "home");
    const before = process.umask(0);
    const { settings } = loadSettings({ home, env: {}, fileText: undefined });
    const core = await Core.open({ home, settings });
    await core.call(remember, { content: "private" }, { face: "library" });
    const modes = Object.fromEntries(
      readdirSync(home).map((name) => [name, (statSync(join(home, name)).mode & 0o777).toString(8)]),
    );
    process.umask(before);
    await core.close();
    expect((statSync(home).mode & 0o777).toString(8)).toBe("700");
    expect(modes).toEqual({ "memsvc.db": "600", "memsvc.db-wal": "600", "memsvc.db-shm": "600" });
  });
});

describe("listening on another address", () => {
  test.each(["0.0.0.0", "::", "192.168.1.7", "memory.example.org", "127.evil.example"])(
    "%s without a secret is refused, and creates nothing",
    async (host) => {
      const parent = temporaryFolder();
      const home = join(parent, "home");
      const { settings } = loadSettings({
        home,
        env: { MEMSVC_HOST: host, MEMSVC_PORT: "0" },
        fileText: undefined,
      });
      const opened = Daemon.open({ home, settings, log: () => undefined });
      await expect(opened).rejects.toMatchObject({
        code: "invalid_setting",
        message: expect.stringContaining(host),
      });
      expect(existsSync(home)).toBe(false);
    },
  );
});
