import type { ObservationType } from "../event-type.ts";
import type { Event, PickedFields } from "../pick-up-fields.ts";
import { conceptsOf } from "./concepts.ts";
import { factsOf } from "./facts.ts";
import { errorImportance, importanceOf, repeatedErrorImportance } from "./importance.ts";
import { narrativeOf } from "./narrative.ts";
import { parseEvent } from "./parsed-event.ts";
import { subtitleOf, titleOf } from "./title.ts";

/** The compressed form of an event. Lengths are in code points. */
export interface Compressed {
  type: ObservationType;
  /** At most 120, one line. */
  title: string;
  /** At most 160, one line. */
  subtitle?: string;
  /** At most 10 of at most 200. */
  facts: string[];
  /** At most 1 000; from a model at most 4 000. */
  narrative: string;
  /** At most 12, lower case. */
  concepts: string[];
  /** At most 20. */
  files: string[];
  /** 1 to 10. */
  importance: number;
  /** 0 to 1; rules set 0.5. */
  confidence: number;
  /** At most 200. */
  toolName?: string;
}

/**
 * Compresses an event by rules: no model, no clock, no store. `picked`: its fields, if they were picked
 * before.
 */
export function compressByRules(event: Event, picked?: PickedFields): Compressed {
  const parsed = parseEvent(event, picked);
  const title = titleOf(parsed);
  const narrative = narrativeOf(parsed, title);
  const subtitle = subtitleOf(parsed);
  const { toolName, files } = parsed.picked;
  return {
    type: parsed.type,
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    facts: factsOf(parsed),
    narrative,
    concepts: conceptsOf(parsed, narrative),
    files,
    importance: importanceOf(parsed),
    confidence: 0.5,
    ...(toolName === undefined ? {} : { toolName }),
  };
}

/** Raises the importance of an error: one that the project has seen before matters more than a new one. */
export function raiseRepeatedError(compressed: Compressed): Compressed {
  if (compressed.type !== "error" || compressed.importance !== errorImportance) return compressed;
  return { ...compressed, importance: repeatedErrorImportance };
}
