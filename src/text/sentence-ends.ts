/**
 * Characters that end a sentence: Latin and other scripts, full width, Hindi, Arabic and Urdu. For a character class.
 */
export const sentenceStops = ".!?…。！？।॥؟۔";

/** A single dot has been removed before. */
const hasEnd = new RegExp(`(?:[${sentenceStops.replace(".", "")}]|\\.\\.)$`, "u");

/** Ends the text like a sentence; several dots belong to the text, such as `go test ./...`. */
export function withSentenceEnd(text: string): string {
  const sentence = withoutSentenceEnd(text);
  return hasEnd.test(sentence) ? sentence : `${sentence}.`;
}

/** The text without punctuation at its end. */
export function withoutSentenceEnd(text: string): string {
  return text.replace(/(?:[\s:;,]|(?<!\.)\.(?!\.))+$/u, "");
}
