import { optionalText } from "../operation/fields.ts";

/** What is to be done or waited for, at length; may be empty. */
export const Description = optionalText(100_000);

/** What came of an action; may be empty. */
export const Result = optionalText(20_000);
