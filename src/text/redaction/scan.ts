import { secretMark } from "./marks.ts";
import { noSpans, type Rule, type Span } from "./rule.ts";
import { indexTriggers, standsAt, symbolOf, type Trigger, type TriggerIndex } from "./trigger-index.ts";
import { endOfWrapped } from "./wrapped.ts";

/** Replaces what the rules find by the mark of secrets. */
export type Scanner = (text: string) => string;

/** Builds the one-pass scanner for a set of rules; the same string comes back when nothing was found. */
export function scannerFor(rules: readonly Rule[]): Scanner {
  const index = indexTriggers(rules);
  return (text) => replaceSpans(text, findSpans(text, index));
}

function findSpans(text: string, index: TriggerIndex): readonly Span[] {
  const { symbolOfCode, slotOfTrigram, slots, mask } = index;
  const found: Span[] = [];
  let floor = 0;
  let trigram = 0;
  for (let i = 0; i < text.length; i++) {
    trigram = ((trigram << 6) | symbolOf(symbolOfCode, text.charCodeAt(i))) & mask;
    const slot = slotOfTrigram[trigram] ?? 0;
    if (slot === 0) continue;
    const spans = askRules(text, i - 2, floor, slots[slot] ?? []);
    const last = spans.at(-1);
    if (last === undefined) continue;
    const end = endOfWrapped(text, last.end);
    found.push(...spans.slice(0, -1), { start: last.start, end });
    floor = end;
    i = floor - 1;
    trigram = 0;
  }
  return found;
}

function askRules(
  text: string,
  trigramAt: number,
  floor: number,
  triggers: readonly Trigger[],
): readonly Span[] {
  for (const { literal, offset, rule } of triggers) {
    const at = trigramAt - offset;
    if (at < floor || !standsAt(text, at, literal)) continue;
    const spans = rule.find(text, at, floor);
    if (spans.length > 0) return spans;
  }
  return noSpans;
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let output = "";
  let kept = 0;
  for (const { start, end } of spans) {
    output += text.slice(kept, start) + secretMark;
    kept = end;
  }
  return output + text.slice(kept);
}
