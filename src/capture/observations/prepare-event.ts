import type { Ground } from "../../ground.ts";
import { type DocumentWords, documentWords } from "../../index/documents/document-words.ts";
import type { SqlValue } from "../../store/sql.ts";
import { runYielding, turnGiver } from "../../store/turns.ts";
import { redactInSteps, redactTags } from "../../text/redaction/redact.ts";
import type { Image } from "../images/decode.ts";
import { extractImages } from "../images/extract-images.ts";
import type { Writer } from "../sessions/agent-scope.ts";
import { type DatedCommit, goesOnQuietly, madeCommits } from "./commands/made-commits.ts";
import { printsOnlySecrets } from "./commands/secret-printer.ts";
import { hashInSteps, importHash } from "./content-hash.ts";
import { observationText } from "./document.ts";
import { type Event, type PickedFields, pickUpFields, toolNameOf } from "./pick-up-fields.ts";
import { withoutPrintedSecrets } from "./printed-secrets.ts";
import { capStrings, rawEventOf } from "./raw-event.ts";
import { type Compressed, compressByRules } from "./rules/compress.ts";
import { librariesOfInput } from "./rules/libraries.ts";
import { storedEventValues } from "./stored-event.ts";
import { unreportedCommits } from "./unreported-commits.ts";

export interface ObserveInput extends Omit<Event, "data">, Writer {
  readonly data?: unknown;
  /** Tags for the event's session. */
  readonly tags?: readonly string[] | undefined;
}

/** An event that is ready to be stored: redacted, capped, compressed, its images written to files. */
export interface PreparedEvent {
  readonly event: Event;
  readonly picked: PickedFields;
  readonly compressed: Compressed;
  readonly words: DocumentWords;
  /** Packages that the tool input imports or installs. */
  readonly libraries: readonly string[];
  /** Commits that the command made. */
  readonly commits: readonly DatedCommit[];
  readonly images: readonly Image[];
  /** The raw event, as the values of its columns. */
  readonly stored: readonly SqlValue[];
  /** The hash by which a repeated delivery is recognised. */
  readonly hash: string;
  /** The agent for the session, if the event creates it. */
  readonly writer: Writer;
  /** Tags for the session. */
  readonly sessionTags: readonly string[];
  /** The key of the transcript line that the event was read from; undefined for an event from a hook. */
  readonly importKey: string | undefined;
}

/**
 * Does the work that needs no transaction. Each part may take long for a large event, so other work may run
 * in between. `importKey`: the transcript line of an imported event.
 */
export async function prepareEvent(
  ground: Ground,
  input: ObserveInput,
  importKey?: string,
): Promise<PreparedEvent> {
  const giveTurn = turnGiver();
  const { tags = [], ...given } = input;
  const received = { ...given, data: input.data ?? {} };
  const hash =
    importKey === undefined
      ? await runYielding(hashInSteps(received, toolNameOf(received)), giveTurn)
      : importHash(received.sessionId, importKey);
  await giveTurn();
  const taken = await extractImages(ground, received.data, received.cwd);
  const redacted = await runYielding(redactInSteps(taken?.data ?? received.data), giveTurn);
  let event = { ...received, data: capStrings(redacted) };
  await giveTurn();
  let picked = pickedOf(event, redacted);
  if (printsOnlySecrets(picked.input.command ?? "")) {
    event = { ...event, data: withoutPrintedSecrets(event.data) };
    picked = pickUpFields(event);
  }
  const images = taken?.images ?? [];
  const [image] = images;
  if (image !== undefined) picked.image ??= image.ref;
  await giveTurn();
  const compressed = compressByRules(event, picked);
  await giveTurn();
  const words = documentWords(observationText(compressed));
  const libraries = librariesOfInput(picked.toolInput);
  const commits = commitsOf(event, picked);
  const raw = rawEventOf(event, picked);
  await giveTurn();
  const stored = storedEventValues(raw);
  const { agentId, defaultAgentId } = input;
  const writer = { agentId, defaultAgentId };
  const sessionTags = redactTags(tags);
  return {
    event,
    picked,
    compressed,
    words,
    images,
    libraries,
    commits,
    hash,
    writer,
    sessionTags,
    importKey,
    stored,
  };
}

/** The commits that the command of an event made. */
function commitsOf(event: Event, { input, outputText, error = "" }: PickedFields): DatedCommit[] {
  // A command that went on after its commit may have failed: then its output is the error.
  const printed = outputText === "" ? error : outputText;
  const reported = madeCommits(input.command, printed).map((commit) => ({
    ...commit,
    authoredAt: event.timestamp,
  }));
  if (reported.length > 0 && !goesOnQuietly(input.command ?? "")) return reported;
  const others = unreportedCommits(event, input).filter(
    ({ sha }) => !reported.some((one) => sha.startsWith(one.sha)),
  );
  return [...reported, ...others];
}

/** Of a long output or error the rules also read the end, which is stored no more: mostly it says what went wrong. */
function pickedOf(event: Event, redacted: unknown): PickedFields {
  const picked = pickUpFields(event);
  if (event.data === redacted) return picked;
  const { outputText, error, exitCode } = pickUpFields({ ...event, data: redacted });
  return {
    ...picked,
    outputText,
    ...(error === undefined ? {} : { error }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}
