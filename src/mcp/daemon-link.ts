import type { WireAnswer, WireRequest } from "../client/http-call.ts";
import { livezRequest } from "../client/livez-request.ts";
import { nodeTransport } from "../client/node-transport.ts";
import { isTimeoutError, wasNeverSent } from "../client/request-errors.ts";
import { isObject } from "../json/is-object.ts";
import { jsonIn } from "../json/json-in.ts";
import { shownUrl } from "../net/shown-url.ts";
import { callerHeaders } from "../operation/caller-headers.ts";
import { isMemsvcError, messageOf } from "../operation/errors.ts";
import type { RpcResponse } from "./json-rpc.ts";
import { toolsHeader } from "./shim-headers.ts";
import type { ToolSet } from "./tools.ts";

const probeTimeoutMs = 2_000;

export interface DaemonAccess {
  /** The daemon's address. Read anew each time, because a daemon started meanwhile may have another port. */
  readonly url: () => string;
  /** Why this home has no daemon to ask, even if some server listens at the address; undefined if it may be asked. */
  readonly absence: () => string | undefined;
  /** Waits a limited time for a daemon that is just starting, as in a restart. */
  readonly arrival: () => Promise<void>;
  readonly secret: string | undefined;
  readonly timeoutMs: number;
  /** Agent that the shim works for. */
  readonly agentId: string | undefined;
  /** Folder that relative paths start from. */
  readonly folder: string;
  /** Which tools the agent is offered. */
  readonly tools: ToolSet["tools"];
  /**
   * Starts a daemon and waits until it answers; throws the reason when that fails. Undefined if none may be started.
   */
  readonly start: (() => Promise<void>) | undefined;
  /** The command with which a person starts the daemon. */
  readonly startCommand: string;
  /** Why no message may be sent at all, for example because the secret would cross a network unencrypted. */
  readonly forbidden: string | undefined;
}

/** The outcome of passing a message on. */
export type ForwardResult =
  | { readonly kind: "answered"; readonly answer: RpcResponse }
  /** It was not carried out. */
  | { readonly kind: "failed"; readonly problem: string }
  /** It was sent, but the connection broke or no answer came in time: it may or may not have been carried out. */
  | { readonly kind: "lost"; readonly cause: "broken" | "late"; readonly problem: string };

/** Connects the shim with the daemon: finds it, starts it if needed, and passes messages on. */
export class DaemonLink {
  readonly #access: DaemonAccess;
  #isUp = false;
  /** The attempt in progress, shared by all callers. */
  #opening: Promise<void> | undefined;

  constructor(access: DaemonAccess) {
    this.#access = access;
  }

  /** Makes sure that a daemon answers. Throws an error that says why none does. */
  async open(): Promise<void> {
    // `absence` is asked again, because the daemon may have gone and its usual address may now belong to another home's
    // daemon.
    if (this.#isUp && this.#access.absence() === undefined) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  /**
   * Passes a message on, unless it was cancelled while a daemon was being found. A message that did not arrive is sent
   * once more to the next daemon.
   */
  async pass(message: object, protocolVersion: string, isWanted: () => boolean): Promise<ForwardResult> {
    const body = JSON.stringify(message);
    for (let isSecond = false; ; isSecond = true) {
      try {
        await this.open();
      } catch (error) {
        return { kind: "failed", problem: errorText(error) };
      }
      if (!isWanted()) return { kind: "failed", problem: "it was cancelled before it was sent" };
      try {
        return this.#read(await this.#send(body, protocolVersion));
      } catch (error) {
        this.#isUp = false;
        if (!didNotArrive(error)) return this.#lost(error);
        if (isSecond) return { kind: "failed", problem: this.#absence(error) };
      }
    }
  }

  async #open(): Promise<void> {
    const { forbidden, start, arrival } = this.#access;
    if (forbidden !== undefined) throw new Error(forbidden);
    await arrival();
    const cause = await this.#probe();
    if (cause !== undefined) {
      if (start === undefined) throw new Error(this.#absence(cause));
      await start().catch((error: unknown) => {
        throw new Error(this.#absence(error));
      });
      const still = await this.#probe();
      if (still !== undefined) throw new Error(this.#absence(still));
    }
    this.#isUp = true;
  }

  /** Asks whether the daemon is alive; undefined if it answers, otherwise the reason why it does not. */
  async #probe(): Promise<Error | undefined> {
    const absence = this.#access.absence();
    if (absence !== undefined) return new Error(absence);
    try {
      const request = livezRequest(this.#access.url());
      const { status } = await exchangeOnce(request, probeTimeoutMs);
      return status >= 200 && status < 300
        ? undefined
        : new Error(`GET ${request.url} is answered ${status}`);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #send(body: string, protocolVersion: string): Promise<WireAnswer> {
    const { secret, agentId, folder, tools, timeoutMs } = this.#access;
    const headers = {
      Accept: "application/json",
      "Content-Type": "application/json",
      "MCP-Protocol-Version": protocolVersion,
      ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
      ...callerHeaders({ agentId, cwd: folder }),
      [toolsHeader]: tools,
    };
    return exchangeOnce({ method: "POST", url: `${this.#access.url()}/mcp`, headers, body }, timeoutMs);
  }

  #read({ status, body }: WireAnswer): ForwardResult {
    const answer = jsonIn(body);
    if (isObject(answer) && answer.jsonrpc === "2.0")
      return { kind: "answered", answer: answer as RpcResponse };
    const url = shownUrl(this.#access.url());
    if (status === 401) {
      return {
        kind: "failed",
        problem: `the daemon at ${url} refuses the secret: set MEMSVC_SECRET to the daemon's, or unset it if the daemon has none`,
      };
    }
    const told =
      isObject(answer) && typeof answer.error === "string" ? `: ${answer.error}` : ", but not as memsvc does";
    return { kind: "failed", problem: `${url} answered ${status}${told}` };
  }

  #absence(cause: unknown): string {
    const { url, startCommand } = this.#access;
    // Port 0 means that the daemon chooses a free port when it starts.
    const place = new URL(url()).port === "0" ? "" : ` at ${shownUrl(url())}`;
    return `no memsvc daemon answers${place} (${errorText(cause)}); start it with: ${startCommand}`;
  }

  #lost(cause: unknown): ForwardResult {
    const url = shownUrl(this.#access.url());
    return isTimeoutError(cause)
      ? { kind: "lost", cause: "late", problem: `${url} gave ${errorText(cause)} (MEMSVC_MCP_TIMEOUT_MS)` }
      : { kind: "lost", cause: "broken", problem: `the connection to ${url} broke (${errorText(cause)})` };
  }
}

/** One connection per message: there is usually a pause between two messages. */
async function exchangeOnce(request: WireRequest, timeoutMs: number): Promise<WireAnswer> {
  const transport = nodeTransport(timeoutMs);
  try {
    return await transport.send(request);
  } finally {
    transport.close();
  }
}

/** Whether no connection was made or nothing was sent, so that the message cannot have been carried out. */
function didNotArrive(error: unknown): boolean {
  return error instanceof TypeError || wasNeverSent(error);
}

/** The message of an error, with its hint if it has one. */
export function errorText(error: unknown): string {
  if (isMemsvcError(error) && error.hint !== undefined) return `${error.message}; ${error.hint}`;
  return messageOf(error);
}
