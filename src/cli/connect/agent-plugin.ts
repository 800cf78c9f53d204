import type { Invocation } from "./invocation.ts";
import { ownFile } from "./own-file.ts";
import type { SettingsContent } from "./settings-content.ts";

/*
 * Plugins for agents that load programs from a folder, where other agents have hooks. A plugin runs `memsvc observe` for
 * the agent's events, in the API's own format.
 */

/** Agents that run a plugin of ours. */
export type PluginAgent = "cline" | "kilo" | "opencode" | "pi";

/** The first line of a plugin's file, by which it is recognised. */
function pluginMark(agent: PluginAgent): string {
  return `// Written by memsvc connect ${agent}`;
}

/** A plugin's file, recognised by its first line. */
export function pluginContent(
  agent: PluginAgent,
  textFor: (invocation: Invocation) => string,
): (invocation: Invocation) => SettingsContent {
  return (invocation) =>
    ownFile({
      label: "a plugin that does what hooks do",
      text: textFor(invocation),
      isOurs: (text) => text.startsWith(pluginMark(agent)),
    });
}

/**
 * The text of a plugin: what reports events, one process at a time, and `events`, the code that calls `report` and waits
 * for `last`, `contexts` and `allTold`.
 */
export function agentPlugin(agent: PluginAgent, { program, flags }: Invocation, events: string): string {
  const words = JSON.stringify([...program, "observe", "--hook", agent, ...flags]);
  return `${pluginMark(agent)}; memsvc disconnect ${agent} removes it.
import { spawn } from "node:child_process";

const [program, ...args] = ${words};
let last = Promise.resolve();
/** By session: the context that memsvc gave for it. */
const contexts = new Map();
/** Events that wait until the process that sends the earlier ones has ended. */
let waiting = [];

/** A failure here must not disturb the agent. */
function report(event) {
  try {
    waiting.push(JSON.stringify({ ...event, timestamp: new Date().toISOString() }));
    last = last.then(tell);
  } catch {
    // An event that cannot be written as JSON is not sent.
  }
}

/** Sends all waiting events at once, so that they wait only once for a memsvc that is slow to answer. */
async function tell() {
  const events = waiting;
  waiting = [];
  if (events.length === 0) return;
  const replies = await run(events.length > 1 ? [...args, "--batch"] : args, events.join("\\n"));
  for (const reply of replies.split("\\n").filter(Boolean)) {
    try {
      const { sessionId, context } = JSON.parse(reply);
      contexts.set(sessionId, context);
    } catch {
      // Other output is ignored.
    }
  }
}

const patience = (ms) => new Promise((enough) => setTimeout(enough, ms).unref());

function run(words, text) {
  return new Promise((done) => {
    let said = "";
    // On Windows, package managers put a shell script into the search path.
    const shell = process.platform === "win32" && /^memsvc(?:\\.cmd)?$/.test(program);
    const given = shell ? words.map((word) => (/[^\\w:\\\\/.-]/.test(word) ? \`"\${word}"\` : word)) : words;
    const child = spawn(program, given, { stdio: ["pipe", "pipe", "ignore"], shell, windowsHide: true });
    child.on("error", () => done(""));
    child.on("close", () => done(said));
    child.stdout.setEncoding("utf8").on("data", (text) => (said += text));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}

/** Waits for what is being sent, then for the rest. What takes longer continues without being waited for. */
async function allTold(sentMs, restMs) {
  await Promise.race([last, patience(sentMs)]);
  await Promise.race([tell(), patience(restMs)]);
}

${events}`;
}
