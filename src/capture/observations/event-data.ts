import { isObject } from "../../json/is-object.ts";

/**
 * An event's data as an object: a text becomes `{text}`, any other value `{value}`, and missing data `{}`.
 */
export function eventDataObject(data: unknown): Record<string, unknown> {
  if (isObject(data)) return data;
  if (data === undefined || data === null) return {};
  return typeof data === "string" ? { text: data } : { value: data };
}
