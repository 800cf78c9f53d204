import type { Memory } from "../knowledge/memories/record.ts";
import type { Answers, Replies } from "./answers.ts";
import type { Query } from "./route.ts";

/** Why the page cannot show something; the message is the server's, if it gave one. */
export class ReadError extends Error {
  readonly kind: "unreachable" | "unauthorized" | "feature_off" | "not_found" | "refused";
  /** What to do about it, if that is known. */
  readonly wayOut: string | undefined;

  constructor(kind: ReadError["kind"], message: string, wayOut?: string) {
    super(message);
    this.kind = kind;
    this.wayOut = wayOut;
  }
}

/** Reads from the server that the page came from. It offers no route that changes anything. Errors: ReadError. */
export interface Reader {
  get<Path extends keyof Answers>(path: Path, query?: Query): Promise<Answers[Path]>;
  post<Path extends keyof Replies>(path: Path, body: object): Promise<Replies[Path]>;
  countMemories(): Promise<{ readonly total: number; readonly latestCount: number }>;
  memory(id: string): Promise<{ readonly memory: Memory }>;
}

interface Connection {
  /** Address of the API, with its prefix. */
  readonly base: string;
  readonly secret: string | undefined;
  readonly signal: AbortSignal;
}

/** Rows of all agents, even where agents are isolated: the viewer is for the owner of the store. */
const everyAgent = "*";

export function openReader(connection: Connection): Reader {
  return {
    get: (path, query = {}) => send(connection, withQuery(path, query)),
    post: (path, body) => send(connection, path, { agentId: everyAgent, ...body }),
    countMemories: () => send(connection, withQuery("/memories", { count: "true" })),
    memory: (id) => send(connection, withQuery(`/memories/${encodeURIComponent(id.toWellFormed())}`, {})),
  };
}

/**
 * The address of the API: below the same prefix as the page, or, on the viewer's own port, below the default prefix.
 */
export function apiBase(address: string): string {
  const { origin, pathname } = new URL(address);
  const below = /^(?<prefix>.+)\/viewer\/?$/u.exec(pathname)?.groups?.prefix;
  return `${origin}${below ?? `${pathname.replace(/\/+$/u, "")}/memsvc`}`;
}

function withQuery(path: string, query: Query): string {
  const fields = Object.entries({ agentId: everyAgent, ...query }).flatMap(
    ([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value).toWellFormed()]],
  );
  return `${path}?${new URLSearchParams(fields)}`;
}

/** Sends a GET, or a POST if there is a body. */
async function send<Answer>(
  { base, secret, signal }: Connection,
  path: string,
  body?: object,
): Promise<Answer> {
  if (secret !== undefined && !/^[\u0020-\u00ff]*$/u.test(secret))
    throw new ReadError("unauthorized", "a secret with such characters cannot be sent");
  const headers = {
    // Reads by the viewer must not count as recalls, which strengthen memories.
    "X-Memsvc-Source": "viewer",
    ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
    ...(body && { "Content-Type": "application/json" }),
  };
  const request = { headers, signal, ...(body && { method: "POST", body: JSON.stringify(body) }) };
  const unreachable = (error: unknown): never => {
    if (signal.aborted) throw error;
    throw new ReadError("unreachable", "the daemon does not answer", "start it with: memsvc daemon start");
  };
  const response = await fetch(`${base}${path}`, request).catch(unreachable);
  // A daemon that is being stopped may cut an answer short.
  const answer = objectIn(await response.text().catch(unreachable));
  // A service in a critical state answers 503 with the complete report.
  if (response.ok || "health" in answer) return answer as Answer;
  throw refusal(response.status, answer);
}

function refusal(status: number, answer: Readonly<Record<string, unknown>>): ReadError {
  const message = typeof answer.error === "string" ? answer.error : `the daemon answered ${status}`;
  if (status === 401) return new ReadError("unauthorized", message);
  if (status === 404)
    return new ReadError(
      "not_found",
      message,
      "it may have been deleted: search for its words, or look in the audit",
    );
  return typeof answer.enableHow === "string"
    ? new ReadError("feature_off", message, answer.enableHow)
    : new ReadError("refused", message);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    throw new ReadError(
      "refused",
      "what answered here is not memsvc",
      "check the address, and what else listens there",
    );
  }
}
