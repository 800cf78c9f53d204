import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { type ObserveInput, observeInputFrom } from "../capture/observations/hook-payload.ts";
import type { Transport } from "../client/http-call.ts";
import { nodeTransport } from "../client/node-transport.ts";
import { parseEnvFile } from "../config/env-file.ts";
import { configFile, homeFolder } from "../config/home.ts";
import { runningServer } from "../config/lock-file.ts";
import { errorTable, isMemsvcError } from "../operation/errors.ts";
import { addressOf, withPrefix } from "./daemon-address.ts";
import { type ObserveFlags, readObserveFlags } from "./observe-flags.ts";
import { crossesOpenNetwork, leadsElsewhere } from "./open-network.ts";
import { projectOf } from "./project-of.ts";
import { readStdin } from "./stdin.ts";
import { workingFolder } from "./working-folder.ts";

/*
 * `memsvc observe` as hooks call it. With the daemon up it costs one POST and loads nothing else; without the
 * daemon, or when it does not answer, the event is written to the store by this process, so that none is lost.
 * Hooks must never fail their agent: whatever happens, the exit code is 0 unless --strict asks for the real one.
 */

const answerTimeoutMs = 5_000;

export interface ObserveOutcome {
  /** Exit code with --strict. */
  readonly exit: number;
  /** The answer as JSON text. */
  readonly answer?: string;
  readonly problem?: string;
}

/** Captures what stdin holds; undefined when the arguments ask for something that this path does not know. */
export async function observeQuickly(args: readonly string[]): Promise<number | undefined> {
  const flags = await readObserveFlags(args);
  if (flags === undefined) return undefined;
  const outcomes = await observeStdin(flags);
  for (const { answer, problem } of outcomes) {
    if (answer !== undefined && flags.json) process.stdout.write(`${answer}\n`);
    if (problem !== undefined && !flags.quiet) process.stderr.write(`memsvc observe: ${problem}\n`);
  }
  return flags.strict ? Math.max(0, ...outcomes.map(({ exit }) => exit)) : 0;
}

/** Whatever goes wrong on the way becomes an outcome: only --strict may turn it into a failure. */
async function observeStdin(flags: ObserveFlags): Promise<ObserveOutcome[]> {
  try {
    return await observeText(await readStdin(), flags);
  } catch (error) {
    const problem = `${error instanceof Error ? error.message : String(error)}; nothing was captured`;
    return [{ exit: isMemsvcError(error) ? errorTable[error.code].exit : 1, problem }];
  }
}

async function observeText(text: string, flags: ObserveFlags): Promise<ObserveOutcome[]> {
  const lines = flags.batch ? text.split("\n") : [text];
  if (text.trim() === "")
    return [{ exit: 2, problem: "nothing on stdin; pipe one event as JSON, or NDJSON with --batch" }];
  const target = openTarget(flags);
  const outcomes: ObserveOutcome[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const outcome = await observeOne(line, target);
    outcomes.push(flags.batch ? atLine(at + 1, outcome) : outcome);
  }
  await target.close();
  return outcomes;
}

/** Of many events, a problem is that of one. */
function atLine(number: number, { problem, ...outcome }: ObserveOutcome): ObserveOutcome {
  return problem === undefined ? outcome : { ...outcome, problem: `line ${number}: ${problem}` };
}

async function observeOne(line: string, target: Target): Promise<ObserveOutcome> {
  let payload: unknown;
  try {
    payload = JSON.parse(line);
  } catch {
    return { exit: 2, problem: "the event is not valid JSON; nothing was captured" };
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    return { exit: 2, problem: "an event must be a JSON object; nothing was captured" };
  }
  const read = observeInputFrom(payload as Record<string, unknown>, {
    now: () => new Date(),
    projectOf: (cwd) => projectOf(cwd, target.setting("MEMSVC_PROJECT_NAME")),
    fallbackCwd: workingFolder(),
  });
  if (read.kind === "unrecognised") return { exit: 2, problem: `${read.reason}; nothing was captured` };
  return target.send(withAgent(read.input, target.setting("AGENT_ID")));
}

function withAgent(input: ObserveInput, agentId: string | undefined): ObserveInput {
  return input.agentId !== undefined || agentId === undefined ? input : { ...input, agentId };
}

interface Target {
  setting(name: string): string | undefined;
  send(input: ObserveInput): Promise<ObserveOutcome>;
  close(): Promise<void>;
}

function openTarget(flags: ObserveFlags): Target {
  const home = homeFolder({ flag: flags.home, env: process.env, userHome: homedir() });
  const file = envFile(home);
  const setting = (name: string) => process.env[name]?.trim() || file.get(name)?.trim() || undefined;
  const url = flags.offline ? undefined : daemonUrl(home, flags.url ?? setting("MEMSVC_URL"));
  const secret = url === undefined ? undefined : secretFor(url, flags, setting);
  const transport = nodeTransport(answerTimeoutMs);
  let local: Promise<typeof import("./observe-local.ts")> | undefined;
  return {
    setting,
    send: async (input) => {
      const answered =
        url === undefined || secret === "withheld"
          ? undefined
          : await post(transport.send, `${url}/observe`, input, secret?.value);
      if (answered !== undefined) return answered;
      local ??= import("./observe-local.ts");
      const kept = await (await local).observeLocally(home, input);
      if (kept.problem !== undefined || url === undefined || !URL.canParse(url) || !leadsElsewhere(url))
        return kept;
      // The other machine's store, where everybody else looks, does not have it.
      return { ...kept, problem: `${url} did not take the event; it is kept in ${home}` };
    },
    close: async () => {
      transport.close();
      await (await local)?.closeLocal();
    },
  };
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
  return mustEncrypt && crossesOpenNetwork(url) ? "withheld" : { value };
}

function daemonUrl(home: string, named: string | undefined): string | undefined {
  if (named !== undefined && !named.includes("${")) return withPrefix(named);
  const server = runningServer(home);
  return server === undefined || server.port === 0 ? undefined : addressOf(server);
}

/** Undefined when nobody took the event, so that it must be kept some other way. */
async function post(
  send: Transport,
  url: string,
  input: ObserveInput,
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
    // Whyever no answer came, this process keeps the event.
    return undefined;
  }
}

function outcomeOf(status: number, text: string): ObserveOutcome | undefined {
  if (status >= 200 && status < 300) return { exit: 0, answer: text };
  if (status >= 500 || status === 404 || status === 401 || status === 403) return undefined;
  return { exit: status === 413 ? 1 : 2, problem: errorText(text) ?? `the daemon answered ${status}` };
}

function errorText(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "error" in body ? String(body.error) : undefined;
  } catch {
    // Not ours: the status alone is told.
    return undefined;
  }
}
