import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const threadFile = fileURLToPath(new URL("../../dist/embedding-thread.cjs", import.meta.url));

/** Path of the built embedding thread; builds the program when there is no build. */
export function builtEmbeddingThread(): string {
  if (!existsSync(threadFile)) execFileSync("npm", ["run", "-s", "build"], { cwd: root, stdio: "ignore" });
  return threadFile;
}
