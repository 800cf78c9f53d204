import { optionalText } from "../operation/fields.ts";

/** A long text; may be empty. */
export const Description = optionalText(100_000);
