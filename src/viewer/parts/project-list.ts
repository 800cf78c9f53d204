import type { Answers } from "../answers.ts";
import type { Reader } from "../api.ts";
import type { Child } from "../element.ts";
import { type Route, textIn } from "../route.ts";
import { anyOf, filters } from "./filters.ts";
import { knownNames } from "./known.ts";
import { listOf, pageOf, type Wording } from "./list.ts";

type ListPath = "/insights" | "/lessons" | "/procedural" | "/semantic" | "/sketches" | "/team/feed";

interface ProjectList<Path> {
  readonly path: Path;
  /** Fields that narrow it besides the project, with the values that they may have. */
  readonly choices?: readonly {
    readonly name: string;
    readonly label: string;
    readonly values: readonly string[];
  }[];
  readonly wording: Wording;
}

/** A list that is narrowed by project, and by fields that are called in the address as in the request. */
export async function projectList<Path extends ListPath>(
  reader: Reader,
  route: Route,
  { path, choices = [], wording }: ProjectList<Path>,
  rowsOf: (answer: Answers[Path]) => readonly Child[],
): Promise<Child> {
  const names = ["project", ...choices.map(({ name }) => name)];
  const [answer, known] = await Promise.all([
    reader.get(path, {
      ...Object.fromEntries(names.map((name) => [name, textIn(route, name)])),
      ...pageOf(route),
    }),
    knownNames(reader),
  ]);
  return [
    filters(route, [
      ...choices.map(({ name, label, values }) => ({ name, label, values: anyOf(values) })),
      { name: "project", label: "Project", known: known.projects },
    ]),
    listOf(route, answer, rowsOf(answer), wording),
  ];
}
