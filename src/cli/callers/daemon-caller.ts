import { callOverHttp } from "../../client/http-call.ts";
import { type NodeTransport, nodeTransport } from "../../client/node-transport.ts";
import type { Caller } from "../../operation/define.ts";
import { hourMs } from "../../time/durations.ts";
import type { OpenCaller } from "./caller.ts";
import { withLivenessCheck } from "./liveness-check.ts";

const answerTimeoutMs = 120_000;
/** If a daemon does not answer for this long, it is asked whether it is alive, and has `probeTimeoutMs` to say so. */
const waitMs = 5_000;
const probeTimeoutMs = 10_000;
/** Health is answered at once from the newest sample: a daemon that takes longer hangs. */
const healthTimeoutMs = 10_000;
/** Importing a whole history takes long, and nothing is answered before all of it is stored. */
const importTimeoutMs = hourMs;

/** Has a daemon run the operations. */
export function callDaemon(connection: {
  readonly url: string;
  readonly secret: string | undefined;
  readonly agentId: string | undefined;
  readonly cwd: string | undefined;
  /** The error to report if the daemon, which gave no answer so far, is suspended. */
  readonly suspension?: () => Error | undefined;
}): OpenCaller {
  // For the daemon this is a client like any other, so the caller's identity, agent and folder must be sent along.
  const cli: Caller = { face: "cli", source: "cli", agentId: connection.agentId, cwd: connection.cwd };
  const usual = nodeTransport(answerTimeoutMs);
  const probe = nodeTransport(probeTimeoutMs);
  const special: Readonly<Record<string, NodeTransport>> = {
    "health.show": nodeTransport(healthTimeoutMs),
    "replay.import": nodeTransport(importTimeoutMs),
  };
  return {
    call: (entry, input) => {
      const transport = special[entry.id] ?? usual;
      const send = withLivenessCheck(transport.send, connection.url, {
        waitMs,
        probe,
        suspension: connection.suspension,
      });
      return callOverHttp({ ...connection, transport: send })(entry, input, cli);
    },
    callOnBody: async (entry, body) =>
      (await import("../../client/http-stream.ts")).sendBody(connection, entry, body, cli),
    callToText: async (entry, input) =>
      (await import("../../client/http-stream.ts")).receiveText(connection, entry, input, cli),
    where: { kind: "daemon", url: connection.url },
    close: async () => {
      for (const transport of [usual, probe, ...Object.values(special)]) transport.close();
    },
  };
}
