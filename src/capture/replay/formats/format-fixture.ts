import { TranscriptEvents } from "../transcript-events.ts";
import type { Fields } from "../transcript-line.ts";
import { TranscriptReader } from "../transcript-reader.ts";

/** The hook types and the data of the events that a transcript with these lines tells. */
export function toldBy(...lines: readonly object[]): Fields[] {
  const reader = new TranscriptReader("/transcripts/told.jsonl");
  const events = new TranscriptEvents(0);
  const told = lines.flatMap((line, at) =>
    (reader.read(JSON.stringify(line)) ?? []).flatMap((one) => events.of(one, at)),
  );
  return [...told, ...events.rest()].map(({ hookType, data }) => ({ hookType, ...data }));
}
