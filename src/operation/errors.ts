/**
 * All error codes, with their HTTP status and their exit code on the command line. Of several codes with the same
 * status, the first is the one of an answer that names none.
 */
export const errorTable = {
  invalid_input: { status: 400, exit: 2 },
  unauthorized: { status: 401, exit: 4 },
  forbidden: { status: 403, exit: 4 },
  not_found: { status: 404, exit: 3 },
  method_not_allowed: { status: 405, exit: 2 },
  conflict: { status: 409, exit: 5 },
  too_large: { status: 413, exit: 1 },
  unsupported_media_type: { status: 415, exit: 2 },
  internal: { status: 500, exit: 1 },
  provider_failed: { status: 502, exit: 1 },
  unavailable: { status: 503, exit: 1 },
  feature_off: { status: 503, exit: 6 },
  daemon_unreachable: { status: 503, exit: 7 },
  invalid_setting: { status: 500, exit: 2 },
  disk_full: { status: 500, exit: 1 },
  port_taken: { status: 500, exit: 3 },
  home_locked: { status: 500, exit: 4 },
  store_damaged: { status: 500, exit: 5 },
  store_newer: { status: 500, exit: 5 },
  interrupted: { status: 500, exit: 130 },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** Why `memsvc serve` does not start, told by exit codes that the contract fixes. */
export const startErrors = [
  "invalid_setting",
  "port_taken",
  "home_locked",
  "store_damaged",
] as const satisfies readonly ErrorCode[];

export interface Issue {
  /** Dotted path with indices (`steps.2.title`), `""` for the input itself. */
  readonly path: string;
  readonly message: string;
}

interface ErrorOptions {
  /** What the user can do about it, as one sentence. */
  readonly hint?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  /** Further fields of the error body, as the route's contract names them (`notFound`, `latestId`, …). */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/**
 * The only error class of memsvc: what was wrong (`message`), what to do about it (`hint`), and a code that every face
 * translates.
 */
export class MemsvcError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MemsvcError";
    this.code = code;
    this.hint = options.hint;
    this.issues = options.issues;
    this.extra = options.extra ?? {};
  }
}

/**
 * Checks the name instead of the class, because the bundles of the daemon and of the command line contain one class
 * each.
 */
export function isMemsvcError(error: unknown, code?: ErrorCode): error is MemsvcError {
  if (!(error instanceof Error) || error.name !== "MemsvcError" || !("code" in error)) return false;
  return code === undefined || error.code === code;
}

/** The exit code of a command that ends with this error. */
export function exitCodeOfError(error: unknown): number {
  return isMemsvcError(error) ? errorTable[error.code].exit : 1;
}

/** The code of an error of which only the HTTP status is known. */
export function codeOfStatus(status: number): ErrorCode {
  const codes = Object.keys(errorTable) as ErrorCode[];
  return codes.find((code) => errorTable[code].status === status) ?? "internal";
}

/** The message of an error; anything else that was thrown, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
