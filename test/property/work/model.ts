import { hourMs } from "../../../src/time/durations.ts";

/** Model of the agents' shared work, as plain rows. */
export interface Work {
  readonly actions: Map<string, WorkAction>;
  readonly edges: Edge[];
  /** Leases by the id of their action. */
  readonly leases: Map<string, { readonly agent: string; expiresAt: number }>;
  /** Ids of actions whose last lease expired. */
  readonly expired: Set<string>;
  readonly checkpoints: Map<string, WorkCheckpoint>;
  readonly signals: Map<string, WorkSignal>;
  /** Number of checkpoints that expired; each of them sends a signal to everybody. */
  alerts: number;
}

export interface WorkAction {
  readonly id: string;
  readonly priority: number;
  readonly project: string | undefined;
  readonly createdAt: number;
  status: "pending" | "active" | "done" | "blocked" | "cancelled";
  reason: "edges" | "manual" | undefined;
  assignedTo: string | undefined;
}

export interface Edge {
  readonly type: "requires" | "unlocks" | "spawned_by" | "gated_by" | "conflicts_with";
  readonly source: string;
  readonly target: string;
}

interface WorkCheckpoint {
  readonly type: "external" | "timer";
  readonly expiresAt: number | undefined;
  status: "pending" | "passed" | "failed" | "expired";
}

interface WorkSignal {
  readonly id: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly threadId: string;
  readonly expiresAt: number | undefined;
  readonly readBy: Set<string>;
}

export function noWork(): Work {
  return {
    actions: new Map(),
    edges: [],
    leases: new Map(),
    expired: new Set(),
    checkpoints: new Map(),
    signals: new Map(),
    alerts: 0,
  };
}

export function isFinished({ status }: WorkAction): boolean {
  return status === "done" || status === "cancelled";
}

/** Ids of what an action waits for. */
export function unmet({ actions, edges, checkpoints }: Work, id: string): string[] {
  return edges
    .filter(({ type, source, target }) => {
      if (source !== id) return false;
      if (type === "gated_by") return checkpoints.get(target)?.status !== "passed";
      const required = actions.get(target);
      return type === "requires" && required !== undefined && !isFinished(required);
    })
    .map(({ target }) => target);
}

/** Blocks actions that wait for something, and unblocks the others unless they were blocked by hand. */
export function settle(work: Work): void {
  for (const action of work.actions.values()) {
    if (action.status !== "pending" && action.reason !== "edges") continue;
    const waits = unmet(work, action.id).length > 0;
    action.status = waits ? "blocked" : "pending";
    action.reason = waits ? "edges" : undefined;
  }
}

/** Applies to the model what expires by `now`. */
export function pass(work: Work, now: number): void {
  for (const [id, { expiresAt }] of work.leases) {
    if (expiresAt > now) continue;
    work.leases.delete(id);
    work.expired.add(id);
    putBack(work, id);
  }
  for (const checkpoint of work.checkpoints.values()) {
    if (checkpoint.status !== "pending" || (checkpoint.expiresAt ?? Infinity) > now) continue;
    checkpoint.status = checkpoint.type === "timer" ? "passed" : "expired";
    if (checkpoint.status === "expired") work.alerts += 1;
  }
  settle(work);
}

/** Puts an action back that nobody works on any more. */
export function putBack({ actions }: Work, id: string): void {
  const action = actions.get(id);
  if (action?.status !== "active") return;
  action.status = "pending";
  action.assignedTo = undefined;
}

/** Whether a `requires` edge would close a cycle of actions that wait for each other. */
export function closesCircle({ edges }: Work, source: string, target: string): boolean {
  const seen = new Set([target]);
  for (const one of seen) {
    if (one === source) return true;
    for (const edge of edges) if (edge.type === "requires" && edge.source === one) seen.add(edge.target);
  }
  return false;
}

/** What an agent can work on now, best first, each with its score. */
export function frontierOf(
  work: Work,
  { project, agent }: { readonly project: string | undefined; readonly agent: string | undefined },
  now: number,
): string[] {
  const scored = [...work.actions.values()]
    .filter((action) => project === undefined || action.project === project)
    .filter(({ id, status }) => (status === "pending" || status === "active") && unmet(work, id).length === 0)
    .filter(({ id }) => !conflicting(work, id).some((other) => work.actions.get(other)?.status === "active"))
    .filter(({ id }) => !work.leases.has(id) || work.leases.get(id)?.agent === agent)
    .map((action) => ({ action, score: scoreOf(work, action, now) }));
  scored.sort(
    (a, b) =>
      b.score - a.score || a.action.createdAt - b.action.createdAt || (a.action.id < b.action.id ? -1 : 1),
  );
  return scored.map(({ action, score }) => `${action.id} ${Math.round(score * 10_000) / 10_000}`);
}

function conflicting({ edges }: Work, id: string): string[] {
  return edges
    .filter(({ type, source, target }) => type === "conflicts_with" && (source === id || target === id))
    .map(({ source, target }) => (source === id ? target : source));
}

function scoreOf(
  { edges, actions }: Work,
  { id, priority, createdAt, status }: WorkAction,
  now: number,
): number {
  const from = edges.filter(({ source }) => source === id);
  const unlocked = from.filter(({ type, target }) => {
    const action = actions.get(target);
    return type === "unlocks" && action !== undefined && !isFinished(action);
  });
  return (
    10 * priority +
    Math.min((0.5 * (now - createdAt)) / hourMs, 20) +
    5 * unlocked.length +
    (from.some(({ type }) => type === "spawned_by") ? 3 : 0) +
    (status === "active" ? 15 : 0)
  );
}
