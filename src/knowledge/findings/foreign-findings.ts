import { onlyAscii } from "../../text/scripts.ts";
import { eastAsianFindings } from "./east-asian-findings.ts";
import type { FindingPatterns } from "./finding-patterns.ts";
import { slavicFindings } from "./slavic-findings.ts";
import { westernFindings } from "./western-findings.ts";

const cyrillic = /[\u0400-\u04ff]/;
const eastAsian = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Whether a text in lower case matches the patterns of a language that it may be in. */
export function matchesElsewhere(text: string, kind: keyof FindingPatterns): boolean {
  if (westernFindings[kind].test(text)) return true;
  if (onlyAscii.test(text)) return false;
  return (
    (cyrillic.test(text) && slavicFindings[kind].test(text)) ||
    (eastAsian.test(text) && eastAsianFindings[kind].test(text))
  );
}
