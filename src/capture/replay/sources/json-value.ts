import { parseJson } from "../../../json/parse-json.ts";

/** The value of a JSON text, nested as deep as agents write it; undefined for anything else. */
export function jsonValue(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return parseJson(text, deepest);
  } catch {
    return undefined;
  }
}

/** Outputs of tools may be trees of parts. */
const deepest = 1_000;

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
