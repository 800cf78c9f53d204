import { beforeTimeout } from "../time/before-timeout.ts";
import { type DaemonAccess, DaemonLink, errorText, type ForwardResult } from "./daemon-link.ts";
import { withExactIds, withReadableIds } from "./exact-ids.ts";
import { type FramedText, frameMessage, MessageReader } from "./framing.ts";
import {
  errorResponse,
  type RpcId,
  type RpcRequest,
  type RpcResponse,
  readMessage,
  resultResponse,
  rpcCodes,
} from "./json-rpc.ts";
import { answerStateless, carriedVersion, discoverMethod } from "./stateless-requests.ts";
import {
  isStoreMethod,
  type ListSettings,
  methodNotFound,
  protocolVersions,
  storelessMethod,
  storelessMethods,
  versionWithBatches,
} from "./storeless-methods.ts";

/**
 * How long a list waits for the daemon before the shim answers it by itself. Short: agents ask for several lists before
 * they begin.
 */
const listPatienceMs = 3_000;

interface ShimOptions {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes messages of the protocol to the agent; nothing else is written there. */
  readonly write: (text: string) => void;
  readonly settings: ListSettings;
  readonly daemon: DaemonAccess;
}

/**
 * Speaks the protocol over a pair of streams and passes requests on to the daemon, until the input ends. It stores
 * nothing: without a daemon it can only answer lists, and say why there is no daemon.
 */
export async function runShim({ input, write, settings, daemon }: ShimOptions): Promise<void> {
  const shim = new Shim(new DaemonLink(daemon), settings, write);
  const reader = new MessageReader();
  for await (const bytes of input) for (const text of reader.take(bytes)) shim.take(text);
  for (const text of reader.end()) shim.take(text);
  await shim.settled();
}

/** A request in progress. */
interface PendingRequest {
  isCancelled: boolean;
}

class Shim {
  readonly #link: DaemonLink;
  readonly #settings: ListSettings;
  readonly #write: (text: string) => void;
  readonly #running = new Set<Promise<void>>();
  /** By id. */
  readonly #pending = new Map<unknown, PendingRequest>();
  #version: string = protocolVersions[0];
  /**
   * The last list was answered without the daemon, and the daemon has not answered since: later lists do not wait for
   * it.
   */
  #isDaemonLate = false;

  constructor(link: DaemonLink, settings: ListSettings, write: (text: string) => void) {
    this.#link = link;
    this.#settings = settings;
    this.#write = write;
  }

