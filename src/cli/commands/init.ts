import { basename } from "node:path";
import { readConfiguration } from "../../config/configuration.ts";
import { configFile } from "../../config/home.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { openCaller } from "../callers/open-caller.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { contextHint } from "../connect/context-hint.ts";
import { historyHint } from "../connect/history-hint.ts";
import { placesOf } from "../connect/places.ts";
import { connectAgents } from "../init/agents-step.ts";
import { installCompletions } from "../init/completions-step.ts";
import { offerContext } from "../init/context-step.ts";
import { offerDistillation } from "../init/distillation-step.ts";
import { offerHistory } from "../init/history-step.ts";
import { makeHome, makeSecret } from "../init/home-step.ts";
import { offerModel } from "../init/model-step.ts";
import { askingOnTerminal, type Questions, takingDefaults } from "../init/questions.ts";
import { terminalOfStore } from "../location/same-store.ts";
import { jsonLine } from "../render/text.ts";
import { entryFlags } from "./connect.ts";

/**
 * Guides through the set-up: home, secret, embedding model, agents, their context, consolidation, their history,
 * completions. What is set up already stays.
 */
export const run: CommandRun = async (context, _positional, flags) => {
  const { globals } = context;
  const terminal = terminalOfStore(context);
  if (flags.dryRun === true) return (await import("../init/dry-run.ts")).showSetUp(context);
  const questions = await questionsFor(context);
  const home = await makeHome(context, questions);
  const hasSecret = await makeSecret(home, questions);
  const configuration = readConfiguration({ home });
  const model = await offerModel({ terminal, globals, configuration: () => configuration }, questions);
  const places = placesOf(context);
  const agents = await connectAgents({ places, home, flags: entryFlags(context, "user", home) }, questions);
  const connected = agents.filter(({ problem }) => problem === undefined);
  const givesContext = await offerContext(connected, configuration, questions);
  const distils = await offerDistillation(configuration, questions);
  const history = await offerHistory(
    {
      ...{ agents: connected, places, isOffered: !globals.yes, say: (line) => terminal.say(line) },
      caller: () => openCaller({ ...globals, ...readConfiguration({ home }), cwd: context.cwd }),
    },
    questions,
  );
  const completions = await installCompletions(places, questions);
  if (globals.json) {
    const answer = {
      home,
      configFile: configFile(home),
      hasSecret,
      model,
      agents,
      givesContext,
      distils,
      history,
      completions,
    };
    terminal.print(jsonLine(answer));
    return 0;
  }
  terminal.print(`store        ${home}`);
  terminal.print(`settings     ${configFile(home)}${hasSecret ? ", with a secret" : ""}`);
  terminal.print(`search       ${model.said}`);
  for (const { title, problem } of agents)
    terminal.print(
      `agent        ${title}: ${problem === undefined ? "connected" : `not connected: ${problem}`}`,
    );
  if (agents.length === 0)
    terminal.print("agent        none to connect here (memsvc connect lists those that there are)");
  if (givesContext) terminal.print("context      given to new sessions (MEMSVC_INJECT_CONTEXT)");
  terminal.print(
    distils
      ? "sessions     distilled in the background (CONSOLIDATION_ENABLED)"
      : "sessions     distilled when you run memsvc consolidate",
  );
  for (const line of history) terminal.print(`history      ${line}`);
  if (completions !== undefined) terminal.print(`completions  ${completions}`);
  else if (basename(places.env.SHELL ?? "") === "zsh")
    terminal.print(`completions  for zsh: memsvc completions zsh > "\${fpath[1]}/_memsvc"`);
  for (const { afterwards } of agents) if (afterwards !== undefined) terminal.say(afterwards);
  const hint = givesContext ? undefined : contextHint(connected, () => configuration);
  const remains = history.length > 0 ? undefined : historyHint(connected, places);
  for (const said of [hint, remains]) if (said !== undefined) terminal.say(said);
  terminal.print("next         memsvc daemon start, then memsvc demo to see what it does");
  return 0;
};

/** Error: invalid_input if there is nobody to ask and --yes was not given. */
async function questionsFor({ terminal, globals }: CommandContext): Promise<Questions> {
  if (globals.yes) return takingDefaults;
  if (terminal.isInteractive && !globals.json) return askingOnTerminal();
  throw new MemsvcError("invalid_input", "setup asks questions, and there is nobody to answer them", {
    hint: "take the defaults: memsvc init --yes; or set up one thing: memsvc config set, memsvc models pull, memsvc connect",
  });
}
