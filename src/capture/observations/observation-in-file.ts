import * as z from "zod";
import {
  FileId,
  FilePaths,
  FileText,
  FileTime,
  RedactedTags,
  RedactedText,
  RedactedTexts,
} from "../../governance/transfer/file-fields.ts";
import { type DocumentWords, documentWords } from "../../index/documents/document-words.ts";
import { isContainer } from "../../json/is-object.ts";
import type { SqlValue } from "../../store/sql.ts";
import { redactValue } from "../../text/redaction/redact.ts";
import { contentHash } from "./content-hash.ts";
import { observationText } from "./document.ts";
import { capStrings } from "./raw-event.ts";
import { Compression, Origin } from "./record.ts";
import { compressByRules } from "./rules/compress.ts";
import { storedEventValues } from "./stored-event.ts";

export const unknownProject = "unknown";

const fields = {
  id: FileId,
  sessionId: FileId,
  /** Set if it is not the session's, which has moved to another project since. */
  project: FileText.min(1).optional(),
  projectKey: FileText.min(1).optional(),
  timestamp: FileTime.optional(),
  receivedAt: FileTime.optional(),
  hookType: FileText.default("import"),
  type: FileText.default("other"),
  title: RedactedText.default(""),
  subtitle: RedactedText.optional(),
  facts: RedactedTexts,
  narrative: RedactedText.default(""),
  concepts: RedactedTags,
  files: FilePaths,
  importance: z.number().min(0).max(10).default(3),
  confidence: z.number().min(0).max(1).default(0.5),
  compression: Compression.default("synthetic"),
  toolName: RedactedText.optional(),
  modality: FileText.optional(),
  imageRef: FileText.optional(),
  imageDescription: RedactedText.optional(),
  agentId: FileId.optional(),
  origin: z.object({ channel: Origin.shape.channel }).optional().catch(undefined),
  /** When a memory was made of it and others. */
  consolidatedAt: FileTime.optional(),
  /** The hash of the transcript line that it was read from. */
  lineHash: z.hash("sha256").optional().catch(undefined),
  raw: z
    .unknown()
    .transform((raw) => capStrings(redactValue(raw)))
    .optional(),
};

/** The parts of an event as other programs store them, beside the observation's own fields or in `raw`. */
const eventFields = {
  toolInput: z.unknown().transform(redactValue).optional(),
  toolOutput: z.unknown().transform(redactValue).optional(),
  userPrompt: RedactedText.optional(),
  assistantResponse: RedactedText.optional(),
  error: RedactedText.optional(),
};

export const observationFields: ReadonlySet<string> = new Set([
  ...Object.keys(fields),
  ...Object.keys(eventFields),
]);

export const ObservationInFile = z
  .object({ ...fields, ...eventFields })
  .refine(({ timestamp, receivedAt }) => timestamp !== undefined || receivedAt !== undefined, {
    path: ["timestamp"],
    message: "timestamp required",
  })
  .transform((given) => {
    const timestamp = given.timestamp ?? given.receivedAt ?? 0;
    // Modifies the parsed object in place: nobody else has it, and copying takes longer than the check.
    const dated = Object.assign(given, { timestamp, receivedAt: given.receivedAt ?? timestamp });
    return given.title.trim() === "" ? Object.assign(dated, compressed(dated)) : dated;
  });
export type CheckedObservation = z.output<typeof ObservationInFile>;

/**
 * A checked observation, with everything that is computed without the store; `event` is the raw event's
 * columns.
 */
export interface ReadyObservation extends Omit<CheckedObservation, "raw"> {
  readonly event: readonly SqlValue[] | undefined;
  readonly contentHash: string;
  readonly words: DocumentWords;
}

export function readyObservation(one: CheckedObservation): ReadyObservation {
  const event = one.raw === undefined ? undefined : storedEventValues(one.raw);
  const contentHash = lineHashOf(one) ?? hashOf(one);
  // Modified in place for the same reason as above.
  return Object.assign(one, {
    raw: undefined,
    event,
    contentHash,
    words: documentWords(observationText(one)),
  });
}

/** Compresses an observation without a title by rules. */
function compressed(given: z.output<z.ZodObject<typeof fields & typeof eventFields>>) {
  const { hookType, sessionId, timestamp = 0, toolName, toolInput, toolOutput } = given;
  const { userPrompt, assistantResponse, error, raw } = given;
  const named = { toolName, toolInput, toolOutput, userPrompt, assistantResponse, error };
  const data = { ...dataOf(raw), ...definedOf(named) };
  return {
    ...compressByRules({ hookType, sessionId, project: unknownProject, cwd: "/", timestamp, data }),
    raw: raw ?? { hookType, ...definedOf(named), data },
  };
}

function dataOf(raw: unknown): object {
  if (!isContainer(raw)) return {};
  const { data, ...parts } = raw;
  return isContainer(data) ? { ...parts, ...data } : parts;
}

function definedOf(parts: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** The hash by which a transcript line is recognised. */
function lineHashOf({ origin, lineHash }: CheckedObservation): string | undefined {
  return origin?.channel === "import" ? lineHash : undefined;
}

/**
 * The hash by which the event is recognised. An observation without its event is recognised by its id only.
 */
function hashOf({ id, sessionId, hookType, timestamp, toolName, raw }: CheckedObservation): string {
  const data = isContainer(raw) && "data" in raw ? raw.data : { observation: id };
  return contentHash({ sessionId, hookType, project: "", cwd: "", timestamp, data }, toolName);
}
