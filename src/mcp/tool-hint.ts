import { catalogue } from "../operation/catalogue.ts";
import { optionName, positionalFields, wordsOf } from "../operation/command-syntax.ts";
import { smartSearch } from "../recall/search/operations.ts";
import { argumentsOf, type ToolOperation } from "./arguments.ts";
import { isTool, isToolOffered, type ToolSet } from "./tools.ts";

/*
 * The way out of an error, for agents. Services name commands (`take it first: memsvc lease acquire act_1 --agent-id
 * <who>`), which an agent has not; what it has is the tool of the same operation.
 */

/** Tools that find the same where the command has none of its own, or a less fitting one. */
const standIns: Readonly<Record<string, string>> = {
  search: "memory_smart_search",
  "memory list": "memory_smart_search",
  "action list": "memory_frontier",
};

interface CommandTool {
  readonly tool: string;
  /** Input fields that the command takes by their place. */
  readonly positionals: readonly string[];
  /** Input fields whose flags are not called as they are, by the flag. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Absent where another tool stands in: what the command is given is nothing for that. */
  readonly operation?: ToolOperation;
}

let made: ReadonlyMap<string, CommandTool> | undefined;

/** A hint in the names of the tools that are offered; undefined where it leads to none. */
export function toolHint(hint: string | undefined, set: ToolSet): string | undefined {
  const [, purpose, commands] = /^(.*?): memsvc (.*)$/su.exec(hint ?? "") ?? [];
  if (purpose === undefined || commands === undefined) return undefined;
  const tools = commands.split(/[,;] memsvc /u).flatMap((command) => toolCall(command, set) ?? []);
  return tools.length === 0 ? undefined : `${purpose}: ${[...new Set(tools)].join(", or ")}`;
}

/** `lease acquire act_1 --agent-id <who>`: memory_lease with operation acquire, actionId act_1. */
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

/** What the command says already; what stands in `<…>` or quotes is for whoever calls. */
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
    // A command beside the operations; its ids are what a search expands.
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
