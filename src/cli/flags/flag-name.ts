/** The flag that a field of an operation's input has unless its declaration names another: `ttlDays` → `ttl-days`. */
export function flagName(field: string): string {
  return field.replaceAll("_", "-").replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** The name under which commander hands the value of a flag over. */
export function optionName(flag: string): string {
  return flag.replace(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
}
