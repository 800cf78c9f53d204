import { readFileSync } from "node:fs";
import type { Transport } from "../../client/http-call.ts";
import { nodeTransport } from "../../client/node-transport.ts";
import { isTimeoutError } from "../../client/request-errors.ts";
import { parseEnvFile } from "../../config/env-file.ts";
import { configFile, environmentBeside } from "../../config/home.ts";
import { clearUnanswered, noteUnanswered, restMs, unansweredState } from "../../config/unanswered.ts";
import { hasUnexpandedVariable } from "../../config/unexpanded-variable.ts";
import { isRemoteAddress, isUnencryptedRemote } from "../../net/remote-address.ts";
import { shownUrl } from "../../net/shown-url.ts";
import { localDaemonUrl, withPrefix } from "../daemon/daemon-address.ts";
import { storeHome } from "../location/store-home.ts";
import type { ObserveFlags } from "./observe-flags.ts";
import type { HookRoute, ObserveOutcome } from "./observe-outcome.ts";

const answerTimeoutMs = 3_000;
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
  const transport = nodeTransport(answerTimeoutMs);
  let local: Promise<typeof import("./observe-local.ts")> | undefined;
  /** This process has asked in vain, as the note says that others have, which may be kept nowhere. */
  let askAgainAt = 0;
  /** The daemon has the event and gave no answer. */
  let isAsked = false;
  let isSecretRefused = false;
  let isNoted = false;
  const ask: Transport = async (request) => {
    try {
      const answer = await transport.send(request);
      isSecretRefused = answer.status === 401;
      if (isNoted) clearUnanswered(home);
      isNoted = false;
      return answer;
    } catch (error) {
      if (isTimeoutError(error)) {
        askAgainAt = performance.now() + restMs;
        isAsked = true;
        if (url !== undefined) noteUnanswered(home, url);
      }
      throw error;
    }
  };
  /** Whether others have asked in vain. Of those that find that long ago, the first leaves the note anew before it asks. */
  const rests = (address: string): boolean => {
    const state = unansweredState(home, address);
    isNoted = state !== "unknown";
    if (state === "due") noteUnanswered(home, address);
    return state === "asked in vain";
  };
  return {
    setting,
    send: async (route, input) => {
      isAsked = false;
      isSecretRefused = false;
      const mayAsk = url !== undefined && secret !== "withheld" && performance.now() >= askAgainAt;
      const isPassedBy = mayAsk && rests(url);
      const byDaemon = async () => (mayAsk ? post(ask, `${url}/${route}`, input, secret?.value) : undefined);
      const answered = isPassedBy ? undefined : await byDaemon();
      if (answered !== undefined) return answered;
      local ??= import("./observe-local.ts");
      const patienceMs = isAsked || isPassedBy ? laterPatienceMs : alonePatienceMs;
      const kept = await (await local).callLocally(home, route, input, flags.batch ? undefined : patienceMs);
      // Better late than lost: it may be the daemon that keeps the store locked, for long work.
      const late = kept.isLate && isPassedBy ? await byDaemon() : undefined;
      if (late !== undefined) return { ...late, isLate: true };
      if (kept.isLate && isAsked && url !== undefined)
        return {
          ...kept,
          problem: `${shownUrl(url)} gives no answer, and its store is locked; it was asked, and does what it was asked once it goes on`,
        };
      if (kept.problem !== undefined || route !== "observe" || url === undefined) return kept;
      const why = whyNotTaken(url, isSecretRefused);
      if (why === undefined) return kept;
      return { ...kept, problem: `${shownUrl(url)}${why} did not take the event; it is kept in ${home}` };
    },
    close: async () => {
      transport.close();
      return (await local)?.closeLocal();
    },
  };
}

/** Why it is worth telling that the daemon did not take an event; undefined where it is not: an own one may be stopped. */
function whyNotTaken(url: string, isSecretRefused: boolean): string | undefined {
  if (isSecretRefused) return " wants another secret (MEMSVC_SECRET or --secret-file) and";
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

/** Undefined when nobody took the event, so that it must be kept some other way. */
async function post(
  send: Transport,
  url: string,
  input: object,
  secret: string | undefined,
): Promise<ObserveOutcome | undefined> {
  if (!/^https?:/u.test(url)) return undefined;
  const headers = {
    "Content-Type": "application/json",
    ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }),
  };
  try {
    const { status, body } = await send({ method: "POST", url, headers, body: JSON.stringify(input) });
    return outcomeOf(status, body);
  } catch {
    // Whyever no answer came, or one that is not of memsvc, this process keeps the event.
    return undefined;
  }
}

function outcomeOf(status: number, text: string): ObserveOutcome | undefined {
  if (status >= 500 || status === 404 || status === 401 || status === 403) return undefined;
  const body: unknown = JSON.parse(text);
  if (typeof body !== "object" || body === null) return undefined;
  if (status < 300 && "success" in body && body.success === true) return { exit: 0, answer: text };
  if (status < 400 || !("error" in body) || typeof body.error !== "string") return undefined;
  return { exit: status === 413 ? 1 : 2, problem: body.error };
}
