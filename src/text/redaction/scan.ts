import type { Steps } from "../../steps.ts";
import { secretPlaceholder } from "./placeholders.ts";
import { endOfQuotedValue } from "./quoted-values.ts";
import { noSpans, type Rule, type Span } from "./rule.ts";
import { indexTriggers, matchesAt, symbolOf, type Trigger, type TriggerIndex } from "./trigger-index.ts";
import { endOfWrappedToken } from "./wrapped-tokens.ts";

/** Replaces what the rules find by the placeholder; returns the same string if they find nothing. */
export interface Scanner {
  (text: string): string;
  /** The same in steps, for a long text. */
  inSteps(text: string): Steps<string>;
}

/** Characters per step: some milliseconds, whatever they are. */
const stepLength = 16_384;

/** Builds a scanner that looks for all rules in one pass. */
export function scannerFor(rules: readonly Rule[]): Scanner {
  const index = indexTriggers(rules);
  const scan = (text: string) => {
    const pass = startOf();
    findSpans(text, index, pass, text.length);
    return replaceSpans(text, pass.found);
  };
  function* inSteps(text: string): Steps<string> {
    const pass = startOf();
    while (pass.at < text.length) {
      findSpans(text, index, pass, Math.min(text.length, pass.at + stepLength));
      yield;
    }
    return replaceSpans(text, pass.found);
  }
  return Object.assign(scan, { inSteps });
}

/** The state of a pass over a text. */
interface Pass {
  at: number;
  floor: number;
  trigram: number;
  readonly found: Span[];
}

const startOf = (): Pass => ({ at: 0, floor: 0, trigram: 0, found: [] });

function findSpans(text: string, index: TriggerIndex, pass: Pass, until: number): void {
  const { symbolOfCode, slotOfTrigram, slots, mask } = index;
  const { found } = pass;
  let { at: i, floor, trigram } = pass;
  for (; i < until; i++) {
    trigram = ((trigram << 6) | symbolOf(symbolOfCode, text.charCodeAt(i))) & mask;
    const slot = slotOfTrigram[trigram] ?? 0;
    if (slot === 0) continue;
    const spans = askRules(text, i - 2, floor, slots[slot] ?? []);
    const last = spans.at(-1);
    if (last === undefined) continue;
    const end = endOfWrappedToken(text, endOfQuotedValue(text, last.start, last.end));
    found.push(...spans.slice(0, -1), { start: last.start, end });
    floor = end;
    i = floor - 1;
    trigram = 0;
  }
  pass.at = i;
  pass.floor = floor;
  pass.trigram = trigram;
}

function askRules(
  text: string,
  trigramAt: number,
  floor: number,
  triggers: readonly Trigger[],
): readonly Span[] {
  for (const { literal, offset, rule } of triggers) {
    const at = trigramAt - offset;
    if (at < floor || !matchesAt(text, at, literal)) continue;
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
    output += text.slice(kept, start) + secretPlaceholder;
    kept = end;
  }
  return output + text.slice(kept);
}
