import { callOverHttp } from "../client/http-call.ts";
import { type NodeTransport, nodeTransport } from "../client/node-transport.ts";
import { hourMs } from "../durations.ts";
import type { OpenCaller } from "./open-caller.ts";

const answerTimeoutMs = 120_000;
/** Health is told from the newest sample, at once: a daemon that takes longer hangs. */
const healthTimeoutMs = 10_000;
/** A whole history takes its time, and nothing is sent before all of it is stored. */
const importTimeoutMs = hourMs;

/** Lets a daemon carry operations out. */
export function callDaemon(connection: {
  readonly url: string;
  readonly secret: string | undefined;
}): OpenCaller {
  const usual = nodeTransport(answerTimeoutMs);
  const special: Readonly<Record<string, NodeTransport>> = {
    "health.show": nodeTransport(healthTimeoutMs),
    "replay.import": nodeTransport(importTimeoutMs),
  };
  return {
    call: (entry, input) => {
      const transport = special[entry.id] ?? usual;
      return callOverHttp({ ...connection, transport: transport.send })(entry, input, { face: "cli" });
    },
    callOnBody: async (entry, body) =>
      (await import("../client/http-stream.ts")).sendBody(connection, entry, body),
    callToText: async (entry, input) =>
      (await import("../client/http-stream.ts")).receiveText(connection, entry, input),
    where: { kind: "daemon", url: connection.url },
    close: async () => {
      for (const transport of [usual, ...Object.values(special)]) transport.close();
    },
  };
}
