import { wasNeverSent } from "../../client/request-errors.ts";
import type { LoadedSettings } from "../../config/load.ts";
import { valueFormats } from "../../config/value-formats.ts";
import { isUnencryptedRemote } from "../../net/remote-address.ts";
import { shownUrl } from "../../net/shown-url.ts";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { readDelivered } from "../../paths/read-delivered.ts";
import { localDaemonUrl, withPrefix } from "../daemon/daemon-address.ts";
import { silentlySuspendedDaemon, suspendedDaemonAt, suspendedError } from "../daemon/suspended-daemon.ts";
import type { CallerOptions, OpenCaller } from "./caller.ts";
import { callDaemon } from "./daemon-caller.ts";

/** Chooses how operations are run: by this home's daemon if it is running, otherwise in this process. */
export async function openCaller(options: CallerOptions): Promise<OpenCaller> {
  const { home } = options;
  if (options.offline) return inProcess(options);
  const named = configuredDaemonUrl(options);
  if (named !== undefined) return overHttp(named, options);
  // If no address was given, the home's lock tells whether a daemon is running.
  const own = localDaemonUrl(home);
  return own === undefined ? inProcess(options) : withFallback(overHttp(own, options), options);
}

function overHttp(url: string, options: CallerOptions): OpenCaller {
  const secret = secretOf(options);
  refuseOpenSecret(url, secret, options);
  const suspended = suspendedDaemonAt(url, options.home);
  if (suspended !== undefined) throw suspendedError(suspended, "--offline works without it");
  const suspension = () => {
    const silent = suspendedDaemonAt(url, options.home, silentlySuspendedDaemon);
    return silent && suspendedError(silent, "it has the request, and handles it then");
  };
  return callDaemon({ url, secret, agentId: options.settings.agentId, cwd: options.cwd, suspension });
}

/**
 * If the daemon cannot be reached, this process does the work: a daemon that has just died leaves its lock for a
 * moment, and one that is running may be unreachable.
 */
function withFallback(daemon: OpenCaller, options: CallerOptions): OpenCaller {
  let local: Promise<OpenCaller> | undefined;
  const either = async <T>(work: (caller: OpenCaller) => Promise<T>): Promise<T> => {
    if (local !== undefined) return work(await local);
    try {
      return await work(daemon);
    } catch (error) {
      if (!isMemsvcError(error, "daemon_unreachable") || !wasNeverSent(error.cause)) throw error;
      local = inProcess(options);
      return work(await local);
    }
  };
  return {
    where: daemon.where,
    call: (entry, input) => either((caller) => caller.call(entry, input)),
    callOnBody: (entry, body) => either((caller) => caller.callOnBody(entry, body)),
    callToText: (entry, input) => either((caller) => caller.callToText(entry, input)),
    close: async () => {
      await daemon.close();
      // If this process could not do the work either, the call has failed with the reason.
      await (await local?.catch(() => undefined))?.close();
    },
  };
}

async function inProcess(options: CallerOptions): Promise<OpenCaller> {
  (await import("./interpret-schemas.ts")).interpretSchemas();
  return (await import("./core-caller.ts")).callCore(options);
}

export function secretOf({
  secretFile,
  settings,
}: Pick<CallerOptions, "secretFile" | "settings">): string | undefined {
  if (secretFile === undefined) return settings.secret;
  const secret = textOf(secretFile).trim();
  const { accepts, wanted } = valueFormats["header-text"];
  if (secret === "" || accepts(secret)) return secret;
  throw new MemsvcError("invalid_input", `the secret in ${secretFile} must be ${wanted}`, {
    hint: secretFileHint,
  });
}

const secretFileHint = "check the path that --secret-file names";

function textOf(secretFile: string): string {
  const unreadable = (problem: string, hint: string, cause?: unknown) =>
    new MemsvcError("invalid_input", `the secret file ${secretFile} ${problem}`, { hint, cause });
  let bytes: Buffer | undefined;
  try {
    bytes = readDelivered(secretFile);
  } catch (error) {
    throw unreadable("cannot be read", secretFileHint, error);
  }
  if (bytes === undefined)
    throw unreadable("is a pipe, and nothing came through it", "start the program that writes to it");
  return bytes.toString("utf8");
}

function refuseOpenSecret(url: string, secret: string | undefined, { settings }: CallerOptions): void {
  const problem = secretExposureProblem(url, secret, settings);
  if (problem !== undefined)
    throw new MemsvcError("invalid_setting", problem, { hint: "use an https:// address" });
}

/** Why the secret must not be sent to an address; undefined if it may be. */
export function secretExposureProblem(
  url: string,
  secret: string | undefined,
  { requireHttps }: Pick<LoadedSettings["settings"], "requireHttps">,
): string | undefined {
  if (!requireHttps || secret === undefined || !isUnencryptedRemote(url)) return undefined;
  return `the secret is not sent to ${new URL(url).hostname} without encryption (MEMSVC_REQUIRE_HTTPS)`;
}

/**
 * The daemon's address, with its prefix, from --url or MEMSVC_URL; undefined if neither is given, because the setting's
 * default does not mean that a daemon is wanted. Error: invalid_input.
 */
export function configuredDaemonUrl({
  url: flag,
  settings,
  origins,
}: Pick<CallerOptions, "url" | "settings" | "origins">): string | undefined {
  const named = flag ?? (origins.MEMSVC_URL === "default" ? undefined : settings.url);
  if (named === undefined) return undefined;
  if (/^https?:\/\/[^?#]+$/iu.test(named) && URL.canParse(named)) return withPrefix(named);
  const problem = `${shownUrl(named)} is not an address such as http://127.0.0.1:3111`;
  throw new MemsvcError("invalid_input", problem, flag === undefined ? { hint: "correct MEMSVC_URL" } : {});
}
