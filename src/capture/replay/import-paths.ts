import { existsSync } from "node:fs";
import { join } from "node:path";
import { isMemsvcError, MemsvcError } from "../../operation/errors.ts";
import { type Confinement, confinedPath } from "../../paths/confined.ts";
import { importCommand, transcriptFolders } from "./formats/transcript-folders.ts";
import type { FileProblem } from "./transcript-files.ts";

const otherAgents = Object.keys(transcriptFolders).filter((agent) => agent !== "claude-code");

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
  userHome: string,
  confinement: Confinement,
): ImportPaths {
  const at = (agent: string) => join(userHome, String(transcriptFolders[agent]));
  const [ofClaude = [], ofOthers = []] = [["claude-code"], otherAgents].map((agents) =>
    agents.filter((agent) => existsSync(at(agent))),
  );
  if (path === undefined && ofClaude.length === 0 && (!allAgents || ofOthers.length === 0))
    throw noTranscripts(at("claude-code"), ofOthers);
  const confined = (given: string) => confinedPath(given, "read", confinement);
  const paths = (path === undefined ? ofClaude.map(at) : [path]).map(confined);
  const problems: FileProblem[] = [];
  for (const folder of allAgents ? ofOthers.map(at) : []) {
    try {
      paths.push(confined(folder));
    } catch (error) {
      if (!isMemsvcError(error)) throw error;
      problems.push({ path: folder, error: error.message });
    }
  }
  return { paths, problems };
}

function noTranscripts(place: string, others: readonly string[]): MemsvcError {
  const [reason, hint] =
    others.length > 0
      ? [
          `no transcripts of Claude Code were found: there is no ${place}`,
          `for those of other agents: ${importCommand(others)}`,
        ]
      : [
          `no transcripts of agents were found: there is no ${place}`,
          "name a transcript, or a folder of them: memsvc replay import <path>",
        ];
  return new MemsvcError("not_found", reason, { hint });
}
