/** Whether the system refused or failed something, such as to open a file; other errors are nobody's to expect. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}
