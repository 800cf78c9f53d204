import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { rankSet } from "../index/ranked-set.ts";
import { MemsvcError } from "../operation/errors.ts";
import { parseJson } from "../operation/json.ts";
import type { CommandContext } from "./command.ts";
import { renderSearch } from "./render/search.ts";

const Texts = z.array(z.string()).catch([]);

const Found = z.object({
  id: z.string(),
  sessionId: z.string().catch(""),
  type: z.string().catch("other"),
  title: z.string().catch(""),
  concepts: Texts,
  files: Texts,
});

/** What is read of a backup; the rest of it does not matter to a search. */
const Backup = z.object({
  memories: z
    .array(Found.extend({ content: z.string(), createdAt: z.string(), isLatest: z.boolean().catch(true) }))
    .catch([]),
  observations: z
    .record(
      z.string(),
      z.array(Found.extend({ narrative: z.string().catch(""), facts: Texts, timestamp: z.string() })),
    )
    .catch({}),
});

const snippetLength = 300;

/** Ranks the records of an exported backup in memory, without a store. */
export async function searchExport(
  { terminal, globals }: CommandContext,
  file: string,
  input: Readonly<Record<string, unknown>>,
): Promise<number> {
  const records = recordsOf(readBackup(file));
  const limit = typeof input.limit === "number" ? input.limit : 10;
  const ranked = rankSet(records, String(input.query), records.length);
  const byId = new Map(records.map((record) => [record.id, record]));
  const results = ranked.slice(0, limit).flatMap(({ id, score }) => {
    const record = byId.get(id);
    if (record === undefined) return [];
    const { kind, sessionId, title, type, body, timestamp, files } = record;
    const narrative = body.slice(0, snippetLength);
    return [{ obsId: id, sessionId, title, type, score, timestamp, narrative, kind, files: [...files] }];
  });
  const answer = {
    success: true,
    mode: "compact" as const,
    results,
    totalCount: ranked.length,
    streams: ["keyword"],
  };
  terminal.print(globals.json ? JSON.stringify(answer) : renderSearch(answer, terminal));
  return results.length === 0 ? 3 : 0;
}

interface BackupRecord {
  readonly id: string;
  readonly kind: "memory" | "observation";
  readonly sessionId: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly concepts: string[];
  readonly files: string[];
  readonly timestamp: string;
}

function recordsOf({ memories, observations }: z.infer<typeof Backup>): BackupRecord[] {
  return [
    ...memories
      .filter(({ isLatest }) => isLatest)
      .map((memory) => ({
        ...memory,
        kind: "memory" as const,
        body: memory.content,
        timestamp: memory.createdAt,
      })),
    ...Object.values(observations)
      .flat()
      .map((one) => ({
        ...one,
        kind: "observation" as const,
        body: [one.narrative, ...one.facts].join("\n"),
      })),
  ];
}

function readBackup(file: string): z.infer<typeof Backup> {
  const value = parseJson(readText(file));
  const parsed = Backup.safeParse(value);
  if (
    parsed.success &&
    Object.keys(value as object).some((key) => key === "memories" || key === "observations")
  ) {
    return parsed.data;
  }
  throw new MemsvcError("invalid_input", `${file} is not an export of memsvc`, {
    hint: "make one with: memsvc export",
  });
}

function readText(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new MemsvcError("not_found", `${file} cannot be read`, { cause: error });
  }
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : bytes).toString("utf8");
}
