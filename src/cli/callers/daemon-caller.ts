import { callOverHttp } from "../../client/http-call.ts";
import { type NodeTransport, nodeTransport } from "../../client/node-transport.ts";
import type { Caller } from "../../operation/define.ts";
import { hourMs } from "../../time/durations.ts";
import type { OpenCaller } from "./caller.ts";
import { withLivenessCheck } from "./liveness-check.ts";

const answerTimeoutMs = 120_000;
/** After so long without an answer a daemon is asked whether it lives, and given so long to say so. */
const waitMs = 5_000;
const probeTimeoutMs = 10_000;
/** Health is told from the newest sample, at once: a daemon that takes longer hangs. */
const healthTimeoutMs = 10_000;
/** A whole history takes its time, and nothing is sent before all of it is stored. */
const importTimeoutMs = hourMs;

/** Lets a daemon carry operations out. */
export function callDaemon(connection: {
  readonly url: string;
  readonly secret: string | undefined;
  readonly agentId: string | undefined;
  readonly cwd: string | undefined;
}): OpenCaller {
  // To the daemon it is a client like any other, so that what it is, and for whom, has to travel along.
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
      const send = withLivenessCheck(transport.send, `${connection.url}/livez`, { waitMs, probe });
      return callOverHttp({ ...connection, transport: send })(entry, input, cli);
    },
    callOnBody: async (entry, body) =>
      (await import("../../client/http-stream.ts")).sendBody(connection, entry, body),
    callToText: async (entry, input) =>
      (await import("../../client/http-stream.ts")).receiveText(connection, entry, input),
    where: { kind: "daemon", url: connection.url },
    close: async () => {
      for (const transport of [usual, probe, ...Object.values(special)]) transport.close();
    },
  };
}
