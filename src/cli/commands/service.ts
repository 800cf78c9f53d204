import { rmSync } from "node:fs";
import { runningServer } from "../../config/lock-file.ts";
import { readStartFlags } from "../../config/start-flags.ts";
import { MemsvcError } from "../../operation/errors.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { asSettings } from "../daemon/serve-flags.ts";
import { runningUrl } from "../daemon/start-daemon.ts";
import { storeHome } from "../location/store-home.ts";
import { colouredDiff } from "../render/coloured-diff.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { jsonLine } from "../render/text.ts";
import { installService } from "../service/install-service.ts";
import { requireServiceManager, type ServiceManager } from "../service/service-manager.ts";
import { isOurUnit, readUnit, serviceCommand } from "../service/unit-file.ts";

/** Registers the daemon with the system's service manager, which starts it at login. */
export const install: CommandRun = async (context, _positional, flags) => {
  const { terminal, globals } = context;
  const manager = requireServiceManager();
  const home = storeHome(context.globals);
  const unit = manager.unit(serviceCommand(home));
  if (flags.printUnit === true) {
    terminal.print(unit);
    return 0;
  }
  const before = unitOf(manager);
  await manager.check();
  if (flags.dryRun === true) return showChange(context, manager, before, unit);
  if (before === unit && (await runningUrl(home)) !== undefined) {
    tell(context, manager, true, `the service is installed already: ${manager.path}`);
    return 0;
  }
  const lost = runningServer(home) === undefined ? {} : (readStartFlags(home) ?? {});
  await installService({ manager, home, before, tell: (outcome) => terminal.complain(outcome) });
  tell(context, manager, true, `${manager.name} runs the daemon now, and at every login: ${manager.path}`);
  if (Object.keys(lost).length > 0)
    terminal.say(`without the flags of the one that ran before; to give it these: ${asSettings(lost)}`);
  const note = manager.note?.();
  if (note !== undefined && !globals.json) terminal.say(note);
  return 0;
};

export const uninstall: CommandRun = async (context, _positional, flags) => {
  const manager = requireServiceManager();
  const before = unitOf(manager);
  if (flags.dryRun === true) return showChange(context, manager, before, undefined);
  if (before === undefined) {
    tell(context, manager, false, "no service is installed");
    return 0;
  }
  await manager.stop();
  rmSync(manager.path, { force: true });
  await manager.forget();
  tell(context, manager, false, `the service is gone: ${manager.path}`);
  const left = runningServer(storeHome(context.globals));
  if (left !== undefined)
    context.terminal.say(`a daemon still runs (pid ${left.pid}); stop it with: memsvc daemon stop`);
  return 0;
};

/** The text of the existing unit file. Error: conflict if memsvc did not write it. */
function unitOf(manager: ServiceManager): string | undefined {
  const text = readUnit(manager);
  if (text === undefined || isOurUnit(text)) return text;
  throw new MemsvcError("conflict", `${manager.path} was not written by memsvc`, {
    hint: "move it away first",
  });
}

/** Shows how the service's unit file would change. */
async function showChange(
  { terminal, globals }: CommandContext,
  { name, path }: ServiceManager,
  before: string | undefined,
  after: string | undefined,
): Promise<number> {
  const { unifiedDiff } = await import("../../text/unified-diff.ts");
  const diff = before === after ? undefined : unifiedDiff(path, before, after);
  if (globals.json) terminal.print(jsonLine({ dryRun: true, manager: name, path, diff: diff ?? null }));
  else {
    if (diff !== undefined) terminal.print(colouredDiff(diff, terminal.paint));
    terminal.say(diff === undefined ? "nothing would change" : nothingChanged);
  }
  return 0;
}

function tell(
  { terminal, globals }: CommandContext,
  { name, path }: ServiceManager,
  installed: boolean,
  text: string,
): void {
  terminal.print(globals.json ? jsonLine({ installed, manager: name, path }) : text);
}
