/** Replaces a passage inside `<private>` tags. */
export const privatePlaceholder = "[REDACTED]";

/** Replaces a secret. */
export const secretPlaceholder = "[REDACTED_SECRET]";
