import { MemsvcError } from "../../operation/errors.ts";
import type { CommandRun } from "../command.ts";
import { viewerAddress } from "../daemon/viewer-address.ts";
import { operations } from "../operations/operations.ts";
import { jsonLine } from "../render/text.ts";
import { openInBrowser } from "../terminal/open-in-browser.ts";

/** Prints the viewer's address; opens it in a browser if a person asked for it. */
export const run: CommandRun = async (context, _positional, flags) => {
  const { terminal, globals } = context;
  const { call, where } = await context.caller();
  if (where.kind !== "daemon") {
    throw new MemsvcError("daemon_unreachable", "the viewer is served by the daemon, and no daemon runs", {
      hint: "start it with: memsvc daemon start",
    });
  }
  const { viewerPort } = await call(operations.livez, {});
  const { settings } = context.configuration();
  const hasSecret = globals.secretFile !== undefined || settings.secret !== undefined;
  const url = viewerAddress({ api: where.url, viewerPort, hasSecret });
  terminal.print(globals.json ? jsonLine({ url }) : url);
  if (globals.json || flags.print === true || !terminal.isForPeople) return 0;
  if (!(await openInBrowser(url)))
    terminal.say("no browser could be started here: open the address yourself");
  return 0;
};
