import type { OutputOf } from "../../operation/define.ts";
import type { embedImage, searchImages } from "../../recall/vision/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { shownTime } from "./time.ts";

export function renderImages(
  { results, total }: OutputOf<typeof searchImages>,
  { paint, isForPeople }: Terminal,
): string {
  if (results.length === 0) return "no image has a vector yet";
  return [
    ...results.map(({ imageRef, score, sessionId, observationId, updatedAt }) => {
      const place = observationId ?? sessionId ?? "";
      return `${score.toFixed(3).padStart(6)}  ${paint.bold(imageRef)}  ${shownTime(updatedAt, isForPeople).padEnd(12)}  ${paint.dim(place)}`;
    }),
    paint.dim(`${results.length} of ${total} images`),
  ].join("\n");
}

export function renderEmbeddedImage({ imageRef, dimensions, embedded }: OutputOf<typeof embedImage>): string {
  return embedded
    ? `${imageRef}, now searchable (${dimensions} dimensions)`
    : `${imageRef} was already searchable`;
}
