import type { Span } from "./rule.ts";

/** The groups of a match that took part and that `accepts` approves, in order. The pattern needs the flag `d`. */
export function capturedSpans(
  match: RegExpExecArray,
  accepts: (value: string) => boolean,
  offset = 0,
): readonly Span[] {
  return (match.indices ?? []).slice(1).flatMap((range, group) => {
    if (range === undefined || !accepts(match[group + 1] ?? "")) return [];
    return [{ start: offset + range[0], end: offset + range[1] }];
  });
}
