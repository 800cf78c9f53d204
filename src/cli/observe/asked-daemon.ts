import type { Transport } from "../../client/http-call.ts";
import { nodeTransport } from "../../client/node-transport.ts";
import { isTimeoutError } from "../../client/request-errors.ts";
import { clearUnanswered, noteUnanswered, restMs, unansweredState } from "../../config/unanswered.ts";
import { isObject } from "../../json/is-object.ts";
import { jsonIn } from "../../json/json-in.ts";
import { codeOfStatus, errorTable } from "../../operation/errors.ts";
import { monotonicMs } from "../../time/monotonic-ms.ts";
import { suspendedDaemonAt } from "../daemon/suspended-daemon.ts";
import type { HookRoute, ObserveOutcome } from "./observe-outcome.ts";

const answerTimeoutMs = 3_000;

/** What became of an event that a daemon was to take. */
export type Delivery =
  | { readonly kind: "taken"; readonly outcome: ObserveOutcome }
  /** The daemon does not have the event: it is not there, refused it, or was not asked. */
  | { readonly kind: "not taken"; readonly isSecretRefused?: boolean }
  /** The daemon has the event and did not answer in time. */
  | { readonly kind: "unanswered" }
  /** The daemon is suspended, or gave another hook no answer within the last minute, so this one did not ask. */
  | { readonly kind: "passed by" };

interface DaemonAddress {
  /** Has the daemon's lock, and the note about a daemon that does not answer. */
  readonly home: string;
  readonly url: string;
  readonly secret: string | undefined;
}

/** The daemon as hooks ask it: at most one hook a minute waits for a daemon that does not answer. */
export class AskedDaemon {
  readonly #address: DaemonAddress;
  readonly #transport = nodeTransport(answerTimeoutMs);
  /** In `monotonicMs()`; the note in the home says the same to other processes, but a full disk may not take it. */
  #askAgainAt = 0;

  constructor(address: DaemonAddress) {
    this.#address = address;
  }

  async ask(route: HookRoute, input: object): Promise<Delivery> {
    if (this.#rests()) return { kind: "not taken" };
    const { home, url } = this.#address;
    if (suspendedDaemonAt(url, home) !== undefined) return { kind: "passed by" };
    const state = unansweredState(home, url);
    if (state === "asked in vain") return { kind: "passed by" };
    // The first hook after the minute renews the note, so that those beside it do not wait as well.
    if (state === "due") noteUnanswered(home, url);
    return this.#send(route, input, state === "due");
  }

  /** Asks also a daemon that will probably not answer. */
  async insist(route: HookRoute, input: object): Promise<Delivery> {
    return this.#rests() ? { kind: "not taken" } : this.#send(route, input, true);
  }

  close(): void {
    this.#transport.close();
  }

  #rests(): boolean {
    return monotonicMs() < this.#askAgainAt;
  }

  async #send(route: HookRoute, input: object, isNoted: boolean): Promise<Delivery> {
    const { home, url, secret } = this.#address;
    try {
      const { status, body } = await this.#post(`${url}/${route}`, input, secret);
      if (isNoted) clearUnanswered(home);
      const outcome = outcomeOf(status, body);
      return outcome === undefined
        ? { kind: "not taken", isSecretRefused: status === 401 }
        : { kind: "taken", outcome };
    } catch (error) {
      if (!isTimeoutError(error)) return { kind: "not taken" };
      this.#askAgainAt = monotonicMs() + restMs;
      noteUnanswered(home, url);
      return { kind: "unanswered" };
    }
  }

  #post(url: string, input: object, secret: string | undefined): ReturnType<Transport> {
    const headers = {
      "Content-Type": "application/json",
      ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
    };
    return this.#transport.send({ method: "POST", url, headers, body: JSON.stringify(input) });
  }
}

/** Undefined when the event must be kept some other way: the daemon did not take it, or what answered is not memsvc. */
function outcomeOf(status: number, text: string): ObserveOutcome | undefined {
  if (status >= 500 || status === 404 || status === 401 || status === 403) return undefined;
  const body = jsonIn(text);
  if (!isObject(body)) return undefined;
  if (status < 300 && body.success === true) return { exit: 0, answer: text };
  // Too long for a request, but not for the store; a full session (told by its count) takes no event from anybody.
  if (status === 413 && body.observationCount === undefined) return undefined;
  if (status < 400 || typeof body.error !== "string") return undefined;
  return { exit: errorTable[codeOfStatus(status)].exit, problem: body.error };
}
