import { sha256 } from "../../system/sha256.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { plainLine } from "../plain-line.ts";
import { frontMatter, type Values } from "./front-matter.ts";

/**
 * A note as made from its record. Its file name, and those that its links lead to, are found when it is
 * written.
 */
export interface Note {
  /** Id of the record. */
  readonly id: string;
  readonly title: string;
  readonly project: string | null;
  /** Further front matter, besides id, title and project. */
  readonly values: Values;
  /** Markdown. */
  readonly text: string;
  readonly links: readonly Link[];
}

export interface Link {
  /** What the linked record is to this one, such as `supersedes`. */
  readonly as: string;
  readonly id: string;
  /** Set for a record that has no note. */
  readonly title?: string;
}

/** The name of a note: its file name without the ending, and its title. */
export interface NoteName {
  readonly name: string;
  readonly title: string;
}

/**
 * Short enough that the whole file name, with what is added to it, fits the 255 bytes of every file system.
 */
const longestSlugBytes = 180;
const longestSlug = 60;
const longestTail = 8;

/** The file name of a note: a readable title and the end of the id; unique among the names that are taken. */
export function noteName(title: string, id: string, isTaken: (name: string) => boolean): string {
  const name = `${slugOf(title) || "untitled"}-${slugOf([...id].slice(-longestTail).join("")) || shortHash(id)}`;
  return isTaken(name) ? `${name}-${shortHash(id)}` : name;
}

/** Letters and digits of any script, in lower case, joined by hyphens: valid on every file system. */
function slugOf(text: string): string {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return cutBytes(cutCodePoints(words.join("-"), longestSlug), longestSlugBytes).replace(/-+$/u, "");
}

/** The longest beginning of a text that takes at most `most` bytes. */
function cutBytes(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

function shortHash(id: string): string {
  return sha256(id).slice(0, longestTail);
}

/** The whole text of a note. `nameOf` returns the names of other notes. */
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

/** A link in the syntax of vault programs; characters that would end it early are removed from its title. */
export function wikiLink({ name, title }: NoteName): string {
  return `[[${name}|${
    plainLine(title)
      .replace(/[[\]|]+/gu, " ")
      .trim() || name
  }]]`;
}
