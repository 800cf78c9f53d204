import { lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import { imagesInSnapshots } from "../../governance/snapshots/images-in-snapshots.ts";
import type { Ground } from "../../ground.ts";
import { writeDurably } from "../../paths/durable-file.ts";
import { makeFolder } from "../../paths/make-folder.ts";
import type { Image } from "./decode.ts";

export function imagesFolder(home: string): string {
  return join(home, "images");
}

/** Where an image is kept. */
export function imagePath(
  { home }: Pick<Ground, "home">,
  { ref, extension }: Pick<Image, "ref" | "extension">,
): string {
  return join(imagesFolder(home), `${ref}.${extension}`);
}

/** What stands where an image is kept. `cut`: a file of another length than it had. */
export function imageFileState(
  ground: Pick<Ground, "home">,
  image: Pick<Image, "ref" | "extension">,
  bytes: number,
): "whole" | "cut" | "missing" | "other" {
  const found = lstatSync(imagePath(ground, image), { throwIfNoEntry: false });
  if (found === undefined) return "missing";
  if (!found.isFile()) return "other";
  return found.size === bytes ? "whole" : "cut";
}

/** Writes an image's file, readable by its owner alone, unless it is there. What else has its name is left alone. */
export async function keepImageFile(ground: Ground, image: Image): Promise<void> {
  const state = imageFileState(ground, image, image.content.length);
  if (state === "whole" || state === "other") return;
  const path = imagePath(ground, image);
  makeFolder(imagesFolder(ground.home));
  await writeDurably(path, image.content);
}

/** Removes the files of images that the store has no more, but for those that a snapshot refers to. */
export function removeImageFiles(ground: Ground, images: readonly Pick<Image, "ref" | "extension">[]): void {
  const held = imagesInSnapshots(
    ground,
    images.map(({ ref }) => ref),
  );
  for (const image of images) if (!held.has(image.ref)) rmSync(imagePath(ground, image), { force: true });
}
