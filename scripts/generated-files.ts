import { programHelp } from "../src/cli/program.ts";
import { settingsReference } from "../src/config/reference.ts";
import { readForms } from "../src/text/abbreviations.ts";
import { readSynonyms } from "../src/text/synonyms.ts";
import { readToolKinds } from "../src/text/tool-kinds.ts";
import { commandTable, commandTablePath } from "./command-table.ts";
import { completionScripts } from "./completion-scripts.ts";

/** The text of every file that is generated from the declarations, by path. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    [commandTablePath]: await commandTable(),
    "src/cli/help/help.generated.ts": helpModule(),
    ...tokenModules(),
    ...generatedTexts(),
  };
}

/** Those that are no modules, which a test compares with the repository as they are. */
export function generatedTexts(): Record<string, string> {
  return { "docs/config.md": settingsReference(), ...completionScripts() };
}

/** The module that holds the text of `memsvc --help`. */
export function helpModule(): string {
  const lines = programHelp().split("\n");
  return `// Made by \`npm run generate\` from the commands' declarations; a test fails when it is stale.
export const help = [
${lines.map((line) => `  ${JSON.stringify(line)},`).join("\n")}
].join("\\n");
`;
}

/** The modules that hold tables of words by index token. */
function tokenModules(): Record<string, string> {
  return {
    ...tokenModule("abbreviations", "formsByToken", readForms()),
    ...tokenModule("synonyms", "synonymsByToken", readSynonyms()),
    ...tokenModule("tool-kinds", "namesByKind", readToolKinds()),
  };
}

function tokenModule(table: string, name: string, tokens: ReadonlyMap<string, readonly string[]>) {
  const text = `// Made by \`npm run generate\` from ${table}.ts and the rules for tokens; a test fails when it is stale.
export const ${name}: ReadonlyMap<string, readonly string[]> = new Map([
${[...tokens].map((entry) => `  ${JSON.stringify(entry)},`).join("\n")}
]);
`;
  return { [`src/text/${table}.generated.ts`]: text };
}
