/*
 * The front matter of a note: YAML lines of `key: value` between two lines of three hyphens. Every text is
 * written as a JSON string, which is also a YAML string and always on one line; so no title can end the front
 * matter or add to it.
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

/**
 * Escapes what YAML treats differently from JSON: more characters end a line, and control characters are not
 * allowed.
 */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/gu,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export interface OwnHead {
  readonly id: string | undefined;
  readonly title: string;
  readonly project: string | undefined;
}

/**
 * Reads the front matter of a note that memsvc wrote, from the beginning of a file; undefined for any other
 * file. Lists in the front matter may be so long that the given beginning does not reach its end.
 */
export function ownHead(text: string): OwnHead | undefined {
  const [first, ...lines] = text.split(/\r?\n/u);
  if (first !== fence) return undefined;
  const end = lines.indexOf(fence);
  // Without the closing fence the file might hold anything, so it has to begin exactly as we write it.
  if (end === -1 && !(lines[0] === marker && lines[1]?.startsWith('id: "') === true)) return undefined;
  const head = end === -1 ? lines : lines.slice(0, end);
  if (!head.includes(marker)) return undefined;
  return { id: textOf(head, "id"), title: textOf(head, "title") ?? "", project: textOf(head, "project") };
}

/** A text value as we wrote it; undefined if a person has changed it to another form. */
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
