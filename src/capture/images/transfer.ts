import * as z from "zod";
import { type Collection, collection, type Writing } from "../../governance/transfer/collection.ts";
import { FileId, FileText, FileTexts, FileTime } from "../../governance/transfer/file-fields.ts";
import { timeText } from "../../operation/fields.ts";
import { recordOf } from "../../operation/record-of.ts";
import { firstColumn, type Sql } from "../../store/sql.ts";
import { type Image, imageOf, isBase64, mostImageBytes } from "./decode.ts";
import { imageFileState, keepImageFile } from "./files.ts";
import { formatOfMime, type ImageFormat } from "./format.ts";
import { notePin } from "./links.ts";
import { imageRecords } from "./record.ts";
import { imageReference } from "./reference.ts";
import { readStoredImage } from "./stored-image.ts";

const pageSize = 500;
const longestBase64 = Math.ceil(mostImageBytes / 3) * 4;

/** A request that stored the image. */
const Pin = z.object({ sessionId: FileId.optional(), agentId: FileId.optional(), createdAt: FileTime });

const fields = {
  imageRef: FileText.regex(imageReference, { message: "must be a SHA-256 in hex", abort: true }),
  mime: FileText.default(""),
  createdAt: FileTime,
  /** All observations that the image came with; an observation itself names only one image. */
  observationIds: FileTexts,
  pins: z.array(Pin).default(() => []),
  dataBase64: FileText.max(longestBase64, { message: "must hold at most 10 MiB", abort: true })
    .refine(isBase64, { message: "must be base64", abort: true })
    .optional(),
};

const ImageInFile = z.object(fields).check(({ value, issues }) => {
  const { imageRef, dataBase64, mime } = value;
  if (dataBase64 === undefined) return;
  const decoded = imageOf(Buffer.from(dataBase64, "base64"), mime);
  const refuse = (message: string) =>
    issues.push({ code: "custom", path: ["dataBase64"], message, input: imageRef });
  if (decoded.kind === "none") refuse(decoded.reason);
  else if (decoded.image.ref !== imageRef) refuse("must be the bytes that imageRef is the SHA-256 of");
});
type ImageInFile = z.output<typeof ImageInFile>;

/** Images that something refers to, with their bytes if requested. */
export const imageCollection: Collection = collection<ImageInFile>({
  name: "images",
  schema: ImageInFile,
  fields: new Set([...Object.keys(fields), "bytes", "refCount"]),
  pages: async function* ({ connection, home, includeImages }) {
    const limit = includeImages ? 1 : pageSize;
    for (let after = ""; ; ) {
      const page = await imageRecords(connection.sql, { after, limit });
      const last = page.at(-1);
      if (last === undefined) return;
      after = last.imageRef;
      const texts: string[] = [];
      for (const { extension, ...record } of page) {
        const names = await namesOf(connection.sql, record.imageRef);
        // A forgotten image that the sweep has not deleted yet.
        if (names.observationIds.length + names.pins.length === 0) continue;
        const kept = { ref: record.imageRef, mime: record.mime, extension };
        // Checks the bytes: a file that has changed would make the whole export unusable.
        const image = includeImages ? await readStoredImage({ home }, kept) : undefined;
        const bytes =
          image === undefined ? {} : { dataBase64: Buffer.from(image.content).toString("base64") };
        texts.push(JSON.stringify({ ...record, ...names, ...bytes }));
      }
      if (texts.length > 0) yield texts.join(",");
    }
  },
  put: async (writing, given) => {
    let written = 0;
    for (const one of given) if (await put(writing, one)) written += 1;
    return written;
  },
  clear: async ({ tx }) => {
    // The files stay until the sweep finds that nothing refers to them, or an image of this import uses them.
    return (await tx.sql.run("DELETE FROM images")).changes;
  },
});

/** The links and pins of an image. */
async function namesOf(sql: Sql, ref: string) {
  const linked = "SELECT observation_id FROM image_links WHERE ref = ? ORDER BY observation_id";
  const pins = await sql.all<{ sessionId: string | null; agentId: string | null; createdAt: number }>(
    `SELECT session_id AS sessionId, agent_id AS agentId, created_at AS createdAt FROM image_pins
     WHERE ref = ? ORDER BY created_at, session_id, agent_id`,
    [ref],
  );
  return {
    observationIds: await firstColumn(sql, linked, [ref]),
    pins: pins.map((pin) => recordOf<z.input<typeof Pin>>({ ...pin, createdAt: timeText(pin.createdAt) })),
  };
}

/** Stores an image, if its bytes are in the file or stored already. Returns whether anything changed. */
async function put({ tx, ground, warn, dryRun }: Writing, one: ImageInFile): Promise<boolean> {
  const { imageRef: ref } = one;
  const given = imageIn(one);
  const format = given ?? formatOfMime(one.mime);
  const [known] = await tx.sql.all<{ extension: string; bytes: number }>(
    "SELECT extension, bytes FROM images WHERE ref = ?",
    [ref],
  );
  const mime = format?.mime ?? one.mime;
  const kept = { ref, mime, extension: known?.extension ?? format?.extension ?? "" };
  const isWhole = known !== undefined && imageFileState(ground, kept, known.bytes) === "whole";
  const image = given ?? (known === undefined ? await readStoredImage(ground, kept) : undefined);
  if (image === undefined && !isWhole) {
    warn(
      "images: those whose bytes are neither in the file nor here were left out (export with includeImages)",
    );
    return false;
  }
  if (given !== undefined && dryRun !== true) await keepImageFile(ground, { ...given, ...kept });
  const isNamed = [await link(tx.sql, one), await pin(tx.sql, one)].includes(true);
  if (image === undefined || known !== undefined) return isNamed || !isWhole;
  await tx.sql.run(
    "INSERT INTO images (ref, mime, extension, bytes, created_at, used_at) VALUES (?, ?, ?, ?, ?5, ?5)",
    [ref, mime, kept.extension, image.content.length, one.createdAt],
  );
  return true;
}

function imageIn({ dataBase64, mime }: ImageInFile): (Image & ImageFormat) | undefined {
  if (dataBase64 === undefined) return undefined;
  const decoded = imageOf(Buffer.from(dataBase64, "base64"), mime);
  return decoded.kind === "image" ? decoded.image : undefined;
}

async function link(sql: Sql, { imageRef, observationIds }: ImageInFile): Promise<boolean> {
  if (observationIds.length === 0) return false;
  const { changes } = await sql.run(
    `INSERT INTO image_links (observation_id, ref)
     SELECT id, ?2 FROM observations WHERE id IN (SELECT value FROM json_each(?1))
     ON CONFLICT (observation_id, ref) DO NOTHING`,
    [JSON.stringify(observationIds), imageRef],
  );
  return changes > 0;
}

async function pin(sql: Sql, { imageRef, pins }: ImageInFile): Promise<boolean> {
  let isNew = false;
  for (const one of pins) if (await notePin(sql, imageRef, one)) isNew = true;
  return isNew;
}
