/** What stands where a passage inside `<private>` tags stood. */
export const privatePlaceholder = "[REDACTED]";

/** What stands where a secret stood. */
export const secretPlaceholder = "[REDACTED_SECRET]";
