import type { Route } from "../route.ts";
import type { View } from "../view.ts";
import { audit } from "./audit.ts";
import { backups } from "./backups.ts";
import { facts } from "./facts.ts";
import { graph } from "./graph.ts";
import { insights } from "./insights.ts";
import { lessons } from "./lessons.ts";
import { memories } from "./memories.ts";
import { memory } from "./memory.ts";
import { observation } from "./observation.ts";
import { overview } from "./overview/overview.ts";
import { procedures } from "./procedures.ts";
import { search } from "./search.ts";
import { session } from "./session.ts";
import { sessions } from "./sessions.ts";
import { slots } from "./slots.ts";

/** All views, in the order of the navigation. */
const views: readonly View[] = [
  overview,
  search,
  memories,
  memory,
  sessions,
  session,
  observation,
  graph,
  lessons,
  insights,
  facts,
  procedures,
  slots,
  audit,
  backups,
];

export const menu: readonly { readonly name: string; readonly label: string }[] = views.flatMap(
  ({ name, label }) => (label === undefined ? [] : [{ name, label }]),
);

/** The view that an address names; the first one for an address that names none. */
export function viewOf({ view }: Route): View {
  return views.find(({ name }) => name === view) ?? overview;
}
