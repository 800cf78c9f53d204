import { looksChosen, looksRandom, namesMethod } from "../randomness.ts";
import { isLiteral } from "./placeholder.ts";

/**
 * Whether a value that prose states after a word for a secret is one. A blank alone announces little: then the value
 * must also mix cases or contain signs beside digits, as no word does.
 */
export function isStatedSecret(value: string, isAnnounced: boolean): boolean {
  if (!isLiteral(value) || !/[A-Za-z]/.test(value) || namesMethod(value)) return false;
  if (isAnnounced && looksChosen(value)) return true;
  if (!looksRandom(value)) return false;
  if (isAnnounced) return /[0-9]|[a-z][A-Z]/.test(value);
  return value.length >= 8 && /[0-9]/.test(value) && /[a-z]/.test(value) && /[A-Z!@#%^&*+?~]/.test(value);
}
