/** EDQUOT on Linux and macOS, for which Node has no name. */
const usedUpQuota: ReadonlySet<unknown> = new Set([-122, -69]);

/** What Node says instead of an unknown code's name, in errors from its JavaScript and its C++ code. */
const noName = /^(?:Unknown system error|UNKNOWN$)/u;

/** Whether an error says that a file or folder is not there. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}

/** The code of an error from the system or a library, such as ENOENT; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = String(error.code);
  return noName.test(code) && "errno" in error && usedUpQuota.has(error.errno) ? "EDQUOT" : code;
}
