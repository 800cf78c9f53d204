import { secretPlaceholder } from "../text/redaction/placeholders.ts";

/** Shorter keys are dummy words for servers without access control, such as `ollama`, which may appear in any text. */
const shortestSecret = 12;

/**
 * A server's message without the key it was sent. Servers quote keys that they refuse, and redaction cannot recognise a
 * key of unknown format.
 */
export function withoutOwnKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey.length < shortestSecret
    ? text
    : text.replaceAll(apiKey, secretPlaceholder);
}
