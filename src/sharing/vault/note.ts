import { createHash } from "node:crypto";
import { cutCodePoints } from "../../text/code-points.ts";
import { plainLine } from "../plain-line.ts";
import { frontMatter, type Values } from "./front-matter.ts";

/** A note as its record says it; what it is called and what its links lead to is found when it is written. */
export interface Note {
  /** Id of the record. */
  readonly id: string;
  readonly title: string;
  readonly project: string | null;
  /** Front matter beside id, title and project. */
  readonly values: Values;
  /** Markdown. */
  readonly text: string;
  readonly links: readonly Link[];
}

export interface Link {
  /** What the record is to the note, such as `supersedes`. */
  readonly as: string;
  readonly id: string;
  /** For a record that has no note. */
  readonly title?: string;
}

/** What a note is called: its file's name without the ending, and its title. */
export interface NoteName {
  readonly name: string;
  readonly title: string;
}

/** With what is added to it, a name on every file system: they take 255 bytes. */
const longestSlugBytes = 180;
const longestSlug = 60;
const longestTail = 8;

/** The name of a note's file, which no other record's note has: a readable title, and the end of the id. */
export function noteName(title: string, id: string, isTaken: (name: string) => boolean): string {
  const name = `${slugOf(title) || "untitled"}-${slugOf([...id].slice(-longestTail).join("")) || shortHash(id)}`;
  return isTaken(name) ? `${name}-${shortHash(id)}` : name;
}

/** Letters and digits of any script in lower case, with single hyphens between them: a name on every file system. */
function slugOf(text: string): string {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return cutBytes(cutCodePoints(words.join("-"), longestSlug), longestSlugBytes).replace(/-+$/u, "");
}

/** The first characters of a text that take no more bytes. */
function cutBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

function shortHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, longestTail);
}

/** The whole text of a note. `nameOf` tells what other records' notes are called. */
export function noteText(note: Note, nameOf: (id: string) => NoteName | undefined): string {
  const title = plainLine(note.title);
  const links = linesOf(note, nameOf);
  const parts = [
    frontMatter({ memsvc: true, id: note.id, title, project: note.project ?? undefined, ...note.values }),
    `# ${title}`,
    note.text.trim(),
    ...(links.length === 0 ? [] : ["## Links", links.join("\n")]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function linesOf(note: Note, nameOf: (id: string) => NoteName | undefined): string[] {
  const lines = note.links.flatMap(({ as, id, title }) => {
    const absent = title === undefined ? undefined : { name: noteName(title, id, () => false), title };
    const found = nameOf(id) ?? absent;
    return found === undefined || id === note.id ? [] : [`- ${as} ${wikiLink(found)}`];
  });
  return [...new Set(lines)];
}

/** A link as vault programs read it; what would end it early is left out of its words. */
export function wikiLink({ name, title }: NoteName): string {
  return `[[${name}|${
    plainLine(title)
      .replace(/[[\]|]+/gu, " ")
      .trim() || name
  }]]`;
}
