/*
 * What the rules for names of secrets have in common, for texts as for parsed values. Which further words count, and
 * what may be before and after them, differs from place to place: it was measured there (`bench/redaction.ts`).
 */

/** Words for passwords; alternatives of a regular expression. */
export const passwordWords = "passw(?:or)?d|passphrase";

/** Words that make a `key` after them a secret one; alternatives of a regular expression. */
export const beforeKey = "api|access|secret|private";

/** Names of the field that contains the secret, in a record that is named like one: `{"password": {"value": "…"}}`. */
export const valueFields = ["value", "secret", "plaintext", "plain", "raw", "literal", "stringValue", "S"];
