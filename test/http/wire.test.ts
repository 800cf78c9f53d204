import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { observe } from "../../src/capture/observations/operations.ts";
import { listSessions, startSession } from "../../src/capture/sessions/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { getMemory, listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp, type Sending } from "../support/http.ts";

const json = { "content-type": "application/json" };

const http = forEachTest(() =>
  openTestHttp({
    env: { MEMSVC_PREFIX_ALIASES: "/agentmemory,/v_2", MEMSVC_MAX_BODY_BYTES: "200000" },
  }),
);

function post(path: string, body: Sending["body"], headers: Readonly<Record<string, string>> = json) {
  return http.send(path, { method: "POST", headers, ...(body === undefined ? {} : { body }) });
}

function nested(levels: number) {
  return `${"[".repeat(levels)}${"]".repeat(levels)}`;
}

describe("every response", () => {
  test.each([
    ["a success", () => http.send("/sessions")],
    ["a refusal", () => post("/remember", "{}")],
    ["an unknown route", () => http.send("/nowhere")],
    ["a wrong method", () => http.send("/remember")],
    ["livez", () => http.send("/livez")],
  ])("to %s is JSON, with no-store and nosniff headers", async (_name, ask) => {
    const { headers, body } = await ask();
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(body).not.toEqual({});
  });

  test("has success: true only if the request succeeded", async () => {
    expect((await http.send("/sessions")).body.success).toBe(true);
    expect((await post("/remember", '{"content":"x"}')).body.success).toBe(true);
    expect((await post("/remember", "{}")).body).not.toHaveProperty("success");
  });

  test("to invalid input lists each fault with its dotted path, at most 50", async () => {
    const { body } = await post("/remember", JSON.stringify({ content: "x", concepts: ["a", 1, "b", null] }));
    expect(body.issues).toEqual([
      { path: "concepts.1", message: expect.any(String) },
      { path: "concepts.3", message: expect.any(String) },
    ]);
    const many = await post(
      "/remember",
      JSON.stringify({ content: "x", files: Array.from({ length: 150 }, () => 1) }),
    );
    expect(many.body.issues).toHaveLength(50);
    const whole = await post("/forget", "{}");
    expect(whole.body.issues).toMatchObject([{ path: "" }]);
  });

  test("to an internal error has a reference, but not the reason", async () => {
    await http.writeSql("DROP TABLE audit_entries");
    const reply = await post("/remember", '{"content":"a fine secret"}');
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual({ error: expect.stringMatching(/^internal error, reference [0-9a-f]{12}$/u) });
  });
});

describe("routes", () => {
  test("ignore one trailing slash, but not two", async () => {
    expect((await http.send("/sessions/")).status).toBe(200);
    expect((await http.send("/sessions//")).status).toBe(404);
    const { memoryId } = await http.ok(remember, { content: "x" });
    expect((await http.send(`/memories/${memoryId}/`)).status).toBe(200);
    expect((await http.send("/memories/")).body).toHaveProperty("memories");
    expect((await http.send("/livez/")).status).toBe(200);
  });

  test("are case-sensitive and have no version prefix", async () => {
    for (const path of ["/Sessions", "/v1/sessions", ""]) {
      expect((await http.send(path)).status).toBe(404);
    }
  });

  test("are also served under each alias of the prefix, with the same answers", async () => {
    await post("/remember", '{"content":"x"}');
    const { text } = await http.send("/memories");
    for (const prefix of ["/agentmemory", "/v_2"]) {
      const reply = await http.send("/memories", { prefix });
      expect([reply.status, reply.text]).toEqual([200, text]);
      expect((await http.send("/livez", { prefix })).status).toBe(200);
    }
    expect((await http.send("/memories", { prefix: "/other" })).status).toBe(404);
    expect((await http.send("/memories", { prefix: "" })).status).toBe(404);
  });

  test("that are unknown are a 404, whatever the method", async () => {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
      const reply = await http.send("/nowhere", { method });
      expect(reply.status).toBe(404);
      expect(reply.body.error).toContain("/memsvc/nowhere");
    }
  });

  test("without the prefix are a 404 that names the right path", async () => {
    const { status, body } = await http.send("/sessions", { prefix: "" });
    expect([status, body.error]).toEqual([404, "no such route: GET /sessions; it is /memsvc/sessions"]);
    expect((await http.send("/nowhere", { prefix: "" })).body.error).toBe("no such route: GET /nowhere");
  });

  test("with the wrong method are a 405 that names the right ones in Allow", async () => {
    const reply = await http.send("/remember");
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    const list = await post("/memories", "{}");
    expect([list.status, list.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await http.send("/memories/mem_1", { method: "PUT" })).status).toBe(405);
    const slot = await http.send("/slot", { method: "PUT" });
    expect(slot.headers.get("allow")).toBe("GET, HEAD, POST, DELETE, OPTIONS");
    expect((await http.send("/memories//")).body.error, "no id is no path of a memory").toBe(
      "no such route: GET /memsvc/memories/",
    );
  });

  test("accept escaped ids with any characters", async () => {
    const sessionId = "a/b?c#d%e f\u00e9🙂";
    await http.ok(startSession, { sessionId, project: "p", cwd: "/p" });
    expect((await http.send("/observations", { query: { sessionId } })).status).toBe(200);
    expect((await http.send(`/memories/${encodeURIComponent(sessionId)}`)).body.error).toContain(sessionId);
  });

  test("with broken escapes are not an internal error", async () => {
    for (const path of ["/memories/%", "/memories/%E0%A4%A", "/sessions?project=%", "/%ff"]) {
      expect((await http.send(path)).status).toBeLessThan(500);
    }
  });
});

