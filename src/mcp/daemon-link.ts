import type { WireAnswer, WireRequest } from "../client/http-call.ts";
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
  /** Where the daemon is looked for, asked anew each time: one that was started may have chosen its port. */
  readonly url: () => string;
  /** Why nobody is there to be asked, although somebody may listen at the address; undefined where it may be asked. */
  readonly absence: () => string | undefined;
  /** Waits, for a while, where a daemon is just starting, as it does in a restart. */
  readonly arrival: () => Promise<void>;
  readonly secret: string | undefined;
  readonly timeoutMs: number;
  /** Agent that the shim works for. */
  readonly agentId: string | undefined;
  /** Folder that relative paths start from. */
  readonly folder: string;
  /** Which tools the agent is offered. */
  readonly tools: ToolSet["tools"];
  /** Starts a daemon and waits until it answers; absent where none may be started. Throws an error that says why not. */
  readonly start: (() => Promise<void>) | undefined;
  /** The command with which a person starts the daemon. */
  readonly startCommand: string;
  /** Why nothing may be sent at all, such as a secret that would cross a network unencrypted. */
  readonly forbidden: string | undefined;
}

/** What became of a message that was to be passed on. */
export type ForwardResult =
  | { readonly kind: "answered"; readonly answer: RpcResponse }
  /** It was not carried out. */
  | { readonly kind: "failed"; readonly problem: string }
  /** It was sent, and nobody knows what became of it: the connection broke, or no answer came in time. */
  | { readonly kind: "lost"; readonly cause: "broken" | "late"; readonly problem: string };

/** The way to the daemon: looks whether it is there, has it started, and passes messages on. */
export class DaemonLink {
  readonly #access: DaemonAccess;
  #isUp = false;
  /** One attempt at a time, whoever waits for it. */
  #opening: Promise<void> | undefined;

  constructor(access: DaemonAccess) {
    this.#access = access;
  }

  /** Makes sure that a daemon answers. Throws an error that says why none does. */
  async open(): Promise<void> {
    // One that is gone since may have left its usual address to the daemon of another home.
    if (this.#isUp && this.#access.absence() === undefined) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  /**
   * Passes a message on, if it is still wanted once there is a daemon; one that did not arrive is sent again once there
   * is another.
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

  /** Undefined when the daemon answers; else why it does not. */
  async #probe(): Promise<Error | undefined> {
    const absence = this.#access.absence();
    if (absence !== undefined) return new Error(absence);
    try {
      const url = `${this.#access.url()}/livez`;
      const { status } = await exchangeOnce(
        { method: "GET", url, headers: {}, body: undefined },
        probeTimeoutMs,
      );
      return status >= 200 && status < 300 ? undefined : new Error(`GET ${url} is answered ${status}`);
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
    // Port 0 stands for whichever is free, until a daemon has taken one.
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

/** Each message has a connection of its own, as for most clients there is a pause between two. */
async function exchangeOnce(request: WireRequest, timeoutMs: number): Promise<WireAnswer> {
  const transport = nodeTransport(timeoutMs);
  try {
    return await transport.send(request);
  } finally {
    transport.close();
  }
}

/** Whether no connection was made or nothing could be sent, so that nothing can have been carried out. */
function didNotArrive(error: unknown): boolean {
  return error instanceof TypeError || wasNeverSent(error);
}

/** What was wrong, and the way out where the error knows one. */
export function errorText(error: unknown): string {
  if (isMemsvcError(error) && error.hint !== undefined) return `${error.message}; ${error.hint}`;
  return messageOf(error);
}
