import { programHelp } from "../src/cli/program.ts";
import { settingsReference } from "../src/config/reference.ts";
import { readForms } from "../src/text/abbreviations.ts";
import { commandTable, commandTablePath } from "./command-table.ts";
import { completionScripts } from "./completion-scripts.ts";

/** The text of every file that is generated from the declarations, by path. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    [commandTablePath]: await commandTable(),
    "src/cli/help/help.generated.ts": helpModule(),
    "src/text/abbreviations.generated.ts": abbreviationsModule(),
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

/** The module that holds the abbreviations by index token. */
function abbreviationsModule(): string {
  return `// Made by \`npm run generate\` from abbreviations.ts and the rules for tokens; a test fails when it is stale.
export const formsByToken: ReadonlyMap<string, readonly string[]> = new Map([
${[...readForms()].map((entry) => `  ${JSON.stringify(entry)},`).join("\n")}
]);
`;
}
