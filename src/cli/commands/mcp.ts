import { runningServer } from "../../config/lock-file.ts";
import type { StartFlags } from "../../config/start-flags.ts";
import { isRemoteAddress } from "../../net/remote-address.ts";
import { projectFolderOf } from "../../paths/project-folder.ts";
import { repositoryTop } from "../../paths/repository-top.ts";
import { configuredDaemonUrl, secretExposureProblem, secretOf } from "../callers/open-caller.ts";
import type { CommandRun } from "../command.ts";
import { autostartDaemon } from "../daemon/autostart.ts";
import { serverUrl } from "../daemon/daemon-address.ts";
import { serveArguments } from "../daemon/serve-flags.ts";
import { awaitDaemon } from "../daemon/start-daemon.ts";
import { homeWithoutEnvironment } from "../location/store-home.ts";
import { workingDirectory } from "../location/working-directory.ts";

const longestStartMs = 10_000;

/** The Model Context Protocol over standard input and output, answered by the daemon. */
export const run: CommandRun = async ({ configuration, globals, terminal }) => {
  const { home, settings, origins } = configuration();
  const named = configuredDaemonUrl({ url: globals.url, settings, origins });
  const secret = secretOf({ secretFile: globals.secretFile, settings });
  // Where nothing is named, the home's own lock tells where its daemon is.
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
      // Who listens at the usual address may be the daemon of another home, with another's memories.
      absence: () => {
        if (named !== undefined) return undefined;
        if (isStarting(home)) return `that of ${home} is still starting`;
        return runningServer(home) === undefined ? `none works on ${home}` : undefined;
      },
      arrival: async () => {
        if (named === undefined && isStarting(home))
          await awaitDaemon(home, longestStartMs, () => isStarting(home));
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

/** Programs that work in no project start it in the user's home, or in any folder. */
function projectAround(folder: string): string | undefined {
  return repositoryTop(folder) === undefined ? undefined : projectFolderOf(folder);
}

/** Its address is known once it listens. */
function isStarting(home: string): boolean {
  return runningServer(home)?.port === 0;
}

/** What a command needs that is to work with the same home from a terminal, where no agent has set it. */
function homeFlag(home: string): string[] {
  const isUsual = home === homeWithoutEnvironment();
  return isUsual ? [] : ["--home", home.includes(" ") ? `"${home}"` : home];
}

/** The port of an address of this machine; on another one it is started as that one is set up. */
function portFlag(named: string | undefined): StartFlags {
  return named === undefined || isRemoteAddress(named) ? {} : { MEMSVC_PORT: portOf(named) };
}

function portOf(url: string): string {
  return new URL(url).port || "80";
}
