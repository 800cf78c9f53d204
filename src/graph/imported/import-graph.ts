import { readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { confinedPath } from "../../paths/confined.ts";
import { expandHome } from "../../paths/expand-home.ts";
import { unlessUnreadable } from "../../paths/system-refusal.ts";
import type { ImportAnswer } from "../answers.ts";
import { putLayer } from "../storage/put-layer.ts";
import { putPending } from "../structural/put-pending.ts";
import { readGraphFile } from "./graph-file.ts";

interface Services {
  readonly projects: Projects;
  readonly audit: Audit;
}

export interface ImportInput {
  readonly path?: string | undefined;
  readonly cwd?: string | undefined;
  readonly project?: string | undefined;
}

/** Where the file is, and the project that its nodes will belong to. */
interface ImportPlace {
  readonly path: string;
  readonly cwd: string;
  readonly project: string;
}

export interface ImportWork extends ImportPlace {
  readonly by?: AskedBy;
}

const mostBytes = 32 * 1_048_576;

/** The file and project of an import request, with defaults filled in. Errors: forbidden, not_found. */
export function importPlace({ settings, home }: Ground, input: ImportInput): ImportPlace {
  const cwd = resolve(expandHome(input.cwd ?? process.cwd()));
  const given = input.path ?? join(cwd, "graphify-out", "graph.json");
  const path = confinedPath(given, "read", { roots: settings.allowedRoots, cwd, home });
  return { path, cwd, project: input.project ?? (basename(cwd) || cwd) };
}

/**
 * Puts the graph file of another tool into the graph; a second import of the same file changes nothing. Errors:
 * forbidden, not_found, invalid_input, too_large.
 */
export async function importGraph(
  ground: Ground,
  { projects, audit }: Services,
  work: ImportWork,
  jobId: string | undefined,
): Promise<ImportAnswer> {
  const { path } = importPlace(ground, work);
  const text = await unlessUnreadable(path, async () => readBounded(path));
  const file = await readGraphFile(text, path);
  return ground.store.writeAlone(async (tx) => {
    await putPending(tx.sql, ground);
    const put = await putLayer(tx.sql, ground, {
      origin: "import",
      project: work.project,
      projectKey: await projects.writeKey(tx.sql, work.project, work.cwd),
      nodes: file.nodes,
      edges: file.edges,
      sources: [],
      fresh: false,
    });
    const answer: ImportAnswer = {
      path,
      nodesRead: file.nodesRead,
      edgesRead: file.edgesRead,
      nodesImported: file.nodes.length,
      edgesImported: file.edges.length,
      newNodes: put.nodesAdded,
      newEdges: put.edgesAdded,
      skippedEdges: file.skippedEdges,
      truncated: file.truncated,
    };
    if (Object.values(put).some((count) => count > 0)) {
      const { truncated: _truncated, ...counts } = answer;
      await audit.recordUnscoped(tx, work.by, {
        operation: "graph_import",
        functionId: "graph.import",
        targetIds: [],
        details: { ...counts, jobId },
      });
    }
    return answer;
  });
}

function readBounded(path: string): string {
  const stat = statSync(path);
  if (!stat.isFile()) {
    throw new MemsvcError("invalid_input", `${path} is not a file`, { hint: "name the graph file itself" });
  }
  if (stat.size > mostBytes) {
    throw new MemsvcError("too_large", `${path} has ${stat.size} bytes; ${mostBytes} are read at the most`, {
      extra: { limit: mostBytes },
    });
  }
  // TextDecoder drops the byte order mark that some editors write.
  return new TextDecoder().decode(readFileSync(path));
}
