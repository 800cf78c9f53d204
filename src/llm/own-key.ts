import { secretPlaceholder } from "../text/redaction/placeholders.ts";

/** Shorter ones are words that servers without a guard are given, such as `ollama`, and that texts may hold. */
const shortestSecret = 12;

/**
 * What a server says, without the key that it was sent. Servers quote the key that they refuse, and one that somebody
 * made up has no form by which redaction would know it.
 */
export function withoutOwnKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey.length < shortestSecret
    ? text
    : text.replaceAll(apiKey, secretPlaceholder);
}
