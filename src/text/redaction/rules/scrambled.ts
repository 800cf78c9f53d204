import { hasBalancedBrackets, looksScrambled } from "../randomness.ts";
import { isPlaceholder } from "./placeholder.ts";

/*
 * Generated passwords, which may contain any sign, such as `x7$k!2m@9z(q`: where quotes or the end of the line tell
 * where they end.
 */

/** Whether a value in quotes is one. */
export function isScrambled(value: string): boolean {
  return looksScrambled(value) && !isPlaceholder(value);
}

/** Whether a value that the end of its line ends is one, and neither one of several fields nor code. */
export function isScrambledAlone(value: string): boolean {
  return isScrambled(value) && !/[&,;?]\w+[:=]/.test(value) && !hasBalancedBrackets(value);
}
