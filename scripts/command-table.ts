import * as z from "zod";
import { type Family, families } from "../src/cli/operations/families.ts";
import type { FlagDefinition, OperationEntry, Positional } from "../src/cli/operations/operation-entry.ts";
import { groupBy } from "../src/group-by.ts";
import { flagName, positionalFields } from "../src/operation/command-syntax.ts";
import type { Operation } from "../src/operation/define.ts";
import { inputJsonSchema, textKinds } from "../src/operation/text-kinds.ts";

export const commandTablePath = "src/cli/operations/operations.generated.ts";

/** What the command line has to know of all operations without loading their declarations. */
export async function operationEntries(): Promise<OperationEntry[]> {
  const entries: OperationEntry[] = [];
  for (const family of Object.keys(families) as Family[]) {
    const members: readonly Operation[] = await families[family]();
    for (const operation of members) {
      if (operation.http !== undefined) entries.push(entryOf(family, operation, operation.http));
    }
  }
  return entries;
}

function entryOf(family: Family, operation: Operation, http: NonNullable<Operation["http"]>): OperationEntry {
  const { id, cli, mcp, summary, bare, hits } = operation;
  const { method, path } = http;
  const isReadingPost = method === "POST" && (http.readOnly === true || mcp?.effects === "read");
  const sent: OperationEntry = {
    id,
    family,
    http: { method, path, ...(isReadingPost ? { readOnly: true } : {}) },
    ...(bare === undefined ? {} : { bare: { field: bare.field } }),
    ...(hits === undefined ? {} : { hits }),
  };
  // observe has a command of its own, which reads its input from stdin.
  if (cli === undefined || id === "observations.observe") return sent;
  const { command: usage, examples, flags: _names, ...behaviour } = cli;
  return {
    ...sent,
    command: {
      usage,
      summary,
      examples,
      positionals: positionalsOf(operation),
      flags: flagsOf(operation),
      ...behaviour,
    },
  };
}

function positionalsOf({ cli, input }: Operation): Positional[] {
  const kinds = textKinds(input);
  const { properties } = inputJsonSchema(input);
  return positionalFields(cli?.command ?? "").map(({ field, variadic }) => {
    const property = properties?.[field];
    const shape = { field, kind: kinds.get(field) ?? "text", variadic, description: descriptionOf(property) };
    return { ...shape, ...choicesOf(property), ...defaultOf(property) };
  });
}

/** One flag per input field that is not positional. */
function flagsOf(operation: Operation): FlagDefinition[] {
  const inPlace = new Set(positionalsOf(operation).map(({ field }) => field));
  const json = inputJsonSchema(operation.input);
  // A list that may also be sent as one comma-separated string only shows its items' type in the output schema.
  const read = z.toJSONSchema(operation.input, { io: "output", unrepresentable: "any" });
  const flags = [...textKinds(operation.input)]
    .filter(([field]) => !inPlace.has(field))
    .flatMap(([field, kind]): FlagDefinition[] => {
      const property = json.properties?.[field];
      const name = operation.cli?.flags?.[field] ?? flagName(field);
      const description = descriptionOf(property);
      const choices = choicesOf(property, read.properties?.[field]);
      const shown = field === "limit" ? operation.cli?.rowsForPeople : undefined;
      const flag = { field, name, kind, description, ...choices, ...defaultOf(property, shown) };
      const holdsUnlessDenied = typeof property === "object" && property.default === true;
      return holdsUnlessDenied
        ? [flag, { ...flag, name: `no-${name}`, description: `undoes --${name}, which holds otherwise` }]
        : [flag];
    });
  // Two spellings of a field (`token_budget`, `tokenBudget`) give one flag.
  return flags.filter(({ name }, at) => flags.findIndex((other) => other.name === name) === at);
}

type Property = z.core.JSONSchema._JSONSchema | undefined;

function descriptionOf(property: Property): string {
  return typeof property === "object" ? (property.description ?? "") : "";
}

/** The default that the help mentions; not an empty text, 0 or a boolean, which go without saying. */
function defaultOf(property: Property, onTerminal?: number): { default?: string } {
  const value = typeof property === "object" ? property.default : undefined;
  if (typeof value === "string" ? value === "" : typeof value !== "number" || value === 0) return {};
  return { default: onTerminal === undefined ? `${value}` : `${onTerminal} on a terminal, else ${value}` };
}

function choicesOf(given: Property, read?: Property): { choices?: string[] } {
  if (typeof given !== "object") return {};
  const choices = given.enum ?? itemsOf(given) ?? itemsOf(read);
  return choices === undefined ? {} : { choices: choices.map(String) };
}

function itemsOf(property: Property): unknown[] | undefined {
  if (typeof property !== "object" || typeof property.items !== "object") return undefined;
  return Array.isArray(property.items) ? undefined : property.items.enum;
}

/** A flag that at least so many commands have is written once: the command line loads the table at every start. */
const fewestSharing = 10;

/** The flags that many commands have, as JSON, by the name of their constant. */
function sharedFlags(entries: readonly OperationEntry[]): Map<string, string> {
  const flags = entries.flatMap(({ command }) => command?.flags ?? []);
  const uses = groupBy(flags, (flag) => JSON.stringify(flag));
  const shared = new Map<string, string>();
  for (const [json, [flag, ...others]] of uses) {
    if (others.length + 1 < fewestSharing) continue;
    const name = `${flag.field}Flag`;
    if (shared.has(name)) throw new Error(`two flags of many commands would be called ${name}`);
    shared.set(name, json);
  }
  return shared;
}

/** The text of the module that holds these entries. */
export async function commandTable(): Promise<string> {
  const entries = await operationEntries();
  const shared = sharedFlags(entries);
  const rows = entries.map((entry) => {
    let json = JSON.stringify(entry);
    for (const [name, flag] of shared) json = json.replaceAll(flag, name);
    return `  ${JSON.stringify(entry.id)}: ${json},`;
  });
  return `// Made by \`npm run generate\` from the operations' declarations; a test fails when it is stale.
import type { OperationEntry } from "./operation-entry.ts";

${Array.from(shared, ([name, flag]) => `const ${name} = ${flag} as const;`).join("\n")}

export const operationTable = {
${rows.join("\n")}
} as const satisfies Record<string, OperationEntry>;
`;
}
