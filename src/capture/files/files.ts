import type { AskedBy, Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { LongRuns } from "../../jobs/long-runs.ts";
import type { Queued } from "../../operation/long-operation.ts";
import type { DryRun } from "../../store/store.ts";
import type { CompressFileAnswer } from "./answers.ts";

const compressJobKind = "file.compress";

interface CompressInput extends DryRun {
  readonly filePath: string;
  readonly cwd?: string | undefined;
}

/** Operations on a file of the user's. */
export interface Files {
  /**
   * Shortens a Markdown file: answers with the result if that takes at most `waitMs`, else with the job.
   * Errors: forbidden, not_found, invalid_input, too_large, conflict.
   */
  compress(input: CompressInput, waitMs: number, by: AskedBy): Promise<CompressFileAnswer | Queued>;
}

interface Services {
  readonly audit: Audit;
  readonly longRuns: LongRuns;
}

export function filesOver(ground: Ground, { audit, longRuns }: Services): Files {
  // Loaded by the first request: most commands open the core without one.
  const load = () => import("./compress-file.ts");
  longRuns.register(compressJobKind, async ({ id, payload }) => {
    const { compressFile, CompressionPayload } = await load();
    const { path, textHash, by } = CompressionPayload.parse(payload);
    return compressFile(ground, audit, path, by, { id, textHash });
  });
  const underWay = new Map<string, Promise<CompressFileAnswer>>();
  /** A second request for the same file joins the first. */
  const together = (path: string, work: () => Promise<CompressFileAnswer>) => {
    const running = underWay.get(path) ?? work().finally(() => underWay.delete(path));
    underWay.set(path, running);
    return running;
  };
  return {
    compress: async (input, waitMs, by) => {
      const { compressFile, markdownFile, textHash, tryCompression } = await load();
      const path = markdownFile(ground, input);
      // A dry run is always waited for: it leaves nothing behind, so no job either.
      if (input.dryRun === true) return tryCompression(ground, path);
      // Rules are quick; only a model may take longer than a request.
      if (ground.llm.provider === "noop") return together(path, () => compressFile(ground, audit, path, by));
      const payload = { path, textHash: await textHash(path), by: audit.effective(by) };
      return longRuns.run<CompressFileAnswer>({ kind: compressJobKind, key: path, payload }, waitMs);
    },
  };
}
