import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { imagesInSnapshots } from "../../governance/snapshots/images-in-snapshots.ts";
import type { Ground } from "../../ground.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import type { Image } from "./decode.ts";

/** What the name of an image's file is made from. */
export type ImageFile = Pick<Image, "ref" | "extension">;

export function imagesFolder(home: string): string {
  return join(home, "images");
}

/** The path of an image's file. */
export function imagePath({ home }: Pick<Ground, "home">, { ref, extension }: ImageFile): string {
  return join(imagesFolder(home), `${ref}.${extension}`);
}

/** The state of an image's file. `cut`: its length is wrong; `other`: something else has its name. */
export function imageFileState(
  ground: Pick<Ground, "home">,
  image: ImageFile,
  bytes: number,
): "whole" | "cut" | "missing" | "other" {
  const found = lstatSync(imagePath(ground, image), { throwIfNoEntry: false });
  if (found === undefined) return "missing";
  if (!found.isFile()) return "other";
  return found.size === bytes ? "whole" : "cut";
}

/**
 * Writes an image's file, readable by its owner only, unless it exists. Anything else with its name is left
 * alone.
 */
export async function keepImageFile(ground: Ground, image: Image): Promise<void> {
  const state = imageFileState(ground, image, image.content.length);
  if (state === "whole" || state === "other") return;
  const path = imagePath(ground, image);
  makeFolder(imagesFolder(ground.home));
  await writeDurably(path, image.content);
}

/** Removes the files of deleted images, except those that a snapshot refers to. */
export function removeImageFiles(ground: Ground, images: readonly ImageFile[]): void {
  const held = imagesInSnapshots(
    ground,
    images.map(({ ref }) => ref),
  );
  for (const image of images) if (!held.has(image.ref)) rmSync(imagePath(ground, image), { force: true });
}
