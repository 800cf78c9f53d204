/* Parts of patterns for Russian and Ukrainian texts in lower case (NFC). JavaScript's `\b` knows ASCII letters only. */

/** Contents of a character class. */
export const slavicLetters = "а-яёіїєґ";

export const slavicInfinitive = `[${slavicLetters}]{2,40}(?:ть|ти|чь)(?:ся|сь)?`;
