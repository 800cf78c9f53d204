/** What a text says beyond a title, which mostly is its beginning, and may be cut with `…`. */
export function beyondTitle(title: string, text: string): string {
  const shown = title.replace(/…$/u, "");
  const rest = text.startsWith(shown) ? text.slice(shown.length) : text;
  // A rest that begins within a word could not be read.
  return rest === "" || /^\s/u.test(rest) ? rest.trim() : text;
}
