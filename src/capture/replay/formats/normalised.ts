import { isObject } from "../../../json/is-object.ts";
import type { Dialect } from "../../observations/hooks/hook-dialect.ts";
import type { Fields } from "../transcript-line.ts";

/** The data of an event as the agent's hook would have reported it. */
export function normalised(dialect: Dialect, event: string, data: Fields): Fields {
  return dialect.normalise?.[event]?.({ ...data }) ?? data;
}

/** The objects of a list; empty for anything else. */
export function recordsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
