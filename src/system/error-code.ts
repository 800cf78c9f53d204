/** The code that the system or a library gave to what went wrong, such as ENOENT; undefined where there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
