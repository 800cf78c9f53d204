import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandRun } from "../command.ts";
import { operations } from "../operations.ts";
import { diagnosisLines } from "../render/diagnostics.ts";
import { jsonLine } from "../render/text.ts";

/** Looks for what is wrong, says how to mend it, and with --fix mends what it can. */
export const run: CommandRun = async ({ caller, configuration, terminal, globals }, _positional, flags) => {
  const { home } = configuration();
  const { paint } = terminal;
  if (!existsSync(home)) {
    if (globals.json) terminal.print(jsonLine({ home, checks: [] }));
    else terminal.print(`nothing stored yet in ${home}, so nothing can be wrong with it`);
    return 0;
  }
  const { call, where } = await caller();
  const healing = flags.fix === true ? await call(operations.heal, {}) : undefined;
  const diagnosis = await call(operations.diagnose, {});
  const { index } = (await call(operations.health, {})).health;
  if (globals.json) {
    terminal.print(jsonLine({ home, ...diagnosis, ...(healing === undefined ? {} : { healing }) }));
    return diagnosis.summary.fail > 0 ? 1 : 0;
  }
  if (healing !== undefined && healing.fixed > 0) {
    terminal.print(paint.green(`put right: ${healing.fixed}`));
    for (const line of healing.details.slice(0, 20)) terminal.print(paint.dim(`  ${line}`));
  }
  for (const line of diagnosisLines(diagnosis, terminal)) terminal.print(line);
  const daemon =
    where.kind === "daemon" ? `a daemon runs at ${where.url}` : "no daemon runs; memsvc serve starts one";
  terminal.print(paint.dim(`daemon      ${daemon}`));
  if (index.model === "none")
    terminal.print(
      paint.dim(`search      by words and relations; no embedding model in ${join(home, "models")}`),
    );
  // What a heal has just left over, another one leaves too.
  if (diagnosis.summary.fixable > 0 && healing === undefined)
    terminal.print("mend what can be mended: memsvc doctor --fix");
  return diagnosis.summary.fail > 0 ? 1 : 0;
};
