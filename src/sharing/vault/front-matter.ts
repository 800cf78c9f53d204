/*
 * The head of a note: lines of `key: value` between two lines of three hyphens, YAML for those who read it. Every text is a
 * JSON string, which is a YAML one too, on one line whatever is in it; so no title ends the head or adds to it.
 */

export type Values = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

const marker = "memsvc: true";
const fence = "---";

export function frontMatter(values: Values): string {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${valueText(value)}`],
  );
  return [fence, ...lines, fence].join("\n");
}

function valueText(value: string | number | boolean | readonly string[]): string {
  if (typeof value === "string") return quoted(value);
  return typeof value === "object" ? `[${value.map(quoted).join(", ")}]` : String(value);
}

/** YAML ends lines at more characters than JSON, and takes no control characters. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export interface OwnHead {
  readonly title: string;
  readonly project: string | undefined;
}

/**
 * What the head of a note of ours says, from the beginning of a file's text; undefined for a file that is not ours. Lists
 * at its end may be so long that the beginning does not reach to where it ends.
 */
export function ownHead(text: string): OwnHead | undefined {
  const [first, ...lines] = text.split(/\r?\n/u);
  if (first !== fence) return undefined;
  const end = lines.indexOf(fence);
  // Without its end it might be any text, so that it must begin as we write it.
  if (end === -1 && !(lines[0] === marker && lines[1]?.startsWith('id: "') === true)) return undefined;
  const head = end === -1 ? lines : lines.slice(0, end);
  if (!head.includes(marker)) return undefined;
  return { title: textOf(head, "title") ?? "", project: textOf(head, "project") };
}

/** A text that we wrote; what a person has put in its place counts as none. */
function textOf(head: readonly string[], key: string): string | undefined {
  const line = head.find((one) => one.startsWith(`${key}: "`));
  if (line === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(key.length + 2));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
