import { observe } from "../../src/capture/observations/operations.ts";
import { endSession } from "../../src/capture/sessions/operations.ts";
import type { TestHttp } from "./http.ts";

/** Anything that runs operations and has a clock that can be moved. */
export type Workplace = Pick<TestHttp, "ok" | "advance" | "now">;

export interface Place {
  readonly project?: string;
  /** `/home/dev/<project>` unless given. */
  readonly cwd?: string;
  readonly agentId?: string | undefined;
}

export type HookType = Parameters<typeof observe.run>[1]["hookType"];

/** Sends one event of a session, without moving the clock; returns the id of its observation. */
export async function happenNow(
  http: Workplace,
  sessionId: string,
  hookType: HookType,
  data: unknown,
  { project = "shop", cwd = `/home/dev/${project}`, agentId }: Place = {},
): Promise<string> {
  const { observationId } = await http.ok(observe, {
    project,
    cwd,
    sessionId,
    hookType,
    timestamp: new Date(http.now()).toISOString(),
    data,
    ...(agentId === undefined ? {} : { agentId }),
  });
  return observationId;
}

/** Moves the clock by a second and sends one event; returns the id of its observation. */
export function happen(...[http, ...event]: Parameters<typeof happenNow>): Promise<string> {
  http.advance(1_000);
  return happenNow(http, ...event);
}

/** A session that decides something, builds, tests, and ends. */
export async function workday(
  http: Workplace,
  sessionId: string,
  decision: string,
  place: Place = {},
): Promise<void> {
  await happen(http, sessionId, "prompt_submit", { prompt: `We decided to ${decision}.` }, place);
  for (const command of ["npm install", "npm test"]) {
    const result = {
      tool_name: "Bash",
      tool_input: { command },
      tool_response: { stdout: "ok", exit_code: 0 },
    };
    await happen(http, sessionId, "post_tool_use", result, place);
  }
  await http.ok(endSession, { sessionId });
}

/** Three sessions; the first two make the same decision. */
export async function workdays(http: Workplace, place: Place = {}, prefix = ""): Promise<void> {
  await workday(http, `${prefix}1`, "keep sessions in libSQL", place);
  await workday(http, `${prefix}2`, "keep sessions in libSQL", place);
  await workday(http, `${prefix}3`, "retry mails with backoff", place);
}
