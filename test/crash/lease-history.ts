import type { ChildProcess } from "node:child_process";
import type { Sandbox } from "../cli/program-process.ts";

/*
 * Agents that take the same few actions and give them back, or forget to, through the daemon and through processes of
 * their own, with the moments at which each of them asked and had its answer. From those follows who must have held an
 * action when, and who may have: as long as there is one order of all that happened, no two must have held it at once,
 * whoever was told that another holds it was told so of one who may have, and nobody lost it before its time.
 */

export interface Asked {
  readonly kind: "acquire" | "release";
  readonly actionId: string;
  readonly agentId: string;
  readonly askedAt: number;
  readonly answeredAt: number;
  /** `held`: it was refused because another holds it. `over`: it was, and nobody does. */
  readonly outcome: "ok" | "held" | "over" | "unexpected";
  readonly heldBy?: string;
  /** Of an action that was taken: until when it is held at most. */
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

/** As short as a lease can be, so that many end by themselves. */
const shortestMs = 1_000;
const forgotten = 0.2;

/** Takes one action after the other, and gives back most of what it got. */
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

/** From when to when an agent held an action: it may have from the first moment to the last, and must have in between. */
interface Holding {
  readonly agentId: string;
  readonly mayFrom: number;
  readonly mustFrom: number;
  readonly mustTo: number;
  readonly mayTo: number;
}

/** What cannot have happened to an action that has one holder at a time. */
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
