import { readFile, stat } from "node:fs/promises";
import type { Ground } from "../../ground.ts";
import { isReadable } from "../../paths/is-readable.ts";
import { firstRow, type Sql } from "../../store/sql.ts";
import { isMissing } from "../../system/error-code.ts";
import type { AgentFilter } from "../sessions/agent-scope.ts";
import { type Image, imageRefOf, mostImageBytes } from "./decode.ts";
import { imagePath } from "./files.ts";
import { imageUses } from "./uses.ts";

/** A stored image without its content. */
export type StoredImage = Omit<Image, "content">;

/** A stored image that a reader may see; undefined when there is none. */
export async function findImage(
  sql: Sql,
  ref: string,
  agents: AgentFilter,
): Promise<StoredImage | undefined> {
  const uses = imageUses({ agents, sessionId: undefined });
  return firstRow<StoredImage>(
    sql,
    `SELECT ref, mime, extension FROM images WHERE ref = ? AND ref IN (SELECT ref FROM ${uses.text})`,
    [ref, ...uses.args],
  );
}

/** The content of a stored image; undefined when its file is missing, unreadable or changed. */
export async function readStoredImage(
  ground: Pick<Ground, "home">,
  kept: StoredImage,
): Promise<Image | undefined> {
  const content = await contentOf(imagePath(ground, kept));
  return content === undefined || imageRefOf(content) !== kept.ref ? undefined : { ...kept, content };
}

/** Only reads ordinary files: reading from a pipe would block. */
async function contentOf(path: string): Promise<Uint8Array | undefined> {
  if (!isReadable(path)) return undefined;
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= mostImageBytes ? await readFile(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
