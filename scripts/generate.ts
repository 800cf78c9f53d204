import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generatedFiles } from "./generated-files.ts";

/** Writes every file that is made from the declarations: `npm run generate`. */
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
for (const [path, text] of Object.entries(await generatedFiles())) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
