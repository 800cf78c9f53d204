/** Whether an error comes from a failed system call, such as opening a file. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}
