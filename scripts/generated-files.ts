import { settingsReference } from "../src/config/reference.ts";
import { commandTable } from "./command-table.ts";
import { completionScripts } from "./completion-scripts.ts";

/** Path in the repository → text, for every file that is made from the declarations. A test compares them. */
export async function generatedFiles(): Promise<Record<string, string>> {
  return {
    "src/cli/operations.generated.ts": await commandTable(),
    "docs/config.md": settingsReference(),
    ...completionScripts(),
  };
}
