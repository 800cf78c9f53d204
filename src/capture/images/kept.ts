import { readFile } from "node:fs/promises";
import { errorCode } from "../../error-code.ts";
import type { Ground } from "../../ground.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import type { AgentFilter } from "../sessions/agent-scope.ts";
import type { Image } from "./decode.ts";
import { imagePath } from "./files.ts";
import { imageUses } from "./uses.ts";

/** A kept image without its content. */
export type KeptImage = Omit<Image, "content">;

/** A kept image that a reader may see; undefined when there is none. */
export async function findImage(sql: Sql, ref: string, agents: AgentFilter): Promise<KeptImage | undefined> {
  const uses = imageUses({ agents, sessionId: undefined });
  return firstRow<KeptImage>(
    sql,
    `SELECT ref, mime, extension FROM images
     WHERE ref = ?${agents.kind === "everyone" ? "" : ` AND ref IN (SELECT ref FROM ${uses.text})`}`,
    [ref, ...(agents.kind === "everyone" ? [] : uses.args)],
  );
}

/** The content of a kept image; undefined when its file is gone. */
export async function readKeptImage(ground: Ground, kept: KeptImage): Promise<Image | undefined> {
  try {
    return { ...kept, content: await readFile(imagePath(ground, kept)) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
