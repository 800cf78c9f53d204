import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { exportRows, receiveRows, syncMesh } from "../../src/sharing/mesh/operations.ts";
import { openTestHttp, type TestHttp } from "./http.ts";
import { openPeerServer } from "./peer-server.ts";

export const env = {
  MEMSVC_SECRET: "a-secret-of-the-mesh",
  MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1,box.local",
};

export type Rows = Readonly<Record<string, unknown>>[];
export type Body = Readonly<Record<string, unknown>>;

export function given(from: TestHttp, fields: Body = {}) {
  return from.ok(exportRows, fields);
}

export async function taken(by: TestHttp, body: Body) {
  const { status, body: answer, text } = await by.reply(receiveRows, body);
  if (status !== 200) throw new Error(text);
  return receiveRows.output.parse(answer);
}

export async function forgotten(by: TestHttp, memoryIds: readonly string[]): Promise<void> {
  for (const memoryId of memoryIds) await by.ok(forget, { memoryId });
}

export const ids = (rows: Rows | undefined) => (rows ?? []).map(({ id }) => id).sort();

export function memoryRow(id: string, fields: Body = {}): Body {
  const updatedAt = "2026-02-01T00:00:00.000Z";
  return { id, content: `content of ${id}`, createdAt: updatedAt, updatedAt, ...fields };
}

/** Runs an exchange, and returns its result for each peer. */
export async function synced(by: TestHttp, fields: Body = {}) {
  const answer = await by.ok(syncMesh, fields);
  if ("queued" in answer) throw new Error("the exchange did not end in time");
  return answer.results;
}

/** Opens stores and other peers one by one, and closes them together. `own`: settings of all of the stores. */
export function meshPlaces(own: Readonly<Record<string, string>> = {}) {
  const closing: (() => Promise<unknown>)[] = [];
  const opened: TestHttp[] = [];
  async function open(more: Readonly<Record<string, string>> = {}, startAt?: string): Promise<TestHttp> {
    const http = await openTestHttp({
      env: { ...env, ...own, ...more },
      authorized: true,
      ...(startAt === undefined ? {} : { startAt }),
    });
    closing.push(() => http.close());
    opened.push(http);
    return http;
  }

  /** Opens a peer that answers as the given function does. */
  async function odd(answer: Parameters<typeof openPeerServer>[0]): Promise<string> {
    const peer = await openPeerServer(answer);
    closing.push(peer.close);
    return peer.url;
  }

  async function close() {
    opened.length = 0;
    for (const end of closing.splice(0).reverse()) await end();
  }

  return { close, closing, odd, open, opened };
}

/** The same with steps on memories, which act on the store `main` unless another is given. */
export function meshStores(main: () => TestHttp) {
  async function remembered(content: string, fields: Body = {}, to = main()): Promise<string> {
    return (await to.ok(remember, { content, ...fields })).memoryId;
  }

  return { ...meshPlaces(), remembered };
}
