import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { secretPlaceholder } from "../../text/redaction/placeholders.ts";
import type { SampleSession } from "./sample/history.ts";

export interface SecretCheck {
  /** Secrets in the events that were sent. */
  readonly sent: number;
  /** Observations in which something was redacted. */
  readonly redactedObservations: number;
  /** Secrets found in the store; must be 0. */
  readonly stored: number;
}

/**
 * Looks for the secrets in records as they are read, and in the bytes of the store's files, where copies would show
 * that are in the index, the log or the audit.
 */
export function checkSecrets(
  secrets: readonly string[],
  sessions: readonly SampleSession[],
  records: readonly unknown[],
  home: string,
): SecretCheck {
  const sent = JSON.stringify(sessions);
  const texts = records.map((record) => JSON.stringify(record));
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const isStored = (secret: string) =>
    texts.some((text) => text.includes(secret)) || files.some((bytes) => bytes.includes(secret));
  return {
    sent: secrets.filter((secret) => sent.includes(secret)).length,
    redactedObservations: texts.filter((text) => text.includes(secretPlaceholder)).length,
    stored: secrets.filter(isStored).length,
  };
}
