import { join } from "node:path";
import { statIfExists } from "../../paths/stat-if-exists.ts";
import type { ModelFiles } from "./folder.ts";

/**
 * Returns a function that looks at a model's weights and tells whether they have been replaced since. A file that is
 * still being written differs from one look to the next, so a change counts when two looks have seen the same.
 */
export function weightsReplaced({ folder, weights }: Pick<ModelFiles, "folder" | "weights">): () => boolean {
  const file = join(folder, weights);
  const used = stateOf(file);
  let last = used;
  return () => {
    const state = stateOf(file);
    const isSettled = state === last;
    last = state;
    return isSettled && state !== undefined && state !== used;
  };
}

function stateOf(file: string): string | undefined {
  const found = statIfExists(file);
  return found === undefined ? undefined : `${found.ino} ${found.size} ${found.mtimeMs}`;
}
