import { existsSync } from "node:fs";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import type { UserPlace } from "../../paths/application-data.ts";
import { type Confinement, confinedPath } from "../../paths/confined.ts";
import { claudeFolder, importCommand, otherHistoryFolders } from "./formats/transcript-folders.ts";
import type { FileProblem } from "./transcript-files.ts";

interface ImportPaths {
  readonly paths: readonly string[];
  readonly problems: readonly FileProblem[];
}

export interface AskedPaths {
  readonly path?: string | undefined;
  /** Whether the folders of all other agents are meant, too. */
  readonly allAgents?: boolean | undefined;
}

/**
 * Where an import looks for transcripts: at its path, or in the folder of Claude Code, and in the folders of the other
 * agents if they are meant. One that nobody named may be out of reach; that is told. Errors: forbidden; not_found if
 * there is nothing to look at.
 */
export function importPaths(
  { path, allAgents = false }: AskedPaths,
  place: UserPlace,
  confinement: Confinement,
): ImportPaths {
  const confined = (given: string) => confinedPath(given, "read", confinement);
  const usual = claudeFolder(place);
  const paths = path !== undefined || existsSync(usual) ? [confined(path ?? usual)] : [];
  if (paths.length > 0 && !allAgents) return { paths, problems: [] };
  const others = otherHistoryFolders(place);
  if (paths.length === 0 && !(allAgents && others.length > 0)) throw noTranscripts(usual, others, place);
  const problems: FileProblem[] = [];
  for (const folder of others) {
    try {
      paths.push(confined(folder));
    } catch (error) {
      if (!isMemsvcError(error)) throw error;
      problems.push({ path: folder, error: error.message });
    }
  }
  return { paths, problems };
}

function noTranscripts(usual: string, others: readonly string[], place: UserPlace): MemsvcError {
  return others.length > 0
    ? new MemsvcError("not_found", `no transcripts of Claude Code were found: there is no ${usual}`, {
        hint: `for those of other agents: ${importCommand(others, place)}`,
      })
    : new MemsvcError("not_found", `no transcripts of agents were found: there is no ${usual}`, {
        hint: "name a transcript, or a folder of them: memsvc replay import <path>",
      });
}
