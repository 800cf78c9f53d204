import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { Daemon } from "../../src/http/daemon.ts";
import { buildOnce } from "../cli/program-process.ts";

const secret = "a-secret-of-more-than-sixteen-letters";
const authorization = `Bearer ${secret}`;
const opened: { readonly daemon: Daemon; readonly home: string }[] = [];

/** Starts a daemon on a free port. */
async function openDaemon(env: Readonly<Record<string, string>>): Promise<Daemon> {
  const home = mkdtempSync(join(tmpdir(), "memsvc-viewer-"));
  const all = { MEMSVC_PORT: "0", MEMSVC_MODEL_DOWNLOAD: "never", MEMSVC_DURABILITY: "relaxed", ...env };
  const { settings } = loadSettings({ home, env: all, fileText: undefined });
  const daemon = await Daemon.open({ home, settings, log: () => undefined });
  opened.push({ daemon, home });
  return daemon;
}

/** Takes a port; if another program already has it, that serves the purpose as well. */
async function occupy(port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.once("error", () => resolve());
    server.listen(port, "127.0.0.1", resolve);
  });
  return server;
}

async function livez({ url }: Daemon): Promise<unknown> {
  return (await fetch(`${url}/livez`)).json();
}

beforeAll(buildOnce);
afterAll(async () => {
  for (const { daemon, home } of opened) {
    await daemon.close();
    rmSync(home, { recursive: true, force: true });
  }
});

describe("the viewer port", () => {
  let daemon: Daemon;
  let page: string;
  let port: string;
  beforeAll(async () => {
    daemon = await openDaemon({
      MEMSVC_SECRET: secret,
      MEMSVC_VIEWER_PORT: "0",
      MEMSVC_PREFIX_ALIASES: "/memory",
    });
    page = daemon.viewerUrl ?? "";
    port = new URL(page).port;
  });

  test("is reported by livez", async () => {
    expect(await livez(daemon)).toMatchObject({ viewerPort: Number(port), viewerSkipped: false });
  });

  test("serves the page without the token, also when a link on another site leads to it", async () => {
    for (const headers of [{}, { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }]) {
      const response = await fetch(page, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
    const head = await fetch(page, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("serves the page with a policy that allows only its own script, by a new nonce each time", async () => {
    const nonces: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const response = await fetch(page);
      const html = await response.text();
      const policy = response.headers.get("content-security-policy") ?? "";
      const [, nonce = ""] = /script-src 'nonce-([A-Za-z0-9+/]{24})'/u.exec(policy) ?? [];
      nonces.push(nonce);
      expect(policy.split("; ")).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          `style-src 'nonce-${nonce}'`,
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
        ]),
      );
      expect(policy).not.toMatch(/unsafe|\*|https?:/u);
      const elements = [...html.matchAll(/<(?:script|style)\b[^>]*>/gu)].map(([element]) => element);
      expect(elements).toEqual([`<style nonce="${nonce}">`, `<script nonce="${nonce}">`]);
      expect(html).not.toContain("%NONCE%");
      expect(html).not.toMatch(/\ssrc=|\son\w+=["']|@import|url\(/u);
    }
    expect(new Set(nonces).size).toBe(2);
  });

  test("refuses a foreign origin for the page", async () => {
    const app = await fetch(page, { headers: { origin: "https://evil.example" } });
    expect(app.status).toBe(403);
    expect((await fetch(page, { headers: { origin: `http://127.0.0.1:${port}` } })).status).toBe(200);
  });

  test("serves the API under the prefix with the token only", async () => {
    const { origin } = new URL(page);
    for (const path of ["/memsvc/memories", "/memsvc/viewer", "/memsvc/nowhere"])
      expect((await fetch(origin + path)).status).toBe(401);
    expect((await fetch(page, { method: "POST" })).status).toBe(401);
    const headers = { authorization, origin };
    const { status } = await fetch(`${origin}/memsvc/memories`, { headers });
    expect(status).toBe(200);
    const remembered = await fetch(`${origin}/memsvc/remember`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ content: "told through the viewer's port" }),
    });
    expect(remembered.status).toBe(201);
    expect(remembered.headers.get("access-control-allow-origin")).toBe(origin);
  });

  test("serves the page below the prefix and its aliases, for GET and HEAD only", async () => {
    for (const path of ["/memsvc/viewer", "/memory/viewer", "/memory/viewer/"]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await fetch(new URL(path, page), { method, headers: { authorization } });
        expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      }
    }
    const posted = await fetch(new URL("/memsvc/viewer", page), {
      method: "POST",
      headers: { authorization },
    });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("does not make the API port serve the page at its root", async () => {
    const { origin } = new URL(daemon.url);
    expect((await fetch(`${origin}/`, { headers: { authorization } })).status).toBe(404);
    const below = await fetch(`${daemon.url}/viewer/`, { headers: { authorization } });
    expect([below.status, below.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });
});

test("the viewer takes the next free port when its port is taken", async () => {
  const other = await occupy(0);
  const { port: taken } = other.address() as AddressInfo;
  const daemon = await openDaemon({ MEMSVC_VIEWER_PORT: String(taken) });
  other.close();
  const port = Number(new URL(daemon.viewerUrl ?? "").port);
  expect(port).toBeGreaterThan(taken);
  expect(port).toBeLessThanOrEqual(taken + 10);
  expect(await livez(daemon)).toMatchObject({ viewerPort: port, viewerSkipped: false });
});

test("without MEMSVC_VIEWER_PORT the viewer port is two or more above the API port", async () => {
  const daemon = await openDaemon({});
  const apart = Number(new URL(daemon.viewerUrl ?? "").port) - Number(new URL(daemon.url).port);
  expect(apart).toBeGreaterThanOrEqual(2);
  expect(apart).toBeLessThanOrEqual(12);
});

test("without a free port there is no viewer, and the API still works", async () => {
  const others: Server[] = [];
  for (let port = 65_533; port <= 65_535; port += 1) others.push(await occupy(port));
  const daemon = await openDaemon({ MEMSVC_VIEWER_PORT: "65533" });
  for (const other of others) other.close();
  expect(daemon.viewerUrl).toBeUndefined();
  expect(await livez(daemon)).toMatchObject({ status: "ok", viewerPort: null, viewerSkipped: true });
});

test("with MEMSVC_VIEWER=false the page is still served below the API's prefix", async () => {
  const daemon = await openDaemon({ MEMSVC_VIEWER: "false" });
  expect(await livez(daemon)).toMatchObject({ viewerPort: null, viewerSkipped: true });
  const response = await fetch(`${daemon.url}/viewer`, { headers: { "sec-fetch-site": "cross-site" } });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("<title>memsvc</title>");
});
