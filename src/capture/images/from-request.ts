import { readFile, stat } from "node:fs/promises";
import type { Ground } from "../../ground.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { confinedPath } from "../../paths/confined.ts";
import { unlessRefused } from "../../paths/system-refusal.ts";
import { type Decoded, decodeImage, type Image, imageOf, mostImageBytes, tooLarge } from "./decode.ts";

/** Decodes the image of a request: base64, bare or in a data URL. Errors: invalid_input, too_large. */
export function imageFromBase64(text: string): Image {
  return decodedOr(decodeImage(text.trim()));
}

/**
 * Reads the image at a path in a request; a relative path starts at the request's own folder, if known.
 * Errors: forbidden, not_found, invalid_input, too_large.
 */
export async function imageFromPath(ground: Ground, path: string, cwd?: string): Promise<Image> {
  const roots = ground.settings.allowedRoots;
  const place = confinedPath(path, "read", { roots, home: ground.home, cwd });
  const found = await stat(place);
  if (!found.isFile()) throw new MemsvcError("invalid_input", `${path} is not a file`);
  if (found.size > mostImageBytes) return decodedOr(tooLarge());
  const content = await unlessRefused(path, "let memsvc read it, or send the image itself", () =>
    readFile(place),
  );
  return decodedOr(imageOf(content));
}

function decodedOr(decoded: Decoded): Image {
  if (decoded.kind === "image") return decoded.image;
  throw new MemsvcError(decoded.tooLarge ? "too_large" : "invalid_input", decoded.reason);
}
