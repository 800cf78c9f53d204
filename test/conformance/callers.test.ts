import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callOverHttp } from "../../src/client/http-call.ts";
import { createAction } from "../../src/coordination/actions/operations.ts";
import { importStore } from "../../src/governance/transfer/operations.ts";
import { httpApp } from "../../src/http/app.ts";
import { remember } from "../../src/knowledge/memories/operations.ts";
import { catalogue } from "../../src/operation/catalogue.ts";
import type { Operation } from "../../src/operation/define.ts";
import { exitCodeOfError, isMemsvcError, MemsvcError } from "../../src/operation/errors.ts";
import { openTestCore, type TestCore } from "../support/core.ts";
import { plausibleInput } from "../support/generated-input.ts";

/*
 * A call in process and a call over HTTP give the same answer or the same error: two stores get the same calls, one
 * in each way.
 */

const caller = { face: "library" } as const;
const secret = "a-secret-of-the-mesh";
const env = {
  MEMSVC_SECRET: secret,
  MEMSVC_SLOTS: "true",
  MEMSVC_REFLECT: "true",
  MEMSVC_TEAM_ID: "core",
  MEMSVC_USER_ID: "ann",
};

type Ask = (operation: Operation, input: unknown) => Promise<unknown>;
interface Way {
  readonly store: TestCore;
  readonly ask: Ask;
  readonly memoryId: string;
}

let ways: readonly Way[];
beforeAll(async () => {
  const here = await openTestCore({ env });
  const there = await openTestCore({ env });
  const app = httpApp({ core: there.core, ports: () => ({ api: 3111, viewer: null }) });
  const send = callOverHttp({
    url: "http://localhost:3111/memsvc",
    secret,
    transport: async ({ method, url, headers, body }) => {
      const init = { method, headers: { ...headers, host: "localhost:3111" } };
      const response = await app.request(url, body === undefined ? init : { ...init, body });
      const { status, headers: said } = response;
      return { status, body: await response.text(), headers: Object.fromEntries(said) };
    },
  });
  const wayTo = async (store: TestCore, ask: Ask): Promise<Way> => {
    const { memoryId } = await store.core.call(remember, { content: "there from the start" }, caller);
    return { store, ask, memoryId };
  };
  ways = [
    await wayTo(here, (operation, input) => here.core.call(operation, input, caller)),
    await wayTo(there, (operation, input) => send(operation, input, caller)),
  ];
});
afterAll(() => Promise.all(ways.map(({ store }) => store.close())));

// Operations with a protocol of their own or bodies of any size have their own tests; health depends on the machine.
const plain = catalogue.filter(
  ({ id, http, runOnBody, runOnMessage, runToText }) =>
    id !== "health.show" &&
    http !== undefined &&
    [runOnBody, runOnMessage, runToText].every((own) => own === undefined),
);

test.each(plain.map((operation) => [operation.id, operation] as const))(
  "%s gives the same answer in process and over HTTP",
  async (_id, operation) => {
    for (const inputFor of [(id: string) => plausibleInput(operation, id), () => ({})]) {
      const [inProcess, overHttp] = await Promise.all(
        ways.map(({ store, ask, memoryId }) => outcome(store, ask(operation, inputFor(memoryId)))),
      );
      expect(overHttp).toEqual(inProcess);
    }
  },
);

test("a value nested as deep as a body may be is stored, and a deeper one refused, in process and over HTTP", async () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  for (const { ask } of ways) {
    const create = (depth: number) =>
      ask(createAction, { title: "deep", metadata: { nested: nested(depth) } });
    const { action } = (await create(62)) as { action: Record<string, unknown> };
    const exportData = { version: "1.0.0", actions: [{ ...action, id: "act_deep_copy" }] };
    expect(await ask(importStore, { exportData })).toMatchObject({ counts: { actions: { written: 1 } } });
    await expect(create(63)).rejects.toMatchObject({
      code: "invalid_input",
      message: "the body is nested deeper than 64 levels",
    });
  }
});

async function outcome({ home }: TestCore, asked: Promise<unknown>): Promise<unknown> {
  const shown = await asked.catch((error: unknown) => {
    if (!isMemsvcError(error)) throw error;
    const { code, message, hint, issues, extra } = error;
    return { code, message, hint, issues, extra };
  });
  return JSON.parse(comparable(JSON.stringify(shown), home));
}

const ids = /\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/gu;
/** Measured values, and checksums of files that contain ids. */
const measured =
  /"(?:\w+(?:Ms|Micros|Bytes|Seconds)|rss|heap\w+|external|percent|sha256|commitHash)":(?:"\w*"|[-\d.e]+)/gu;

function comparable(text: string, home: string): string {
  return text.replaceAll(home, "HOME").replace(ids, "$1_id").replace(measured, '"measured":0');
}

test.each([
  ["disk_full", 1],
  ["store_damaged", 5],
  ["store_newer", 5],
] as const)("%s is told in the same words, without the reference to the daemon's log", async (code, exit) => {
  const fault = new MemsvcError(code, "the database takes no more; nothing was written", {
    hint: "free some disk space and send it again",
  });
  for (const { store, ask } of ways) {
    const writing = vi.spyOn(store.core.ground.store, "write").mockRejectedValueOnce(fault);
    const error: unknown = await ask(remember, { content: "no room for this" }).catch((raised) => raised);
    writing.mockRestore();
    expect(error).toMatchObject({ code, message: fault.message, hint: fault.hint });
    expect(exitCodeOfError(error)).toBe(exit);
  }
});

test("a NUL in a text ends it in neither way: it becomes U+FFFD", async () => {
  for (const { ask } of ways)
    expect(await ask(remember, { content: "before\u0000after" })).toMatchObject({
      memory: { content: "before\uFFFDafter" },
    });
});
