import { existsSync } from "node:fs";
import { configFile } from "../../config/home.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import type { CommandContext } from "../command.ts";
import { entryFlags } from "../commands/connect.ts";
import { placesOf } from "../connect/places.ts";
import { type PlanRequest, plannedConnection } from "../connect/plan.ts";
import { plannedDiffs } from "../connect/planned-diff.ts";
import { storeHome } from "../location/store-home.ts";
import { modelSizeBytes } from "../models/install-model.ts";
import { colouredDiff } from "../render/coloured-diff.ts";
import { nothingChanged } from "../render/dry-run.ts";
import { shownBytes } from "../render/quantity.ts";
import { jsonLine } from "../render/text.ts";
import { unconnectedAgents } from "./agents-step.ts";
import { missingCompletions } from "./completions-step.ts";
import { planModel } from "./model-step.ts";

/** An agent that would be connected with the changes to its files, or the reason why it cannot be. */
interface AgentChange {
  readonly name: string;
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly diff: string }[];
  readonly problem?: string;
}

/** Shows what the set-up would do with its defaults. */
export async function showSetUp(context: CommandContext): Promise<number> {
  const { terminal, globals } = context;
  const home = storeHome(globals);
  const settings = configFile(home);
  const plan = planModel(context);
  const places = placesOf(context);
  const flags = entryFlags(context, "user", home);
  const agents = unconnectedAgents(places).map((agent) =>
    agentChange({ agent, scope: "user", places, home, flags }),
  );
  const completions = missingCompletions(places);
  if (globals.json) {
    const makes = [
      ...(existsSync(settings) ? [] : [settings]),
      ...(completions === undefined ? [] : [completions]),
    ];
    const fetches =
      plan.kind === "settled" ? null : { name: plan.model.name, bytes: modelSizeBytes(plan.model) };
    terminal.print(jsonLine({ home, dryRun: true, makes, fetches, agents }));
    return 0;
  }
  terminal.print(`store        ${home}`);
  terminal.print(
    `settings     ${existsSync(settings) ? `stay in ${settings}` : `would be made: ${settings}`}`,
  );
  terminal.print(
    `search       ${plan.kind === "settled" ? plan.outcome.said : `would fetch the embedding model ${plan.model.name} (${shownBytes(modelSizeBytes(plan.model))})`}`,
  );
  for (const { title, files, problem } of agents) {
    terminal.print(
      `agent        ${title}: ${problem === undefined ? "would be connected" : `could not be connected: ${problem}`}`,
    );
    for (const { diff } of files) terminal.print(colouredDiff(diff, terminal.paint));
  }
  if (completions !== undefined) terminal.print(`completions  would be written: ${completions}`);
  terminal.say(nothingChanged);
  return 0;
}

function agentChange(request: PlanRequest): AgentChange {
  const { name, title } = request.agent;
  try {
    return { name, title, files: plannedDiffs(plannedConnection(request)) };
  } catch (error) {
    // Broken settings of one agent must not hide the others.
    if (!isMemsvcError(error)) throw error;
    return { name, title, files: [], problem: error.message };
  }
}
