import { optionalText } from "../operation/fields.ts";

/** A text at length; may be empty. */
export const Description = optionalText(100_000);
