/* How the declaration of a command, such as `lease acquire <actionId>`, says what is written on a command line. */

/** The words before the arguments: `lease acquire`. */
export function wordsOf(command: string): string {
  return command.replace(/\s*[<[].*$/u, "");
}

/** The fields that a command takes by their place, in order; a variadic one (`<ids...>`) takes all words that follow. */
export function positionalFields(command: string): { readonly field: string; readonly variadic: boolean }[] {
  return [...command.matchAll(/[<[](\w+)(\.\.\.)?[>\]]/gu)].map(([, field = "", dots]) => ({
    field,
    variadic: dots !== undefined,
  }));
}

/** The flag that a field of an operation's input has unless its declaration names another: `ttlDays` → `ttl-days`. */
export function flagName(field: string): string {
  return field.replaceAll("_", "-").replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** The way back, `ttl-days` → `ttlDays`: also the name under which commander hands the value of a flag over. */
export function optionName(flag: string): string {
  return flag.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}
