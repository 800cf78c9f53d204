import { oneOf } from "../../operation/describe-issue.ts";
import { MemsvcError } from "../../operation/errors.ts";
import { valueFromText } from "../../operation/text-values.ts";
import type { FlagDefinition } from "../operations/operation-entry.ts";

/** The parts of a flag that are needed to read its value. */
export type ValueFlag = Pick<FlagDefinition, "field" | "name" | "kind" | "choices">;

/**
 * Converts a flag's value from commander for its field. What can be checked without the operation's schema (choices and
 * numbers) is refused here, in terms of the command line.
 */
export function parseFlagValue(flag: ValueFlag, value: unknown): unknown {
  if (value === undefined) return undefined;
  const shown = `--${flag.name}`;
  if (flag.kind === "boolean") return value === true;
  if (Array.isArray(value)) {
    const items = value.flatMap((item: string) => item.split(",")).map((item) => item.trim());
    for (const item of items) checkChoice(shown, flag.choices, item);
    return items;
  }
  const read = valueFromText(flag.field, flag.kind, String(value));
  if (flag.kind === "number" && typeof read !== "number") throw refused(shown, "a number", String(value));
  if (flag.kind === "object" && typeof read !== "object")
    throw refused(shown, "a JSON object", String(value));
  checkChoice(shown, flag.choices, String(value));
  return read;
}

/** Error: invalid_input if the value is not among the choices. `shown`: the flag or argument as help names it. */
export function checkChoice(shown: string, choices: readonly string[] | undefined, value: string): void {
  if (choices === undefined || choices.includes(value)) return;
  throw refused(shown, oneOf(choices), value);
}

export function refused(shown: string, wanted: string, value: string): MemsvcError {
  return new MemsvcError("invalid_input", `${shown} must be ${wanted}, not "${value}"`);
}
