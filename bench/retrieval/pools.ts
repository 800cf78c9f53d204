import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { z } from "zod";

/** `docs` are in order of time; a query's answers are ids of documents of its own pool. */
const Pool = z.object({
  docs: z.array(z.tuple([z.string(), z.string(), z.string()])),
  queries: z.array(z.tuple([z.string(), z.array(z.string())])),
});
const EvaluationSet = z.object({ name: z.string(), pools: z.array(Pool) });

export type Pool = z.infer<typeof Pool>;
export type EvaluationSet = z.infer<typeof EvaluationSet>;

/** The evaluation sets of a folder: every `*.json.gz` in it that has pools with queries. */
export function* readSets(folder: string, only?: ReadonlySet<string>): Generator<EvaluationSet> {
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith(".json.gz") || only?.has(file.slice(0, -".json.gz".length)) === false) continue;
    const path = join(folder, file);
    const parsed = EvaluationSet.safeParse(JSON.parse(gunzipSync(readFileSync(path)).toString()));
    if (parsed.success) yield parsed.data;
  }
}
