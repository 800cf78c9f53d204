import type { ChildProcess } from "node:child_process";
import type { Sandbox } from "../cli/program-process.ts";

/*
 * Agents take the same few actions and release them, or forget to, through the daemon and through processes of their
 * own. The history records when each of them asked and was answered. From these times follows when an agent must have
 * held an action (between the answer and the release), and when it may have (from its question on). leaseFaults checks
 * that no two must have held an action at once, that whoever was refused was told a holder that may have held it, and
 * that nobody lost an action before its lease ended.
 */

export interface Asked {
  readonly kind: "acquire" | "release";
  readonly actionId: string;
  readonly agentId: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** `held`: refused because another agent holds it. `over`: refused because nobody holds it (any more). */
  readonly outcome: "ok" | "held" | "over" | "unexpected";
  readonly heldBy?: string;
  /** When the lease that was granted expires. */
  readonly until?: number;
  readonly answer: string;
}

type Answer = Pick<Asked, "outcome" | "answer" | "heldBy" | "until">;
export type Ask = (kind: Asked["kind"], actionId: string, agentId: string) => Promise<Answer>;

interface Taker {
  readonly ask: Ask;
  readonly agentId: string;
  readonly actionIds: readonly string[];
  readonly random: () => number;
  readonly isOver: () => boolean;
}

/** Duration of leases: the shortest that is allowed, so that many expire. */
const shortestMs = 1_000;
const forgotten = 0.2;

/** Takes one action after another, and releases most of those that it got. */
export async function takeAndGiveBack(taker: Taker, history: Asked[]): Promise<void> {
  const { agentId, actionIds, random, isOver } = taker;
  const ask = async (kind: Asked["kind"], actionId: string): Promise<boolean> => {
    const askedAt = Date.now();
    const answer = await taker.ask(kind, actionId, agentId);
    history.push({ kind, actionId, agentId, askedAt, answeredAt: Date.now(), ...answer });
    return answer.outcome === "ok";
  };
  while (!isOver()) {
    const actionId = actionIds[Math.floor(random() * actionIds.length)] ?? "";
    if ((await ask("acquire", actionId)) && random() > forgotten) await ask("release", actionId);
  }
}

export function askDaemon(url: string, ttlMs: number = shortestMs): Ask {
  return async (kind, actionId, agentId) => {
    const response = await fetch(`${url}/leases/${kind}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ actionId, agentId, ttlMs }),
    });
    return answerOf(response.ok, await response.text());
  };
}

export function askProcess(sandbox: Sandbox): Ask {
  return async (kind, actionId, agentId) => {
    const ttl = kind === "acquire" ? ["--ttl-ms", String(shortestMs)] : [];
    const args = ["lease", kind, actionId, "--agent-id", agentId, ...ttl, "--offline", "--json"];
    const { exit, text } = await output(sandbox.start(args));
    return answerOf(exit === 0, text);
  };
}

function answerOf(isOk: boolean, answer: string): Answer {
  const until = /"expiresAt":\s*"([^"]+)"/u.exec(answer)?.[1];
  if (isOk) return { outcome: "ok", answer, ...(until === undefined ? {} : { until: Date.parse(until) }) };
  if (answer.includes("nobody holds action")) return { outcome: "over", answer };
  const heldBy = /is held by (\S+) until/u.exec(answer)?.[1];
  return heldBy === undefined ? { outcome: "unexpected", answer } : { outcome: "held", heldBy, answer };
}

function output(child: ChildProcess): Promise<{ readonly exit: number | null; readonly text: string }> {
  let text = "";
  const add = (piece: Buffer) => {
    text += piece.toString();
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return new Promise((resolve) => {
    child.on("close", (exit) => resolve({ exit, text }));
  });
}

/** When an agent held an action: it may have from `mayFrom` to `mayTo`, and must have from `mustFrom` to `mustTo`. */
interface Holding {
  readonly agentId: string;
  readonly mayFrom: number;
  readonly mustFrom: number;
  readonly mustTo: number;
  readonly mayTo: number;
}

/** Everything in the history that contradicts one holder at a time. */
export function leaseFaults(history: readonly Asked[]): string[] {
  const actionIds = [...new Set(history.map(({ actionId }) => actionId))];
  return [
    ...history
      .filter(({ outcome }) => outcome === "unexpected")
      .map(({ kind, answer }) => `${kind}: ${answer}`),
    ...actionIds.flatMap((id) => faultsOf(history.filter(({ actionId }) => actionId === id))),
  ];
}

function faultsOf(history: readonly Asked[]): string[] {
  const held = holdings(history);
  const together = held.flatMap((one, at) =>
    held
      .slice(at + 1)
      .filter(
        (other) =>
          one.agentId !== other.agentId && one.mustFrom < other.mustTo && other.mustFrom < one.mustTo,
      )
      .map((other) => `${one.agentId} and ${other.agentId} held an action at once`),
  );
  const untrue = history
    .filter(({ outcome }) => outcome === "held")
    .filter(
      ({ heldBy, askedAt, answeredAt }) =>
        !held.some((one) => one.agentId === heldBy && one.mayFrom < answeredAt && askedAt < one.mayTo),
    )
    .map(({ agentId, heldBy }) => `${agentId} was told that ${heldBy} holds an action, who cannot have`);
  const early = history
    .filter(({ kind, outcome }) => kind === "release" && outcome !== "ok")
    .filter(({ agentId, askedAt, answeredAt }) =>
      held.some((one) => one.agentId === agentId && one.mustFrom <= askedAt && answeredAt < one.mustTo),
    )
    .map(({ agentId }) => `${agentId} lost an action before its time`);
  return [...together, ...untrue, ...early];
}

function holdings(history: readonly Asked[]): Holding[] {
  const granted = history.filter(({ outcome }) => outcome === "ok");
  return granted
    .filter(({ kind }) => kind === "acquire")
    .map(({ agentId, askedAt, answeredAt, until = Number.POSITIVE_INFINITY }) => {
      const release = granted.find(
        (one) => one.kind === "release" && one.agentId === agentId && one.askedAt >= answeredAt,
      );
      return {
        agentId,
        mayFrom: askedAt,
        mustFrom: answeredAt,
        mustTo: Math.min(until, release?.askedAt ?? until),
        mayTo: Math.min(until, release?.answeredAt ?? until),
      };
    });
}
