import { copyDatabase, inspectDatabase, type RowCounts } from "./database-file.ts";
import { schemaVersion } from "./migrate.ts";

/** Long work on whole database files, on this thread or another. */
export interface FileWork {
  /** See copyDatabase. */
  copy(from: string, to: string): Promise<void>;
  /** See inspectDatabase; accepts schemas up to this program's version. */
  inspect(path: string, tables: readonly string[]): Promise<RowCounts>;
}

export type FileTask =
  | { readonly kind: "copy"; readonly from: string; readonly to: string }
  | { readonly kind: "inspect"; readonly path: string; readonly tables: readonly string[] };

/** Runs on the caller's thread, for commands, which have nothing else to do meanwhile. */
export const inlineFileWork: FileWork = {
  copy: async (from, to) => copyDatabase(from, to),
  inspect: async (path, tables) => inspectDatabase(path, schemaVersion, tables),
};

export function runFileTask(task: FileTask): Promise<RowCounts | undefined> {
  switch (task.kind) {
    case "copy":
      return inlineFileWork.copy(task.from, task.to).then(() => undefined);
    case "inspect":
      return inlineFileWork.inspect(task.path, task.tables);
  }
}
