import type { CommandRun } from "../command.ts";
import { complaintText } from "../daemon/log-text.ts";
import { modelNotice } from "../daemon/model-notice.ts";
import { startFlagsOf } from "../daemon/serve-flags.ts";
import { watchRemoval } from "../daemon/startup-output.ts";

/** Runs the daemon in the foreground, until a signal stops it. */
export const run: CommandRun = async (context, positional, given) => {
  if (given.detach === true) return (await import("./daemon.ts")).start(context, positional, given);
  const { globals, terminal } = context;
  const isRemoved = watchRemoval(process.stderr.fd);
  const { runDaemon } = await import("../../http/daemon-process.ts");
  await runDaemon({
    home: globals.home,
    flags: startFlagsOf(given),
    ready: (url, viewerUrl, settings) => {
      terminal.print(`memsvc listening on ${url}`);
      if (viewerUrl !== undefined && !globals.quiet) terminal.print(`viewer at ${viewerUrl}`);
      const notice = modelNotice(settings);
      if (notice !== undefined) terminal.say(notice);
    },
    complain: (complaint) => {
      if (!isRemoved()) terminal.complain(`memsvc: ${complaintText(complaint)}`);
    },
  });
  return 0;
};
