import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { secretPlaceholder } from "../../text/redaction/placeholders.ts";
import type { SampleSession } from "./sample/history.ts";

export interface SecretCheck {
  /** Secrets that stood in the events as sent. */
  readonly sent: number;
  /** Observations in which something was blacked out. */
  readonly redactedObservations: number;
  /** Secrets that were found in the store; 0 unless something is wrong. */
  readonly stored: number;
}

/**
 * Looks for the secrets in the records as they are read, and in the bytes of the store's files, where anything
 * else that was kept of them would be: in the index, the log or the audit.
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
