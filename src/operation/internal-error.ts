/*
 * The contract fixes what clients are told about an unforeseen error: a reference, under which the log has the details.
 * If the error describes the store, its own sentence comes first.
 */

const beginning = "internal error, reference ";

export function internalError(reference: string, sentence?: string): string {
  return sentence === undefined ? `${beginning}${reference}` : `${sentence}; ${beginning}${reference}`;
}

/** Removes the reference behind a sentence that says enough without it. */
export function withoutReference(error: string): string {
  const at = error.lastIndexOf(`; ${beginning}`);
  return at === -1 ? error : error.slice(0, at);
}
