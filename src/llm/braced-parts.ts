/**
 * The outermost parts of a text in braces, each with all that is nested in it. Braces within strings do not count; a
 * quotation mark before the first brace begins no string.
 */
export function bracedParts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isInString = false;
    } else if (sign === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (depth > 0 && sign === '"') {
      isInString = true;
    } else if (depth > 0 && sign === "}") {
      depth -= 1;
      if (depth === 0) parts.push(text.slice(start, at + 1));
    }
  }
  return parts;
}
