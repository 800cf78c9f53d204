import { groupBy } from "../../group-by.ts";
import { compareTexts } from "../../text/compare-texts.ts";
import { plainLine } from "../plain-line.ts";
import { frontMatter } from "./front-matter.ts";
import { wikiLink } from "./note.ts";
import { type NoteKind, noteKinds } from "./note-kinds.ts";

export interface Listed {
  readonly name: string;
  readonly title: string;
  readonly project: string | undefined;
}

const headings: Readonly<Record<NoteKind, string>> = {
  memories: "Memories",
  lessons: "Lessons",
  crystals: "Crystals",
  sessions: "Sessions",
};
const ofNoProject = "No project";

/** The text of the note that links to all others, by kind and project. */
export function indexText(listed: Readonly<Record<NoteKind, readonly Listed[]>>): string {
  const parts = [frontMatter({ memsvc: true, title: "memsvc" }), "# memsvc"];
  for (const kind of noteKinds) {
    if (listed[kind].length === 0) continue;
    parts.push(`## ${headings[kind]}`);
    for (const [project, notes] of byProject(listed[kind])) {
      parts.push(`### ${project}`, notes.map((note) => `- ${wikiLink(note)}`).join("\n"));
    }
  }
  return `${parts.join("\n\n")}\n`;
}

/** Projects in the order of their names; notes without a project come last. */
function byProject(notes: readonly Listed[]): [string, Listed[]][] {
  const groups = groupBy(notes, ({ project }) => plainLine(project ?? "") || ofNoProject);
  return [...groups].sort(
    ([a], [b]) => Number(a === ofNoProject) - Number(b === ofNoProject) || compareTexts(a, b),
  );
}
