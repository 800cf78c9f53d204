import { privatePlaceholder } from "./placeholders.ts";

/**
 * Replaces every `<private>…</private>` by the placeholder: any case, across lines, shortest match. A tag that is never
 * closed reaches to the end of the text, so that a truncated text cannot expose its rest.
 */
export function redactPrivateTags(text: string): string {
  if (!/<private>/i.test(text)) return text;
  const opening = /<private>/gi;
  const closing = /<\/private>/gi;
  let output = "";
  let kept = 0;
  for (let open = opening.exec(text); open !== null; open = opening.exec(text)) {
    output += text.slice(kept, open.index) + privatePlaceholder;
    closing.lastIndex = opening.lastIndex;
    kept = closing.exec(text) === null ? text.length : closing.lastIndex;
    opening.lastIndex = kept;
  }
  return output + text.slice(kept);
}
