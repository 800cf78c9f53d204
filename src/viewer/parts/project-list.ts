import type { Answers } from "../answers.ts";
import type { Reader } from "../api.ts";
import type { Child } from "../element.ts";
import { type Route, textIn } from "../route.ts";
import type { View } from "../view.ts";
import { anyOf, filters } from "./filters.ts";
import { knownNames } from "./known.ts";
import { listOf, pageOf, type Wording } from "./list.ts";

type ListPath =
  | "/crystals"
  | "/insights"
  | "/lessons"
  | "/procedural"
  | "/semantic"
  | "/sketches"
  | "/team/feed";

interface ProjectList<Path extends ListPath> {
  readonly path: Path;
  /** Further filter fields, with their possible values. */
  readonly choices?: readonly {
    readonly name: string;
    readonly label: string;
    readonly values: readonly string[];
  }[];
  readonly wording: Wording;
  readonly rowsOf: (answer: Answers[Path]) => readonly Child[];
}

/** A view that consists of such a list. */
export function projectListView<Path extends ListPath>({
  name,
  label,
  ...list
}: ProjectList<Path> & { readonly name: string; readonly label: string }): View {
  return {
    name,
    label,
    show: async (reader, route) => ({ title: label, body: await projectList(reader, route, list) }),
  };
}

/** A list that can be filtered by project and by fields that have the same name in the address and in the request. */
export async function projectList<Path extends ListPath>(
  reader: Reader,
  route: Route,
  { path, choices = [], wording, rowsOf }: ProjectList<Path>,
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
