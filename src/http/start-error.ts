import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { isObject } from "../json/is-object.ts";
import { callSignal } from "../net/call-signal.ts";
import { MemsvcError } from "../operation/errors.ts";
import { defaultPrefix } from "./route-prefixes.ts";

/**
 * How long the process that holds the port may take to identify itself (busy machines are slow), and how much of its
 * answer is read.
 */
const probeTimeoutMs = 4_000;
const longestProbeAnswer = 65_536;

/** Why an address cannot be listened on: not this machine's, unknown name, disabled address family, privileged port. */
const refusals: ReadonlySet<string> = new Set([
  "EACCES",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  "EAI_AGAIN",
  "ENOTFOUND",
]);

/** The error for a server that cannot start to listen. */
export async function startError(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  isNeeded: boolean,
): Promise<Error> {
  if (error.code === "EADDRINUSE") {
    const by =
      isNeeded && (await isMemsvc(host, port)) ? "the memsvc daemon of another home" : "another program";
    return new MemsvcError("port_taken", `port ${port} on ${host} is taken by ${by}`, {
      hint: "choose another with --port or MEMSVC_PORT; --port 0 takes a free one",
      cause: error,
    });
  }
  // Sandboxes refuse with EPERM.
  if (error.code === "EPERM") {
    return new MemsvcError("port_taken", `this process may not listen on ${host}:${port} (EPERM)`, {
      hint: "start it outside of the sandbox: memsvc daemon start",
      cause: error,
    });
  }
  if (refusals.has(error.code ?? "")) {
    return new MemsvcError("port_taken", `cannot listen on ${host}:${port} (${error.code})`, {
      hint: "choose another address with --host and --port",
      cause: error,
    });
  }
  return error;
}

/**
 * Whether the process that holds the port answers like memsvc. It is then the daemon of another home, as a home has
 * only one.
 */
async function isMemsvc(host: string, port: number): Promise<boolean> {
  const { signal, release } = callSignal(probeTimeoutMs);
  try {
    // Not by fetch, which may ask a proxy for it, and ask again and again.
    const asked = get({ host, port, path: `${defaultPrefix}/livez`, agent: false, signal });
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    let text = "";
    for await (const piece of answer.setEncoding("utf8")) {
      text += piece;
      if (text.length > longestProbeAnswer) return false;
    }
    const body: unknown = JSON.parse(text);
    return isObject(body) && "service" in body && "viewerPort" in body;
  } catch {
    return false;
  } finally {
    release();
  }
}
