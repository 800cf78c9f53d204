/*
 * The section of a memory file that memsvc owns: the lines between two marks, each mark on a line of its own.
 * All other text, including its line endings, stays byte for byte.
 */

const beginMark = "<!-- memsvc:begin -->";
const endMark = "<!-- memsvc:end -->";

/** Returns the text with our section in it: in place of the previous section, else at the end. */
export function withSection(text: string, lines: readonly string[]): string {
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const section = [beginMark, ...lines, endMark].join(newLine);
  const place = placeOf(text);
  if (place !== undefined) return text.slice(0, place.from) + section + text.slice(place.to);
  if (text.trim() === "") return `${text}${section}${newLine}`;
  const gap = text.endsWith(`${newLine}${newLine}`) ? "" : text.endsWith("\n") ? newLine : newLine + newLine;
  return `${text}${gap}${section}${newLine}`;
}

/**
 * From the first character of the begin mark to the end of the end mark. A mark without its counterpart is
 * ignored.
 */
function placeOf(text: string): { readonly from: number; readonly to: number } | undefined {
  let from: number | undefined;
  for (const { 0: line, index } of text.matchAll(/^.*$/gmu)) {
    const words = line.trim();
    if (words === beginMark) from = index;
    else if (words === endMark && from !== undefined) return { from, to: index + line.trimEnd().length };
  }
  return undefined;
}

function isMark(line: string): boolean {
  return [beginMark, endMark].includes(line.trim());
}

/** The texts under the headings of level 2, by heading, without our marks. Texts under equal headings are joined. */
export function sectionsOf(text: string): Record<string, string> {
  const sections = new Map<string, string[]>();
  let current: string[] | undefined;
  let fence: string | undefined;
  for (const line of text.split(/\r?\n/u)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    const heading = fence === undefined ? /^ {0,3}(#{1,2})[ \t]+(.*?)[ \t]*#*[ \t]*$/u.exec(line) : null;
    if (heading === null) {
      if (fence !== undefined || !isMark(line)) current?.push(line);
    } else if (heading[1] === "#") current = undefined;
    else {
      const name = heading[2] ?? "";
      current = sections.get(name) ?? [];
      sections.set(name, current);
    }
  }
  return Object.fromEntries(Array.from(sections, ([name, lines]) => [name, lines.join("\n").trim()]));
}
