import { isContainer } from "../../json/is-object.ts";
import { beginsLikeImage } from "./format.ts";
import { isImageReference } from "./reference.ts";

/*
 * Finds texts in an event that may be images: under the usual keys, and any text that begins like one. Every
 * event is searched, so nothing is allocated until something is found.
 */

const contentKeys = new Set(["imageData", "image_data", "imageBase64", "image_base64"]);
const placeKeys = new Set(["imagePath", "image_path", "screenshot"]);

/** A text in an event that may be an image or the path of one. */
export interface Candidate {
  readonly text: string;
  /** `content`: must be an image; `maybe`: may be one; `path`: the path of one. */
  readonly kind: "content" | "maybe" | "path";
}

/** The texts of an event's data that may be images, in order. */
export function imageCandidates(data: unknown): readonly Candidate[] {
  let found: Candidate[] | undefined;
  const visit = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      const kind = kindOf(value, key);
      if (kind !== undefined) {
        found ??= [];
        found.push({ text: value, kind });
      }
    } else if (Array.isArray(value)) {
      for (const item of value) visit(item, key);
    } else if (isContainer(value)) {
      for (const [name, item] of Object.entries(value)) visit(item, name);
    }
  };
  visit(data, "");
  return found ?? [];
}

function kindOf(text: string, key: string): Candidate["kind"] | undefined {
  if (beginsLikeImage(text)) return contentKeys.has(key) || text.startsWith("data:") ? "content" : "maybe";
  if (text.trim() === "" || isImageReference(text)) return undefined;
  if (contentKeys.has(key)) return "content";
  return placeKeys.has(key) ? "path" : undefined;
}

/** Replaces texts in the data; a value that contains none of them is returned unchanged. */
export function withTexts(value: unknown, replacements: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return replacements.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item: unknown) => withTexts(item, replacements));
  if (!isContainer(value)) return value;
  // `fromEntries` defines own properties, so that a key `__proto__` stays plain data.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, withTexts(item, replacements)]),
  );
}