describe("a HEAD request", () => {
  test("gets the headers of GET without a body", async () => {
    for (const path of ["/sessions", "/livez", "/memories", "/config/flags"]) {
      const reply = await http.send(path, { method: "HEAD" });
      expect([reply.status, reply.text]).toEqual([200, ""]);
      expect(reply.headers.get("content-type")).toContain("application/json");
    }
    expect((await http.send("/memories/mem_x", { method: "HEAD" })).status).toBe(404);
    expect((await http.send("/remember", { method: "HEAD" })).status).toBe(405);
  });

  test("leaves signals unread, counts no recall and audits no export", async () => {
    const exported = await http.send("/export", { method: "HEAD" });
    expect([exported.status, exported.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    expect((await http.send("/export?maxSessions=0", { method: "HEAD" })).status).toBe(400);
    expect((await http.send("/audit?operation=export")).body).toMatchObject({ total: 0 });
    await http.ok(sendSignal, { from: "ann", to: "bob", content: "the schema is ready" });
    const { memoryId } = await http.ok(remember, { content: "Deploys go out on Tuesdays" });
    for (const path of ["/signals?agentId=bob", `/memories/${memoryId}`])
      expect((await http.send(path, { method: "HEAD" })).status).toBe(200);
    expect(await http.ok(readSignals, { agentId: "bob", unreadOnly: true })).toMatchObject({ unread: 1 });
    const { memories } = (await http.send("/memories")).body as { memories: { recallCount: number }[] };
    expect(memories.map(({ recallCount }) => recallCount)).toEqual([0]);
  });
});

describe("a request body", () => {
  const valid = '{"content":"x"}';

  test("must be application/json, with any parameters and in any case", async () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON"]) {
      expect((await post("/remember", valid, { "content-type": type })).status).toBe(201);
    }
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "text/json",
      "",
    ]) {
      expect((await post("/remember", valid, { "content-type": type })).status).toBe(415);
    }
    expect((await post("/remember", valid, { ...json, "content-encoding": "gzip" })).status).toBe(415);
    expect((await post("/remember", valid, { ...json, "content-encoding": "identity" })).status).toBe(201);
  });

  test("that is empty counts as {}, with or without a content type", async () => {
    for (const headers of [json, { "content-type": "text/plain" }]) {
      expect((await post("/remember", "", headers)).body.error).toBe("content required");
      expect((await post("/remember", undefined, headers)).body.error).toBe("content required");
    }
  });

  test.each([
    ["null", "null"],
    ["an array", '[{"content":"x"}]'],
    ["a text", '"x"'],
    ["a number", "1"],
    ["cut off", '{"content":"x'],
    ["no JSON", "content=x"],
    ["JSON with a comment", '{"content":"x"/**/}'],
    ["JSON with a trailing comma", '{"content":"x",}'],
    ["blanks only", "  \n"],
  ])("that is %s is a 400", async (_name, body) => {
    const reply = await post("/remember", body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toEqual(expect.any(String));
  });

  test("must be valid UTF-8", async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"content":"'),
      0xc3,
      0x28,
      ...new TextEncoder().encode('"}'),
    ]);
    expect((await post("/remember", bytes)).status).toBe(400);
  });

  test("may be nested 64 levels deep and no deeper", async () => {
    const body = (levels: number) =>
      JSON.stringify({
        hookType: "x",
        sessionId: "s",
        project: "p",
        cwd: "/p",
        timestamp: "2026-03-01",
        data: "DEEP",
      }).replace('"DEEP"', nested(levels));
    expect((await post("/observe", body(63))).status).toBe(201);
    expect((await post("/observe", body(64))).status).toBe(400);
    expect((await post("/observe", body(90_000))).status).toBe(400);
  });

  test("that is too large is a 413, before its type and syntax are checked", async () => {
    const large = "x".repeat(200_001);
    expect((await post("/remember", large, { "content-type": "text/plain" })).status).toBe(413);
    expect((await post("/remember", large, { ...json, "content-length": "200001" })).status).toBe(413);
    expect((await post("/remember", large.slice(1))).status).toBe(400);
  });

  test("of unknown length that is too large is a 413", async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1;
        if (sent > 1_000) controller.close();
        else controller.enqueue(new Uint8Array(10_000).fill(120));
      },
    });
    expect((await post("/remember", body)).status).toBe(413);
    expect(sent).toBeLessThan(50);
  });

  test.each(["/remember", "/import", "/mcp"])("that breaks off on its way to %s is a 400", async (path) => {
    for (const headers of [json, { ...json, "content-length": "100" }]) {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1;
          if (sent > 1) controller.error(new Error("aborted"));
          else controller.enqueue(Buffer.from('{"content":'));
        },
      });
      const reply = await post(path, body, headers);
      expect([reply.status, reply.body.error]).toEqual([400, "the body ended before it was complete"]);
    }
  });

  test("counts the last of repeated keys, and ignores unknown keys", async () => {
    const reply = await post(
      "/remember",
      '{"content":"first","content":"last","Content":"x","colour":"red"}',
    );
    expect(reply.body.memory).toMatchObject({ content: "last" });
  });

  test("may have null for an optional field, but not for a required one", async () => {
    expect(
      (await post("/remember", '{"content":"x","title":null,"ttlDays":null,"concepts":null}')).status,
    ).toBe(201);
    expect((await post("/remember", '{"content":null}')).body.error).toBe("content required");
  });

  test("with `__proto__` changes no prototype and provides no fields", async () => {
    const reply = await post(
      "/remember",
      '{"__proto__":{"content":"x","title":"y"},"constructor":{"prototype":{"z":1}}}',
    );
    expect(reply.body.error).toBe("content required");
    expect("z" in {}).toBe(false);
  });
});

