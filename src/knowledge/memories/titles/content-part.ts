import { largestPassing } from "../../../text/binary-search.ts";
import type { MemoryPart } from "../answers.ts";
import type { Memory } from "../record.ts";

const roomForNotes = 200;

/**
 * A memory with a part of its content: from `offset` (in characters) as far as the answer's JSON stays within
 * `maxChars`. So even the longest memory can be read part by part.
 */
export function withContentPart(memory: Memory, offset: number, maxChars: number | undefined): MemoryPart {
  const from = (content: string): Memory => ({ ...memory, content });
  const fits = (part: Memory) =>
    maxChars === undefined || JSON.stringify(part).length <= maxChars - roomForNotes;
  if (offset === 0 && fits(memory)) return { memory };
  const rest = [...memory.content].slice(offset);
  const part = (length: number) => from(rest.slice(0, length).join(""));
  // At least one character, or reading would never reach the end.
  const length = Math.max(
    1,
    largestPassing((count) => fits(part(count)), rest.length),
  );
  if (length >= rest.length) return { memory: part(rest.length) };
  return { memory: part(length), truncated: true, nextOffset: offset + length };
}
