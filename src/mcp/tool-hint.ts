import { catalogue } from "../operation/catalogue.ts";
import { optionName, positionalFields, wordsOf } from "../operation/command-syntax.ts";
import { smartSearch } from "../recall/search/operations.ts";
import { argumentsOf, type ToolOperation } from "./arguments.ts";
import { isTool, isToolOffered, type ToolSet } from "./tools.ts";

/*
 * Error hints for agents. Services write hints as commands, such as
 * `take it first: memsvc lease acquire act_1 --agent-id <who>`; here they are translated into calls of the same
 * operation's tool, which every agent can make. If no tool does what the commands do, they are named as commands, for
 * agents with a shell and for the user.
 */

/** Tools that answer the same question as a command that has no tool, or whose own tool fits less. */
const standIns: Readonly<Record<string, string>> = {
  search: "memory_smart_search",
  "memory list": "memory_smart_search",
  "action list": "memory_frontier",
};

interface CommandTool {
  readonly tool: string;
  /** Input fields that the command takes as positional arguments, in order. */
  readonly positionals: readonly string[];
  /** Flags whose names differ from their input fields: flag to field. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Undefined for a stand-in, which does not take the command's arguments. */
  readonly operation?: ToolOperation;
}

let made: ReadonlyMap<string, CommandTool> | undefined;

/** Translates a hint into the names of offered tools, if it is about commands; undefined otherwise. */
export function toolHint(hint: string | undefined, set: ToolSet): string | undefined {
  const [, purpose, text] = /^(.*?): memsvc (.*)$/su.exec(hint ?? "") ?? [];
  if (purpose === undefined || text === undefined) return undefined;
  const commands = text.split(/[,;] memsvc /u);
  const tools = commands.flatMap((command) => toolCall(command, set) ?? []);
  const ways = tools.length === 0 ? commands.map(commandCall) : [...new Set(tools)];
  return `${purpose}: ${ways.join(", or ")}`;
}

/** Example: `health; the lock is …` becomes "the command `memsvc health`; the lock is …". */
function commandCall(text: string): string {
  const [command = text] = text.split("; ");
  return `the command \`memsvc ${command}\`${text.slice(command.length)}`;
}

/** Example: `lease acquire act_1 --agent-id <who>` becomes "memory_lease with operation acquire, actionId act_1". */
function toolCall(command: string, set: ToolSet): string | undefined {
  const words = command.match(/"[^"]*"|\S+/gu) ?? [];
  for (const length of [2, 1]) {
    const found = commandTools().get(words.slice(0, length).join(" "));
    if (found === undefined) continue;
    if (!isToolOffered(found.tool, set)) return undefined;
    const given = givenArguments(found, words.slice(length));
    return given.length === 0 ? found.tool : `${found.tool} with ${given.join(", ")}`;
  }
  return undefined;
}

/**
 * The arguments that the command's words already give. Placeholders (`<…>`, `…`) are left for the caller to fill in.
 */
function givenArguments(
  { operation, positionals, renamed }: CommandTool,
  words: readonly string[],
): string[] {
  if (operation === undefined) return [];
  const { chosenBy } = operation.mcp;
  const known = argumentsOf(operation);
  const byField = new Map<string, string>();
  const places = [...positionals];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const flag = /^--(.+)$/u.exec(word)?.[1];
    const field = flag === undefined ? places.shift() : (renamed?.get(flag) ?? optionName(flag));
    const value = flag === undefined ? word : (words[++at] ?? "");
    if (field !== undefined && !/^<|…|^$/u.test(value)) byField.set(field, value);
  }
  return [
    ...(chosenBy === undefined ? [] : [`${chosenBy.argument} ${chosenBy.value}`]),
    ...known.flatMap(({ name, field }) => (byField.has(field) ? [`${name} ${byField.get(field)}`] : [])),
  ];
}

function commandTools(): ReadonlyMap<string, CommandTool> {
  made ??= new Map<string, CommandTool>([
    ...catalogue.flatMap((operation): [string, CommandTool][] => {
      if (operation.cli === undefined || !isTool(operation)) return [];
      const { cli, mcp } = operation;
      const positionals = positionalFields(cli.command).map(({ field }) => field);
      const renamed = new Map(Object.entries(cli.flags ?? {}).map(([field, flag]) => [flag, field]));
      return [[wordsOf(cli.command), { tool: mcp.tool, positionals, renamed, operation }]];
    }),
    ...Object.entries(standIns).map(([command, tool]): [string, CommandTool] => [
      command,
      { tool, positionals: [] },
    ]),
    // `show` is a command without an operation of its own; its ids are the ones that a search expands.
    ...(isTool(smartSearch)
      ? [
          [
            "show",
            { tool: smartSearch.mcp.tool, positionals: ["expandIds"], operation: smartSearch },
          ] as const,
        ]
      : []),
  ]);
  return made;
}
