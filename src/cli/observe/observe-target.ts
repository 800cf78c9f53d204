import { readFileSync } from "node:fs";
import { parseEnvFile } from "../../config/env-file.ts";
import { configFile, environmentBeside } from "../../config/home.ts";
import { hasUnexpandedVariable } from "../../config/unexpanded-variable.ts";
import { isRemoteAddress, isUnencryptedRemote } from "../../net/remote-address.ts";
import { shownUrl } from "../../net/shown-url.ts";
import { localDaemonUrl, withPrefix } from "../daemon/daemon-address.ts";
import { storeHome } from "../location/store-home.ts";
import { type Asked, AskedDaemon } from "./asked-daemon.ts";
import type { ObserveFlags } from "./observe-flags.ts";
import type { HookRoute, ObserveOutcome } from "./observe-outcome.ts";

const notTaken: Asked = { kind: "not taken" };
/** How long the store may keep a hook waiting, alone and after a daemon did: agents give hooks 10 s. */
const alonePatienceMs = 5_000;
const laterPatienceMs = 2_500;

/** Who takes what hooks bring: the daemon, else this process. */
export interface ObserveTarget {
  setting(name: string): string | undefined;
  send(route: HookRoute, input: object): Promise<ObserveOutcome>;
  /** Returns in words what was left undone of the work that follows. */
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
      // Better late than lost: it may be the daemon that keeps the store locked, for long work.
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

/** Why it is worth telling that the daemon did not take an event; undefined where it is not: an own one may be stopped. */
function whyNotTaken(url: string, asked: Asked): string | undefined {
  if (asked.kind === "not taken" && asked.isSecretRefused)
    return " wants another secret (MEMSVC_SECRET or --secret-file) and";
  // The other machine's store, where everybody else looks, does not have it.
  return URL.canParse(url) && isRemoteAddress(url) ? "" : undefined;
}

/** As the settings are read everywhere else; a variable that a launcher did not expand is no secret and no address. */
function fromEnvironment(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name]?.trim();
  const isExpandable = name === "MEMSVC_URL" || name === "MEMSVC_SECRET";
  return isExpandable && text !== undefined && hasUnexpandedVariable(text) ? undefined : text;
}

function envFile(home: string): ReadonlyMap<string, string> {
  try {
    return parseEnvFile(readFileSync(configFile(home), "utf8"));
  } catch {
    // No config file is the ordinary case.
    return new Map();
  }
}

/** The secret to send; withheld where MEMSVC_REQUIRE_HTTPS forbids that it crosses a network in the clear. */
function secretFor(
  url: string,
  { secretFile }: ObserveFlags,
  setting: (name: string) => string | undefined,
): { readonly value: string } | "withheld" | undefined {
  let value: string | undefined;
  try {
    value = secretFile === undefined ? setting("MEMSVC_SECRET") : readFileSync(secretFile, "utf8").trim();
  } catch {
    // Without its secret the daemon would refuse the event; this process keeps it.
    return "withheld";
  }
  if (value === undefined || !URL.canParse(url)) return undefined;
  const mustEncrypt = /^(?:1|true)$/u.test(setting("MEMSVC_REQUIRE_HTTPS") ?? "");
  return mustEncrypt && isUnencryptedRemote(url) ? "withheld" : { value };
}

function daemonUrl(home: string, named: string | undefined): string | undefined {
  return named === undefined ? localDaemonUrl(home) : withPrefix(named);
}
