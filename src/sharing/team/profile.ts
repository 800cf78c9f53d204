import * as z from "zod";
import { isText } from "../../json/is-text.ts";
import { TimeText, timeText } from "../../operation/fields.ts";
import { firstLine } from "../../text/first-line.ts";
import { tally } from "../../text/tally.ts";
import type { TeamItemRow } from "./record.ts";

const mostTop = 15;
const mostPatterns = 20;
const longestPattern = 200;

const frequency = z.number().int().describe("shared items that name it");

export const TeamProfile = z
  .object({
    teamId: z.string().describe("the team"),
    members: z.array(z.string()).describe("users who have shared something, by name"),
    topConcepts: z
      .array(z.object({ concept: z.string().describe("a tag"), frequency }))
      .describe("most frequent tags, at most 15"),
    topFiles: z
      .array(z.object({ file: z.string().describe("a path"), frequency }))
      .describe("most frequent files, at most 15"),
    sharedPatterns: z.array(z.string()).describe("what shared patterns say, newest first, at most 20"),
    totalSharedItems: z.number().int().describe("items that the reader sees"),
    updatedAt: TimeText.describe("as of when it was computed"),
  })
  .meta({ id: "TeamProfile" });
export type TeamProfile = z.infer<typeof TeamProfile>;

/** A summary of what a team shares. Pages come newest first. */
export async function teamProfileOf(
  teamId: string,
  pages: AsyncIterable<readonly TeamItemRow[]>,
  now: number,
): Promise<TeamProfile> {
  const members = new Set<string>();
  const concepts: string[] = [];
  const files: string[] = [];
  const patterns: string[] = [];
  let total = 0;
  for await (const rows of pages) {
    total += rows.length;
    for (const { sharedBy, type, content } of rows) {
      members.add(sharedBy);
      concepts.push(...distinctTexts(content.concepts));
      files.push(...distinctTexts(content.files));
      if (type === "pattern" && patterns.length < mostPatterns) patterns.push(wordsOf(content));
    }
  }
  return {
    teamId,
    members: [...members].sort(),
    topConcepts: top(concepts).map(({ value, count }) => ({ concept: value, frequency: count })),
    topFiles: top(files).map(({ value, count }) => ({ file: value, frequency: count })),
    sharedPatterns: patterns,
    totalSharedItems: total,
    updatedAt: timeText(now),
  };
}

/** `names` comes from whatever content was shared, so it may be anything. */
function distinctTexts(names: unknown): string[] {
  return Array.isArray(names) ? [...new Set<unknown>(names)].filter((name) => typeof name === "string") : [];
}

function top(names: readonly string[]) {
  return tally(names).slice(0, mostTop);
}

/** Memories have a title; patterns that were found in sessions have a description. */
function wordsOf(content: Readonly<Record<string, unknown>>): string {
  const text = [content.title, content.description, content.name, content.content].find(isText);
  return firstLine(text ?? JSON.stringify(content), longestPattern);
}
