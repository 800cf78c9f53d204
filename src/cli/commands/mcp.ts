import { runningServer } from "../../config/lock-file.ts";
import type { StartFlags } from "../../config/start-flags.ts";
import { isRemoteAddress } from "../../net/remote-address.ts";
import { projectFolderOf } from "../../paths/project-folder.ts";
import { repositoryTop } from "../../paths/repository-top.ts";
import { quoteWord } from "../../text/quote-word.ts";
import { configuredDaemonUrl, secretExposureProblem, secretOf } from "../callers/open-caller.ts";
import type { CommandRun } from "../command.ts";
import { autostartDaemon } from "../daemon/autostart.ts";
import { serverUrl } from "../daemon/daemon-address.ts";
import { serveArguments } from "../daemon/serve-flags.ts";
import { awaitDaemon } from "../daemon/start-daemon.ts";
import { suspendedDaemon } from "../daemon/suspended-daemon.ts";
import { homeWithoutEnvironment } from "../location/store-home.ts";
import { workingDirectory } from "../location/working-directory.ts";

const longestWaitMs = 10_000;

/** Speaks the Model Context Protocol over standard input and output; the daemon answers. */
export const run: CommandRun = async ({ configuration, globals, terminal }) => {
  const { home, settings, origins } = configuration();
  const named = configuredDaemonUrl({ url: globals.url, settings, origins });
  const secret = secretOf({ secretFile: globals.secretFile, settings });
  // If no address was given, the home's lock tells where its daemon is.
  const url = (): string => named ?? serverUrl(runningServer(home) ?? { pid: 0, ...settings });
  const mayStart = settings.mcpAutostart && !isRemoteAddress(url()) && url().startsWith("http:");
  if (terminal.isInteractive)
    terminal.say("memsvc speaks MCP here, for agents to start; type messages, or end it with ctrl-d");
  const folder = workingDirectory();
  const { runShim } = await import("../../mcp/stdio.ts");
  await runShim({
    input: process.stdin,
    write: (text) => process.stdout.write(text),
    settings: { ...settings, project: settings.projectName ?? projectAround(folder) },
    daemon: {
      url,
      // The server at the default address may be another home's daemon, with other memories.
      absence: () => {
        if (named !== undefined) return undefined;
        if (isInBetween(home)) return `that of ${home} is starting or stopping`;
        if (suspendedDaemon(home) !== undefined) return `that of ${home} is suspended, as by Ctrl-Z`;
        return runningServer(home) === undefined ? `none works on ${home}` : undefined;
      },
      arrival: async () => {
        if (named === undefined && isInBetween(home))
          await awaitDaemon(home, longestWaitMs, () => isInBetween(home));
      },
      secret,
      timeoutMs: settings.mcpTimeoutMs,
      agentId: settings.agentId,
      folder,
      tools: settings.tools,
      forbidden: secretExposureProblem(url(), secret, settings),
      startCommand: ["memsvc daemon start", ...homeFlag(home), ...serveArguments(portFlag(named))].join(" "),
      start: mayStart
        ? async () => {
            const started = await autostartDaemon(home, portFlag(named));
            if (named !== undefined && portOf(started) !== portOf(named))
              throw new Error(
                `the daemon of ${home} runs at ${started}: set MEMSVC_URL to that, or leave it out`,
              );
          }
        : undefined,
    },
  });
  return 0;
};

/**
 * The project of a folder; undefined outside a repository, because some programs start the server in the user's home or
 * anywhere.
 */
function projectAround(folder: string): string | undefined {
  return repositoryTop(folder) === undefined ? undefined : projectFolderOf(folder);
}

/** Whether it is starting or stopping: a port is only known while it listens. */
function isInBetween(home: string): boolean {
  return runningServer(home)?.port === 0;
}

/**
 * The --home flag that a command in a terminal needs for the same home, because the agent's environment is not set
 * there.
 */
function homeFlag(home: string): string[] {
  const isUsual = home === homeWithoutEnvironment();
  return isUsual ? [] : ["--home", quoteWord(home)];
}

/**
 * The port from an address on this machine. A daemon on another machine is started with that machine's own settings.
 */
function portFlag(named: string | undefined): StartFlags {
  return named === undefined || isRemoteAddress(named) ? {} : { MEMSVC_PORT: portOf(named) };
}

function portOf(url: string): string {
  return new URL(url).port || "80";
}
