import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { imagesInSnapshots } from "../../governance/snapshots/held-images.ts";
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

/** Writes an image's file, readable by its owner alone, unless it is there. */
export async function keepImageFile(ground: Ground, image: Image): Promise<void> {
  const path = imagePath(ground, image);
  if (existsSync(path)) return;
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
