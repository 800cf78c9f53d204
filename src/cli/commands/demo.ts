import { detectProvider } from "../../config/provider.ts";
import type { Settings } from "../../config/settings-table.ts";
import { errorTable, MemsvcError } from "../../operation/errors.ts";
import { releaseClosedDatabases } from "../../store/release-closed-databases.ts";
import type { CommandRun } from "../command.ts";
import { isSuccess } from "../demo/outcome.ts";
import { renderDemo, verdictLine } from "../demo/render.ts";
import { type DemoReport, makeReport } from "../demo/report.ts";
import {
  type ModelSettings,
  makeScratchFolder,
  modelSettings,
  removeScratchFolder,
} from "../demo/scratch-store.ts";
import { terminationSignals } from "../terminal/termination-signals.ts";

/** Replays a recorded project in a scratch store, asks it questions, and cleans up. */
export const run: CommandRun = async ({ terminal, globals, configuration }, _positional, flags) => {
  const keeps = flags.keep === true;
  const model = flags.model === true ? configuredModel(configuration().settings) : undefined;
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of terminationSignals) process.on(signal, interrupt);
  const home = makeScratchFolder();
  let report: DemoReport | undefined;
  let leftBehind: string | undefined;
  try {
    report = await makeReport(home, interruption.signal, model);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  } finally {
    await releaseClosedDatabases();
    if (!keeps || report === undefined) leftBehind = removeScratchFolder(home);
    for (const signal of terminationSignals) process.off(signal, interrupt);
  }
  if (leftBehind !== undefined)
    terminal.complain(`memsvc: the scratch store ${home} was not removed: ${leftBehind}`);
  if (report === undefined) {
    terminal.say(leftBehind === undefined ? "interrupted: the scratch store was removed" : "interrupted");
    return errorTable.interrupted.exit;
  }
  const outcome = { ...report, ...(keeps ? { home } : {}), removed: !keeps && leftBehind === undefined };
  const success = isSuccess(outcome);
  if (globals.json) terminal.print(JSON.stringify({ success, ...outcome }));
  else if (globals.quiet) terminal.print(verdictLine(outcome, terminal));
  else terminal.print(renderDemo(outcome, terminal));
  return success ? 0 : 1;
};

/** Error: feature_off if no language model is configured. */
function configuredModel(settings: Settings): ModelSettings {
  if (detectProvider(settings).kind === "noop")
    throw new MemsvcError("feature_off", "no language model is configured, so --model has none to ask", {
      hint: "set one up, such as OPENAI_BASE_URL or ANTHROPIC_API_KEY, or leave --model out",
    });
  return modelSettings(settings);
}
