import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linkCommit } from "../../src/capture/commits/operations.ts";
import { observe } from "../../src/capture/observations/operations.ts";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { diagnose } from "../../src/governance/diagnostics/operations.ts";
import { health as showHealth } from "../../src/governance/health/operations.ts";
import { createSnapshot } from "../../src/governance/snapshots/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { sweeps } from "../../src/jobs/sweeps.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { DescribedAnswers } from "../support/described-answers.ts";
import { openTestHttp, type Reply, type TestHttp } from "../support/http.ts";
import { openLibsqlServer } from "../support/libsql-server.ts";
import type { PeerServer } from "../support/peer-server.ts";
import { openRealLibsqlServer, serverProgram } from "../support/real-libsql-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* Two machines, each with a home of its own, share a store on one server. */

const servers: readonly {
  readonly name: string;
  readonly open: (folder: string, port?: number) => Promise<PeerServer>;
  readonly skip: boolean;
}[] = [
  {
    name: "a server on this machine",
    open: (folder, port) => openLibsqlServer(join(folder, "served.db"), "its-token", port),
    skip: false,
  },
  {
    name: "a libSQL server (its program is named by SQLD)",
    open: (folder, port) => openRealLibsqlServer(join(folder, "server"), port),
    skip: serverProgram === undefined,
  },
];

let folder: string;
let server: PeerServer;
let laptop: TestHttp;
let desktop: TestHttp;

beforeEach(() => {
  folder = temporaryFolder();
});

async function openBoth(): Promise<void> {
  const env = { MEMSVC_DB_URL: server.url, MEMSVC_DB_AUTH_TOKEN: "its-token" };
  laptop = await openTestHttp({ env });
  desktop = await openTestHttp({ env });
}

afterEach(async () => {
  await laptop.close();
  await desktop.close();
  await server.close();
});

async function contentsFor(http: TestHttp, query = ""): Promise<unknown[]> {
  const { memories } = (await http.send(`/memories${query}`)).body as { memories: { content: string }[] };
  return memories.map(({ content }) => content).toSorted();
}

const hintOf = ({ headers }: Reply) => decodeURIComponent(headers.get("x-memsvc-hint") ?? "");

const event = {
  sessionId: "s1",
  project: "/w/shop",
  cwd: "/w/shop",
  hookType: "post_tool_use",
  timestamp: "2026-03-01T11:00:00Z",
  data: {
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    tool_output: "3 tests failed in cart.test.ts",
  },
} as const;

