/**
 * What agents sign commits and pull requests with, as a footer: `Co-Authored-By: Claude <…>`, `🤖 Generated with [Claude
 * Code](…)`, also where line breaks have become blanks.
 */
const signature =
  /\b(?:co-authored-by|signed-off-by|reviewed-by|generated-by): [^<>\n]{0,80}<[^<>\n]{0,120}>|🤖 Generated (?:with|by) (?:\[[^[\]\n]{1,60}\](?:\([^()\n]{1,200}\))?|\w{1,40}(?: Code)?)/gi;

/** A text without such signatures, which are no topic. */
export function withoutSignatures(text: string): string {
  return /-by: |🤖/i.test(text) ? text.replace(signature, " ") : text;
}
