import { join } from "node:path/posix";
import { isCarriedOut } from "../../capture/observations/calls/tool-hooks.ts";
import { isFileChange } from "../../capture/observations/calls/tool-kind.ts";
import { isMilestoneCommand, withoutPlumbing } from "../../capture/observations/commands/command-kind.ts";
import { commandParts } from "../../capture/observations/commands/command-steps.ts";
import type { Trace } from "../../capture/observations/reads/history.ts";
import { isAbsolute } from "../../paths/path-text.ts";
import { oneLine } from "../../text/cut.ts";
import { tally } from "../../text/tally.ts";
import { testFilePattern } from "./test-files.ts";

const fewestEditedFiles = 10;
const extensionShare = 0.5;
const folderShare = 0.6;
const fewestTestFiles = 3;
const fewestRuns = 3;
/** As long as the title of a command that was compressed by rules, so that equal work gives equal text. */
const longestCommand = 120;

/** How work is done in a project, derived from what was done; short sentences. */
export function workConventions(traces: readonly Trace[]): string[] {
  const touched = [...new Set(traces.flatMap(({ files }) => files))];
  const carriedOut = traces.filter(isCarriedOut);
  const edited = [...new Set(carriedOut.filter(isFileChange).flatMap(({ files }) => files))];
  return [...editedFiles(edited), ...testFiles(touched), ...frequentCommands(carriedOut)];
}

function editedFiles(edited: readonly string[]): string[] {
  if (edited.length < fewestEditedFiles) return [];
  const [extension] = tally(edited.flatMap((file) => extensionOf(file) ?? []));
  const [folder] = tally(edited.flatMap((file) => topFolderOf(file) ?? []));
  const found: string[] = [];
  if (extension !== undefined && extension.count >= extensionShare * edited.length) {
    const percent = Math.round((100 * extension.count) / edited.length);
    found.push(`Most edited files are ${extension.value} (${percent} %)`);
  }
  if (folder !== undefined && folder.count >= folderShare * edited.length)
    found.push(`Sources live under ${folder.value}/`);
  return found;
}

function extensionOf(file: string): string | undefined {
  return /[^./\\](\.\w{1,12})$/u.exec(file)?.[1];
}

/**
 * The first folder of a path inside the project; undefined for absolute paths and paths that lead out of it.
 */
function topFolderOf(file: string): string | undefined {
  const [first, ...rest] = file.split(/[/\\]/u);
  return rest.length === 0 || first === undefined || first === "" || first === ".." || first.endsWith(":")
    ? undefined
    : first;
}

function testFiles(files: readonly string[]): string[] {
  const [pattern] = tally(files.flatMap((file) => testFilePattern(file) ?? []));
  return pattern === undefined || pattern.count < fewestTestFiles
    ? []
    : [`Tests are kept as ${pattern.value}`];
}

function frequentCommands(traces: readonly Trace[]): string[] {
  const commands = traces.flatMap(({ type, command = "", hasFailed }) => {
    const line = oneLine(command.trim().split("\n", 1)[0] ?? "", longestCommand);
    if (type !== "command_run" || hasFailed || !isMilestoneCommand(line)) return [];
    return stepsThatWentWell(withoutPlumbing(line)).filter(isBuildOrTest);
  });
  return tally(withSharedForms(commands))
    .filter(({ count }) => count >= fewestRuns)
    .map(({ value, count }) => `\`${value}\` is run often (${count}×)`);
}

/** From that many targets on, runs of a command are told together: `npx vitest run …`. */
const fewestTargets = 3;

/** The commands, each run for one of many targets without its target. */
function withSharedForms(commands: readonly string[]): string[] {
  const formed = commands.map((command) => ({ command, form: withoutTargets(command) }));
  const targets = new Map<string, Set<string>>();
  for (const { command, form } of formed) targets.set(form, (targets.get(form) ?? new Set()).add(command));
  return formed.map(({ command, form }) => ((targets.get(form)?.size ?? 0) < fewestTargets ? command : form));
}

/** A file, a folder or a pattern after a command, but not all of them (`./...`). */
const target = /(?<=\s)(?!-)(?=\S*(?:\w[/\\]|[/\\]\w|\w\.\w|\*))[^\s&|;]+/gu;

function withoutTargets(command: string): string {
  return command.replace(target, "…").replace(/…(?:\s+…)+/gu, "…");
}

/**
 * The steps of a command line that certainly succeeded: the exit code of a line covers only its last step,
 * and those joined to it by `&&`. A `cd` becomes part of the steps after it; a step that was cut off is left
 * out.
 */
function stepsThatWentWell(line: string): string[] {
  const steps: string[] = [];
  let folder = ".";
  for (const { after, text } of commandParts(line)) {
    const step = text.trim();
    if (after === "|") steps.push(`${steps.pop() ?? ""} | ${step}`);
    else if (step !== "") {
      if (after !== "" && after !== "&&") steps.length = 0;
      if (/^cd\s/.test(step)) folder = folderAfter(folder, step.slice(2).trim());
      else steps.push(folder === "." ? step : `cd ${folder} && ${step}`);
    }
  }
  return steps.filter((step) => !step.endsWith("…"));
}

/** The folder after `cd to`; a path that only the shell can resolve stays as it is written. */
function folderAfter(folder: string, to: string): string {
  return isAbsolute(to) || /^[~$"'-]/.test(to) ? to : join(folder, to);
}

const otherMilestone =
  /(?:^|[\s.:])(?:i|add|ci|get|sync|install|publish|deploy|migrate|migration|commit|push|apply|upgrade)(?:$|[\s:])/iu;

function isBuildOrTest(command: string): boolean {
  return isMilestoneCommand(command) && !otherMilestone.test(command);
}
