import type { Ground } from "../../ground.ts";
import { type DocumentWords, documentWords } from "../../index/documents/document-words.ts";
import type { SqlValue } from "../../store/sql.ts";
import { inTurns, turnGiver } from "../../store/turns.ts";
import { redactInSteps } from "../../text/redaction/redact.ts";
import type { Image } from "../images/decode.ts";
import { extractImages } from "../images/extract-images.ts";
import type { Writer } from "../sessions/agent-scope.ts";
import { hashInSteps, importHash } from "./content-hash.ts";
import { observationText } from "./document.ts";
import { type Event, type PickedFields, pickUpFields, toolNameOf } from "./pick-up-fields.ts";
import { capStrings, rawEventOf } from "./raw-event.ts";
import { type Compressed, compressByRules } from "./rules/compress.ts";
import { librariesOfInput } from "./rules/libraries.ts";
import { type MadeCommit, madeCommits } from "./rules/made-commits.ts";
import { storedEventValues } from "./stored-event.ts";

export interface ObserveInput extends Omit<Event, "data">, Writer {
  readonly data?: unknown;
}

/** An event that is ready to be stored: redacted, capped, compressed, its images in their files. */
export interface PreparedEvent {
  readonly event: Event;
  readonly picked: PickedFields;
  readonly compressed: Compressed;
  readonly words: DocumentWords;
  /** Packages that its input imports or installs. */
  readonly libraries: readonly string[];
  /** Those that its command made. */
  readonly commits: readonly MadeCommit[];
  readonly images: readonly Image[];
  /** The raw event as it is stored. */
  readonly stored: readonly SqlValue[];
  /** Finds a repeated delivery. */
  readonly hash: string;
  /** Whose a session is that the event brings into being. */
  readonly writer: Writer;
  /** The line of a transcript that the event was read from; undefined for one that a hook sent. */
  readonly importKey: string | undefined;
}

/**
 * Does for an event what needs no transaction. Of one that is large each part takes long, so there are turns for others
 * in between. `importKey` names the line that an imported event was read from.
 */
export async function prepareEvent(
  ground: Ground,
  input: ObserveInput,
  importKey?: string,
): Promise<PreparedEvent> {
  const giveTurn = turnGiver();
  const received = { ...input, data: input.data ?? {} };
  const hash =
    importKey === undefined
      ? await inTurns(hashInSteps(received, toolNameOf(received)), giveTurn)
      : importHash(received.sessionId, importKey);
  await giveTurn();
  const taken = await extractImages(ground, received.data, received.cwd);
  const redacted = await inTurns(redactInSteps(taken?.data ?? received.data), giveTurn);
  const event = { ...received, data: capStrings(redacted) };
  await giveTurn();
  const picked = pickUpFields(event);
  const images = taken?.images ?? [];
  const [image] = images;
  if (image !== undefined) picked.image ??= image.ref;
  await giveTurn();
  const compressed = compressByRules(event, picked);
  await giveTurn();
  const words = documentWords(observationText(compressed));
  const libraries = librariesOfInput(picked.toolInput);
  const commits = madeCommits(picked.input.command, picked.outputText);
  const raw = rawEventOf(event, picked);
  await giveTurn();
  const stored = storedEventValues(raw);
  const { agentId, defaultAgentId } = input;
  const writer = { agentId, defaultAgentId };
  return { event, picked, compressed, words, images, libraries, commits, hash, writer, importKey, stored };
}
