/** What stands where a passage inside `<private>` tags stood. */
export const privateMark = "[REDACTED]";

/** What stands where a secret stood. */
export const secretMark = "[REDACTED_SECRET]";
