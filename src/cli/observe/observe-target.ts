import { parseEnvFile } from "../../config/env-file.ts";
import { configFile, environmentBeside } from "../../config/home.ts";
import { hasUnexpandedVariable } from "../../config/unexpanded-variable.ts";
import { isRemoteAddress, isUnencryptedRemote } from "../../net/remote-address.ts";
import { shownUrl } from "../../net/shown-url.ts";
import { hookPatience, readDelivered } from "../../paths/read-delivered.ts";
import { localDaemonUrl, withPrefix } from "../daemon/daemon-address.ts";
import { storeHome } from "../location/store-home.ts";
import { AskedDaemon, type Delivery } from "./asked-daemon.ts";
import type { ObserveFlags } from "./observe-flags.ts";
import type { HookRoute, ObserveOutcome } from "./observe-outcome.ts";

const notTaken: Delivery = { kind: "not taken" };
/**
 * How long the local store may keep a hook waiting, normally and after a daemon has already kept it waiting: agents
 * give hooks 10 s.
 */
const alonePatienceMs = 5_000;
const laterPatienceMs = 2_500;

/** Receives what hooks bring: the daemon, or this process. */
export interface ObserveTarget {
  setting(name: string): string | undefined;
  send(route: HookRoute, input: object): Promise<ObserveOutcome>;
  /** Returns a message about follow-up work that was not done. */
  close(): Promise<string | undefined>;
}

export function openTarget(flags: ObserveFlags): ObserveTarget {
  const home = storeHome(flags);
  const file = envFile(home);
  const env = environmentBeside(flags.home, process.env);
  const setting = (name: string) => fromEnvironment(env, name) || file.get(name)?.trim() || undefined;
  const url = flags.offline ? undefined : daemonUrl(home, flags.url ?? setting("MEMSVC_URL"));
  const secret = url === undefined ? undefined : secretFor(url, flags, setting);
  const daemon =
    url === undefined || !/^https?:/u.test(url) || secret === "withheld"
      ? undefined
      : new AskedDaemon({ home, url, secret: secret?.value });
  let local: Promise<typeof import("./observe-local.ts")> | undefined;
  return {
    setting,
    send: async (route, input) => {
      const asked = (await daemon?.ask(route, input)) ?? notTaken;
      if (asked.kind === "taken") return asked.outcome;
      local ??= import("./observe-local.ts");
      const patienceMs = asked.kind === "not taken" ? alonePatienceMs : laterPatienceMs;
      const kept = await (await local).callLocally(home, route, input, flags.batch ? undefined : patienceMs);
      // Better late than lost: perhaps the daemon itself has locked the store for long work.
      const insists = kept.isLate && asked.kind === "passed by";
      const last = (insists && (await daemon?.insist(route, input))) || asked;
      if (last.kind === "taken") return { ...last.outcome, isLate: true };
      if (kept.isLate && last.kind === "unanswered" && url !== undefined)
        return {
          ...kept,
          problem: `${shownUrl(url)} does not answer, and its store is locked; the request was sent, and is handled when it continues`,
        };
      if (kept.problem !== undefined || route !== "observe" || url === undefined) return kept;
      const why = whyNotTaken(url, last);
      if (why === undefined) return kept;
      return { ...kept, problem: `${shownUrl(url)}${why} did not take the event; it is kept in ${home}` };
    },
    close: async () => {
      daemon?.close();
      return (await local)?.closeLocal();
    },
  };
}

/**
 * Why the user should know that the daemon did not take an event; undefined if that is not worth mentioning, because a
 * local daemon may simply be stopped.
 */
function whyNotTaken(url: string, asked: Delivery): string | undefined {
  if (asked.kind === "not taken" && asked.isSecretRefused)
    return " wants another secret (MEMSVC_SECRET or --secret-file) and";
  // The store on the other machine, which everybody else uses, lacks the event.
  return URL.canParse(url) && isRemoteAddress(url) ? "" : undefined;
}

/** Reads a setting as everywhere else; an unexpanded variable counts as unset. */
function fromEnvironment(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name]?.trim();
  const isExpandable = name === "MEMSVC_URL" || name === "MEMSVC_SECRET";
  return isExpandable && text !== undefined && hasUnexpandedVariable(text) ? undefined : text;
}

function envFile(home: string): ReadonlyMap<string, string> {
  // Usually there is no config file.
  return parseEnvFile(textIn(configFile(home)) ?? "");
}

/** The text of a file, or undefined. What is wrong with the file is told where the event is then stored. */
function textIn(path: string): string | undefined {
  try {
    return readDelivered(path, hookPatience)?.toString("utf8");
  } catch {
    return undefined;
  }
}

/** The secret to send; "withheld" if MEMSVC_REQUIRE_HTTPS forbids sending it unencrypted over a network. */
function secretFor(
  url: string,
  { secretFile }: ObserveFlags,
  setting: (name: string) => string | undefined,
): { readonly value: string } | "withheld" | undefined {
  const value = secretFile === undefined ? setting("MEMSVC_SECRET") : textIn(secretFile)?.trim();
  // The daemon would refuse the event without its secret, so this process stores it.
  if (secretFile !== undefined && value === undefined) return "withheld";
  if (value === undefined || !URL.canParse(url)) return undefined;
  const mustEncrypt = /^(?:1|true)$/u.test(setting("MEMSVC_REQUIRE_HTTPS") ?? "");
  return mustEncrypt && isUnencryptedRemote(url) ? "withheld" : { value };
}

function daemonUrl(home: string, named: string | undefined): string | undefined {
  return named === undefined ? localDaemonUrl(home) : withPrefix(named);
}