test("of repeated query parameters the first counts, but a dry run asked for in any is one", async () => {
  await http.ok(remember, { content: "x" });
  expect((await http.send("/memories?limit=1&limit=2")).body.limit).toBe(1);
  expect((await post("/evict?dryRun=false&dryRun=true", undefined)).body.dryRun).toBe(true);
  expect((await post("/evict?dryRun=false&dryRun=ture", undefined)).status).toBe(400);
});

describe("control characters and lone surrogates", () => {
  test("become U+FFFD in fields", async () => {
    const reply = await post("/remember", '{"content":"a\\u0000b \\ud800 c","concepts":["x\\u0000"]}');
    expect(reply.body.memory).toMatchObject({ content: "a\uFFFDb \uFFFD c", concepts: ["x\uFFFD"] });
  });

  test("such as NUL in a query or path do not cut the text off", async () => {
    const { memoryId } = await http.ok(remember, { content: "x", project: "shop" });
    await http.ok(startSession, { sessionId: "s1", project: "shop", cwd: "/w/shop" });
    expect((await http.reply(getMemory, { id: `${memoryId}\u0000x` })).status).toBe(404);
    expect((await http.reply(listMemories, { project: "shop\u0000x" })).body.total).toBe(0);
    expect((await http.reply(listSessions, { project: "shop\u0000x" })).body.total).toBe(0);
    expect((await http.send("/observations", { query: { sessionId: "s1\u0000" } })).status).toBe(404);
    expect((await http.reply(listMemories, { agentId: "ann\u0000" })).body.total).toBe(0);
  });

  test("become U+FFFD in what a request says beside its body, too", async () => {
    const headers = { ...json, "x-memsvc-agent": "ann%00", "x-memsvc-folder": "/w%00" };
    const written = await post("/remember", '{"content":"x"}', headers);
    expect(written.body.memory).toMatchObject({ agentId: "ann\uFFFD" });
    expect((await post("/compress-file", '{"filePath":"x.md"}', headers)).status).toBe(403);
    const save = { name: "memory_save", arguments: { content: "y" } };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: save };
    await post("/mcp?agentId=bob%00", JSON.stringify(call));
    expect((await http.ok(listMemories, { agentId: "bob\uFFFD" })).total).toBe(1);
  });

  test("in a session id find the session again", async () => {
    await http.ok(startSession, { sessionId: "s\u0000", project: "p", cwd: "/p" });
    expect((await http.send("/observations", { query: { sessionId: "s\u0000" } })).status).toBe(200);
  });
});

describe("concurrent requests", () => {
  test("are limited to 128, and further ones wait for a free place", async () => {
    const ends: (() => void)[] = [];
    const held = () =>
      http.send("/forget", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: new ReadableStream({
          start: (body) => {
            ends.push(() => body.close());
          },
        }),
      });
    const running = Array.from({ length: 127 }, held);
    expect((await http.send("/sessions")).status).toBe(200);
    running.push(held());
    let isAnswered = false;
    const further = http.send("/sessions").then(() => {
      isAnswered = true;
    });
    await sleep(30);
    expect(isAnswered).toBe(false);
    ends[0]?.();
    await further;
    for (const end of ends.slice(1)) end();
    expect((await Promise.all(running)).every(({ status }) => status === 400)).toBe(true);
  });

  test("300 of them are all answered, and all their writes are stored", async () => {
    const asked = Array.from({ length: 300 }, (_, number) =>
      number % 3 === 0
        ? http.reply(smartSearch, { query: `word${number}` })
        : http.reply(observe, {
            hookType: "stop",
            sessionId: `s${number % 7}`,
            project: "p",
            cwd: "/p",
            timestamp: "2026-03-01",
            data: { number },
          }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 201)).toHaveLength(200);
    const { sessions } = await http.ok(listSessions, {});
    expect(sessions.reduce((sum, { observationCount }) => sum + observationCount, 0)).toBe(200);
  });
});
