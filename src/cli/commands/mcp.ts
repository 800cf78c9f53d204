import { runningServer } from "../../config/lock-file.ts";
import { autostartDaemon as startDaemon } from "../autostart.ts";
import { openSecret, prefixed, secretOf } from "../caller.ts";
import type { CommandRun } from "../command.ts";
import { addressOf } from "../daemon-address.ts";
import { leadsElsewhere } from "../open-network.ts";

/** The Model Context Protocol over standard input and output, answered by the daemon. */
export const run: CommandRun = async ({ configuration, globals, terminal }) => {
  const { home, settings, origins } = configuration();
  const given = globals.url ?? (origins.MEMSVC_URL === "default" ? undefined : settings.url);
  const named = given === undefined ? undefined : prefixed(given);
  const secret = secretOf({ secretFile: globals.secretFile, settings });
  // Where nothing is named, the home's own lock tells where its daemon is.
  const url = (): string => named ?? addressOf(runningServer(home) ?? { pid: 0, ...settings });
  const mayStart = settings.mcpAutostart && !leadsElsewhere(url()) && url().startsWith("http:");
  if (terminal.isInteractive)
    terminal.say("memsvc speaks MCP here, for agents to start; type messages, or end it with ctrl-d");
  const { runShim } = await import("../../mcp/stdio.ts");
  await runShim({
    input: process.stdin,
    write: (text) => process.stdout.write(text),
    settings,
    daemon: {
      url,
      secret,
      timeoutMs: settings.mcpTimeoutMs,
      agentId: settings.agentId,
      forbidden: openSecret(url(), secret, settings),
      start: mayStart
        ? async () => {
            await startDaemon(home, { flags: named === undefined ? [] : ["--port", portOf(named)] });
          }
        : undefined,
    },
  });
  return 0;
};

function portOf(url: string): string {
  return new URL(url).port || "80";
}