for (const { name, open, skip } of servers) {
  describe.skipIf(skip)(`a store on ${name}`, () => {
    beforeEach(async () => {
      server = await open(folder);
      await openBoth();
    });

    test("is shared by its users: what one writes another finds at once", async () => {
      const { memory } = await laptop.ok(remember, {
        content: "Deploys go out on Tuesdays",
        project: "/w/shop",
      });
      const { observationId } = await desktop.ok(observe, event);
      const found = await desktop.ok(smartSearch, { query: "deploys tuesdays" });
      expect(found.results.map(({ obsId }) => obsId)).toContain(memory.id);
      const failed = await laptop.ok(smartSearch, { query: "cart.test.ts failed" });
      expect(failed.results.map(({ obsId }) => obsId)).toContain(observationId);
      expect((await laptop.ok(observe, event)).deduplicated).toBe(true);
      const { checks } = await laptop.ok(diagnose, {});
      expect(checks.filter(({ status }) => status !== "pass")).toEqual([]);
      const { health } = await laptop.ok(showHealth, {});
      expect(health.database.sizeBytes).toBeGreaterThan(100_000);
    });

    test("replaces a commit's short sha by the longer one in its session", async () => {
      await laptop.ok(observe, event);
      await laptop.ok(linkCommit, { sha: "3f2a91c", sessionId: "s1" });
      const sha = "3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3";
      await desktop.ok(linkCommit, { sha, sessionId: "s1" });
      const { sessions } = await laptop.ok(listSessions, {});
      expect(sessions.map(({ commitShas }) => commitShas)).toEqual([[sha]]);
    });

    test("stores concurrent writes of both users once each", async () => {
      const contents = Array.from({ length: 12 }, (_, at) => `fact number ${at} about subject ${at * 7}`);
      await Promise.all(
        contents.map((content, at) => (at % 2 === 0 ? laptop : desktop).ok(remember, { content })),
      );
      expect(await contentsFor(laptop)).toEqual(contents.toSorted());
    });

    test("with long events can be exported; a list too large for the server is a 413 with a hint", async () => {
      const rows = <Row>(most: number, row: (n: number) => Row) =>
        Array.from({ length: most }, (_, n) => row(n));
      const createdAt = "2026-03-01T10:00:00Z";
      const memories = rows(130, (n) => ({
        id: `mem_${n}`,
        content: `${n} ${"é".repeat(42_000)}`,
        createdAt,
      }));
      const observations = rows(90, (n) => {
        const toolOutput = `${n} ${"é".repeat(60_000)}`;
        const raw = { hookType: "post_tool_use", toolName: "Bash", toolOutput, data: {} };
        return {
          id: `obs_${n}`,
          timestamp: createdAt,
          hookType: "post_tool_use",
          type: "other",
          title: "x",
          raw,
        };
      });
      const exportData = { version: "0.1.0", memories, observations: { s1: observations } };
      await laptop.ok(importStore, { exportData });
      const all = await desktop.send("/memories");
      expect([all.status, hintOf(all)]).toEqual([413, expect.stringContaining("limit")]);
      expect(new DescribedAnswers().faultsOf("GET", "/memories", all)).toEqual([]);
      expect(await contentsFor(desktop, "?limit=10")).toHaveLength(10);
      const { body } = await desktop.send("/export");
      expect(body).toMatchObject({ pagination: { total: 1 } });
      expect((body.memories as unknown[]).length).toBe(130);
    });

    test("refuses snapshots and replacing imports, with a hint", async () => {
      await laptop.ok(remember, { content: "Deploys go out on Tuesdays" });
      const made = await laptop.reply(createSnapshot, {});
      expect([made.status, hintOf(made)]).toEqual([409, expect.stringContaining("export")]);
      const replaced = await laptop.reply(importStore, { exportData: { memories: [] }, strategy: "replace" });
      expect([replaced.status, hintOf(replaced)]).toEqual([409, expect.stringContaining("merge")]);
      expect(new DescribedAnswers().faultsOf("POST", "/import", replaced)).toEqual([]);
      expect(await contentsFor(desktop)).toEqual(["Deploys go out on Tuesdays"]);
    });

    test("has no timed snapshots", async () => {
      const its = { MEMSVC_DB_URL: server.url, MEMSVC_DB_AUTH_TOKEN: "its-token" };
      const timed = await openTestHttp({ env: { ...its, MEMSVC_SNAPSHOT_ENABLED: "true" } });
      expect(sweeps(timed.core).map(({ kind }) => kind)).not.toContain("sweep.snapshots");
      await timed.close();
    });

    test("that stops answering is a 503 that names it, and is used again once it answers", async () => {
      await laptop.ok(remember, { content: "Deploys go out on Tuesdays" });
      await server.close();
      for (const reply of [
        await laptop.reply(remember, { content: "Releases are tagged" }),
        await laptop.send("/memories"),
      ]) {
        expect([reply.status, reply.body.error]).toEqual([
          503,
          expect.stringContaining(new URL(server.url).host),
        ]);
        expect(hintOf(reply)).toContain("MEMSVC_DB_URL");
      }
      server = await open(folder, Number(new URL(server.url).port));
      await laptop.ok(remember, { content: "Releases are tagged" });
      expect(await contentsFor(desktop)).toEqual(["Deploys go out on Tuesdays", "Releases are tagged"]);
    });
  });
}
