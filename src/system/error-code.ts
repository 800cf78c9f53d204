/** Node has no name for what Linux (122) and macOS (69) say of a quota that is used up. */
const usedUpQuota = /^Unknown system error -(?:122|69)$/u;

/** The code that the system or a library gave to what went wrong, such as ENOENT; undefined where there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? usualName(String(error.code)) : undefined;
}

/** The name by which everybody knows a code, where Node has none for it. */
export function usualName(code: string): string {
  return usedUpQuota.test(code) ? "EDQUOT" : code;
}
