import { sentenceStops } from "../../text/sentence-stops.ts";

/** A dot alone has been taken away. */
const hasEnd = new RegExp(`(?:[${sentenceStops.replace(".", "")}]|\\.\\.)$`, "u");

/** The text as the end of a sentence; dots in a row belong to what they end, such as `go test ./...`. */
export function withSentenceEnd(text: string): string {
  const sentence = withoutSentenceEnd(text);
  return hasEnd.test(sentence) ? sentence : `${sentence}.`;
}

/** The text without what ends it. */
export function withoutSentenceEnd(text: string): string {
  return text.replace(/(?:[\s:;,]|(?<!\.)\.(?!\.))+$/u, "");
}
