import { existsSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { homeFolder } from "../../config/home.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder, openFolderMode } from "../../paths/make-folder.ts";
import { packageFolder } from "../../store/migrations.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { colouredDiff } from "../render/coloured-diff.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { jsonLine } from "../render/text.ts";
import { type ServiceManager, serviceManager } from "../service/manager.ts";
import { unitMark } from "../service/units.ts";
import { runningUrl } from "../start-daemon.ts";
import { stopDaemon } from "../stop-daemon.ts";

/** Has the system run the daemon from login on. */
export const install: CommandRun = async (context, _positional, flags) => {
  const { terminal, globals } = context;
  const manager = serviceManager();
  const home = homeFolder({ flag: globals.home, env: process.env, userHome: homedir() });
  const unit = manager.unit(serveWords(home));
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
  // A home has one daemon: one that was started by hand makes way for that of the service.
  await stopDaemon(home);
  makeFolder(dirname(manager.path), openFolderMode);
  await writeDurably(manager.path, unit, 0o644);
  await manager.start();
  tell(context, manager, true, `${manager.name} runs the daemon now, and at every login: ${manager.path}`);
  if (manager.note !== undefined && !globals.json) terminal.say(manager.note);
  return 0;
};

export const uninstall: CommandRun = async (context, _positional, flags) => {
  const manager = serviceManager();
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
  return 0;
};

/** Whole paths: what a system starts at login has no search path of a shell. */
function serveWords(home: string): string[] {
  return [process.execPath, join(packageFolder(), "dist", "main.cjs"), "serve", "--home", home];
}

/** The file that is there. Error: conflict when somebody else wrote it. */
function unitOf({ path }: ServiceManager): string | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  if (text.includes(unitMark)) return text;
  throw new MemsvcError("conflict", `${path} was not written by memsvc`, {
    hint: "move it away first",
  });
}

/** What would become of the service's file. */
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
