/*
 * What memsvc keeps in a settings file of an agent, whatever its format. A text is that of the whole file; undefined
 * is a file that is not there.
 */

/** The text before memsvc came, where a receipt has kept it. */
export type Original = { readonly text: string | undefined } | undefined;

export interface SettingsContent {
  /** What goes in, in a few words: `12 hooks`. */
  readonly label: string;
  /** The text with what is ours, brought up to date. Errors: invalid_input for what cannot be read, conflict. */
  connected(text: string | undefined): string;
  /** Whether something of ours is in it. */
  holds(text: string): boolean;
  /** The text without what is ours; undefined when the file was ours alone. */
  disconnected(text: string, original: Original): string | undefined;
  /** The words of each command that our entries start. */
  commands(text: string): readonly (readonly string[])[];
}