  take(message: FramedText): void {
    const work = this.#answer(message.text).then((answer) => {
      if (answer === undefined) return;
      const text = withExactIds(JSON.stringify(answer));
      this.#write(frameMessage({ framing: message.framing, text }));
    });
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #answer(text: string): Promise<RpcResponse | RpcResponse[] | undefined> {
    let value: unknown;
    try {
      value = JSON.parse(withReadableIds(text));
    } catch {
      return errorResponse(null, { code: rpcCodes.parse, message: "the message is not valid JSON" });
    }
    if (!Array.isArray(value)) return this.#answerOne(value);
    if (this.#version !== versionWithBatches || value.length === 0)
      return errorResponse(null, {
        code: rpcCodes.invalidRequest,
        message: `several messages in one are only for version ${versionWithBatches}, and at least one`,
      });
    const answers: RpcResponse[] = [];
    // One after the other: a message may look for what an earlier one saved.
    for (const one of value) {
      const answer = await this.#answerOne(one);
      if (answer !== undefined) answers.push(answer);
    }
    return answers.length === 0 ? undefined : answers;
  }

  async #answerOne(value: unknown): Promise<RpcResponse | undefined> {
    const incoming = readMessage(value);
    switch (incoming.kind) {
      case "invalid":
        return errorResponse(incoming.id, { code: rpcCodes.invalidRequest, message: incoming.problem });
      case "response":
        return undefined;
      case "notification":
        if (incoming.method === "notifications/cancelled") this.#cancel(incoming.params.requestId);
        return undefined;
      case "request": {
        const pending = { isCancelled: false };
        this.#pending.set(incoming.id, pending);
        const answer = await this.#answerInItsVersion(incoming, pending).catch((error: unknown) =>
          errorResponse(incoming.id, { code: rpcCodes.internal, message: errorText(error) }),
        );
        if (this.#pending.get(incoming.id) === pending) this.#pending.delete(incoming.id);
        return pending.isCancelled ? undefined : answer;
      }
    }
  }

  /** Suppresses the answer to a request in progress; one that was answered already is not known any more. */
  #cancel(id: unknown): void {
    const pending = this.#pending.get(id);
    if (pending !== undefined) pending.isCancelled = true;
  }

  /** What an agent asks first is answered by the shim itself; a daemon is started meanwhile. */
  async #answerInItsVersion(request: RpcRequest, pending: Readonly<PendingRequest>): Promise<RpcResponse> {
    if (carriedVersion(request) === undefined) return this.#answerRequest(request, pending);
    if (request.method === discoverMethod) this.#beginToConnect();
    return answerStateless(request, this.#settings, (one) => this.#answerRequest(one, pending));
  }

  async #answerRequest(request: RpcRequest, pending: Readonly<PendingRequest>): Promise<RpcResponse> {
    if (request.method === "initialize") {
      const result = storelessMethods.initialize(request.params, this.#settings);
      this.#version = result.protocolVersion;
      this.#beginToConnect();
      return resultResponse(request.id, result);
    }
    if (request.method === "ping") return resultResponse(request.id, {});
    const passing = this.#passOn(request, () => !pending.isCancelled);
    const passed = await (storelessMethod(request.method) ? this.#inTime(passing) : passing);
    // The daemon answers a message it cannot parse without an id, but the client waits for one with its id.
    return passed.kind === "answered"
      ? { ...passed.answer, id: request.id }
      : this.#withoutDaemon(request, passed);
  }

  /** The next request waits for the result, and reports a failure. */
  #beginToConnect(): void {
    void this.#link.open().catch(() => undefined);
  }

  async #inTime(passing: Promise<ForwardResult>): Promise<ForwardResult> {
    const inTime = await beforeTimeout(passing, this.#isDaemonLate ? 0 : listPatienceMs);
    this.#isDaemonLate = inTime === "late" || inTime.answer.kind !== "answered";
    if (inTime !== "late") return inTime.answer;
    void passing.then(({ kind }) => {
      if (kind === "answered") this.#isDaemonLate = false;
    });
    return { kind: "failed", problem: "the daemon is late" };
  }

  async #passOn(request: RpcRequest, isWanted: () => boolean): Promise<ForwardResult> {
    const { id, method, params } = request;
    const message = { jsonrpc: "2.0", id, method, params };
    const passed = await this.#link.pass(message, this.#version, isWanted);
    if (passed.kind !== "lost" || passed.cause === "late" || !(await changesNothing(request))) return passed;
    return this.#link.pass(message, this.#version, isWanted);
  }

  async #withoutDaemon(
    request: RpcRequest,
    passed: Exclude<ForwardResult, { kind: "answered" }>,
  ): Promise<RpcResponse> {
    const { id, method, params } = request;
    const list = storelessMethod(method);
    if (list !== undefined) return resultResponse(id, await list(params, this.#settings));
    if (!isStoreMethod(method)) return errorResponse(id, methodNotFound(method));
    const isDoubtful = passed.kind === "lost" && !(await changesNothing(request));
    const problem = isDoubtful
      ? `${passed.problem}, so it is unknown whether this was carried out; look before you repeat it`
      : passed.problem;
    if (method === "tools/call") return toolFailure(id, problem);
    return errorResponse(id, { code: rpcCodes.internal, message: problem });
  }
}

/** Whether the request may safely be sent twice. */
async function changesNothing({ method, params }: RpcRequest): Promise<boolean> {
  if (method !== "tools/call") return true;
  const { allTools } = await import("./tools.ts");
  return allTools().get(String(params.name))?.readsOnly === true;
}

function toolFailure(id: RpcId, problem: string): RpcResponse {
  const content = [{ type: "text", text: JSON.stringify({ error: problem }) }];
  return resultResponse(id, { content, isError: true, structuredContent: { error: problem } });
}
