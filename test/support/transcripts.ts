import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { listObservations } from "../../src/capture/observations/operations.ts";
import { importTranscripts } from "../../src/capture/replay/operations.ts";
import { listSessions } from "../../src/capture/sessions/operations.ts";
import { openTestHttp, type TestHttp } from "./http.ts";

export type Line = Readonly<Record<string, unknown>>;

let second = 0;
/** A line of a transcript; each is a second later than the one before. */
export function line(role: "user" | "assistant", content: unknown, more: Line = {}): Line {
  second += 1;
  return {
    type: role,
    uuid: `line-${second}`,
    sessionId: "told",
    cwd: "/home/dev/shop",
    timestamp: new Date(Date.UTC(2026, 1, 1, 9, 0, second)).toISOString(),
    message: { role, content },
    ...more,
  };
}

export const call = (id: string, name: string, input: unknown) =>
  line("assistant", [{ type: "tool_use", id, name, input }]);
export const result = (id: string, content: unknown, more: Line = {}) =>
  line("user", [{ type: "tool_result", tool_use_id: id, content, ...more }]);

export const conversation = () => [
  { type: "file-history-snapshot", snapshot: {} },
  line("user", "Move the retries into the queue"),
  line("assistant", [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "I will read the worker first." },
  ]),
  call("t1", "Read", { file_path: "/home/dev/shop/src/worker.ts" }),
  result("t1", "export const retries = 3;"),
  call("t2", "Bash", { command: "npm test" }),
  result("t2", "Error: 2 tests failed", { is_error: true }),
  call("t3", "Bash", { command: "npm run watch" }),
  { type: "progress", timestamp: "2026-02-01T09:10:00Z" },
  line("assistant", "The retries are in the queue now."),
];

/** A folder for transcripts and a store that may import them. The time of new lines begins anew. */
export async function openForTranscripts(): Promise<TranscriptPlace> {
  second = 0;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "memsvc-replay-")));
  mkdirSync(join(folder, "projects"));
  const http = await openTestHttp({
    env: { MEMSVC_ALLOWED_ROOTS: join(folder, "projects"), MEMSVC_MAX_OBS_PER_SESSION: "3" },
  });
  const close = async () => {
    await http.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, http, close };
}

interface TranscriptPlace {
  readonly folder: string;
  readonly http: TestHttp;
  close(): Promise<void>;
}

/** Steps of transcript tests in the folder and store that are open at the time. */
export function transcriptSteps(place: TranscriptPlace) {
  const at = (name: string) => join(place.folder, "projects", name);

  function write(name: string, lines: readonly (Line | string)[]): string {
    mkdirSync(dirname(at(name)), { recursive: true });
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    writeFileSync(at(name), `${text}\n`);
    return at(name);
  }

  const load = (input: Line) => place.http.ok(importTranscripts, input as { path: string });
  const observed = async () =>
    (await place.http.ok(listObservations, { sessionId: "told", raw: true })).observations;
  const only = async () => {
    const { sessions } = await place.http.ok(listSessions, {});
    expect(sessions).toHaveLength(1);
    return sessions[0];
  };

  return { at, load, observed, only, write };
}
