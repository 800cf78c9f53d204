import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandTable, commandTablePath } from "./command-table.ts";

/** Writes every file that is made from the declarations: `npm run generate`. */
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

// Written before the others are loaded, because the help imports this file.
write(commandTablePath, await commandTable());
const { generatedFiles } = await import("./generated-files.ts");
for (const [path, text] of Object.entries(await generatedFiles())) write(path, text);
