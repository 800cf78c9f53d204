import { forget, remember } from "../../src/knowledge/memories/operations.ts";
import { exportRows, receiveRows } from "../../src/sharing/mesh/operations.ts";
import { openTestHttp, type TestHttp } from "./http.ts";

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

/** Stores that are opened and closed together. `main`: the one that is meant where none is named. */
export function meshStores(main: () => TestHttp) {
  const opened: TestHttp[] = [];
  async function open(more: Readonly<Record<string, string>> = {}, startAt?: string): Promise<TestHttp> {
    const http = await openTestHttp({
      env: { ...env, ...more },
      authorized: true,
      ...(startAt === undefined ? {} : { startAt }),
    });
    opened.push(http);
    return http;
  }

  async function close() {
    for (const http of opened.splice(0)) await http.close();
  }

  async function remembered(content: string, fields: Body = {}, to = main()): Promise<string> {
    return (await to.ok(remember, { content, ...fields })).memoryId;
  }

  return { close, open, opened, remembered };
}
