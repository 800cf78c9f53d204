/*
 * What memsvc keeps in an agent's settings file, in any format. A text is the whole file; undefined means that there is
 * no file.
 */

/** The text before the first connection, if a receipt has kept it. */
export type Original = { readonly text: string | undefined } | undefined;

export interface SettingsContent {
  /** What is written, in a few words: `12 hooks`. */
  readonly label: string;
  /** The text with our entries added or updated. Errors: invalid_input if it cannot be parsed, conflict. */
  connected(text: string | undefined): string;
  /** Whether the text contains entries of ours. */
  holds(text: string): boolean;
  /** The text without our entries; undefined if nothing else was in it. */
  disconnected(text: string, original: Original): string | undefined;
  /** The words of each command in our entries. */
  commands(text: string): readonly (readonly string[])[];
}
