/* Reads the syntax of command declarations such as `lease acquire <actionId>`. */

/** The words before the arguments: `lease acquire`. */
export function wordsOf(command: string): string {
  return command.replace(/\s*[<[].*$/u, "");
}

/**
 * The fields of a command's positional arguments, in order. A variadic one (`<ids...>`) takes all words that follow.
 */
export function positionalFields(command: string): { readonly field: string; readonly variadic: boolean }[] {
  return [...command.matchAll(/[<[](\w+)(\.\.\.)?[>\]]/gu)].map(([, field = "", dots]) => ({
    field,
    variadic: dots !== undefined,
  }));
}

/** The default flag of an input field: `ttlDays` → `ttl-days`. */
export function flagName(field: string): string {
  return field.replaceAll("_", "-").replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** The reverse of flagName, `ttl-days` → `ttlDays`; also the name under which commander returns the flag's value. */
export function optionName(flag: string): string {
  return flag.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}
