/** The numbers of a quota that is used up, on Linux and macOS. Node has no name for it. */
const usedUpQuota: ReadonlySet<unknown> = new Set([-122, -69]);

/** What stands where Node has no name, whether its JavaScript or its C++ raised the error. */
const noName = /^(?:Unknown system error|UNKNOWN$)/u;

/** The code that the system or a library gave to what went wrong, such as ENOENT; undefined where there is none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const code = String(error.code);
  return noName.test(code) && "errno" in error && usedUpQuota.has(error.errno) ? "EDQUOT" : code;
}
