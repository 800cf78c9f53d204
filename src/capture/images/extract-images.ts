import { readFile, stat } from "node:fs/promises";
import type { Ground } from "../../ground.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { confinedPath } from "../../paths/confined.ts";
import { eventDataObject } from "../observations/event-data.ts";
import { type Decoded, decodeImage, type Image, imageOf, mostImageBytes, tooLarge } from "./decode.ts";
import { keepImageFile } from "./files.ts";
import { type Candidate, imageCandidates, withTexts } from "./image-candidates.ts";

interface Taken {
  /** The event's data, with references in place of images. */
  readonly data: unknown;
  /** The images found, in their order; their files have been written. */
  readonly images: readonly Image[];
}

const leftOut = "[image left out]";

/**
 * Moves the images of an event's data to files. Files are written before the rows that refer to them: a file
 * without a row does no harm, a row without its file would. Undefined when there are no images.
 */
export async function extractImages(ground: Ground, data: unknown, cwd: string): Promise<Taken | undefined> {
  const candidates = imageCandidates(data);
  if (candidates.length === 0) return undefined;
  const images = new Map<string, Image>();
  const replacements = new Map<string, string>();
  const reasons = new Set<string>();
  for (const candidate of candidates) {
    const decoded = await decodedOf(ground, candidate, cwd);
    if (decoded?.kind === "image") {
      images.set(decoded.image.ref, decoded.image);
      if (candidate.kind !== "path") replacements.set(candidate.text, decoded.image.ref);
    } else if (decoded !== undefined && candidate.kind !== "maybe") {
      reasons.add(decoded.reason);
      if (decoded.tooLarge && candidate.kind === "content") replacements.set(candidate.text, leftOut);
    }
  }
  for (const image of images.values()) await keepImageFile(ground, image);
  return { data: told(data, replacements, [...reasons]), images: [...images.values()] };
}

async function decodedOf(
  ground: Ground,
  { kind, text }: Candidate,
  cwd: string,
): Promise<Decoded | undefined> {
  return kind === "path" ? readImage(ground, text, cwd) : decodeImage(text);
}

/** The image at a path in an event. A path that may not be read, or that is no file, is just text. */
async function readImage(ground: Ground, path: string, cwd: string): Promise<Decoded | undefined> {
  try {
    const roots = ground.settings.allowedRoots;
    const place = confinedPath(path, "read", { roots, cwd, home: ground.home });
    const found = await stat(place);
    if (!found.isFile()) return undefined;
    if (found.size > mostImageBytes) return tooLarge();
    return imageOf(await readFile(place));
  } catch (error) {
    if (!isMemsvcError(error))
      ground.log("debug", "an image could not be read from its path", { error: String(error) });
    return undefined;
  }
}

/** The data to store: references in place of images, and the reasons why expected images are missing. */
function told(data: unknown, replacements: ReadonlyMap<string, string>, reasons: readonly string[]): unknown {
  // Data that is an image as a whole becomes an object with that image.
  const named = typeof data === "string" && replacements.has(data) ? { imageData: data } : data;
  const kept = replacements.size === 0 ? named : withTexts(named, replacements);
  if (reasons.length === 0) return kept;
  const imageError = reasons.join("; ");
  return { ...eventDataObject(kept), imageError };
}
