import { ReadError } from "../api.ts";
import type { Route } from "../route.ts";
import type { View } from "../view.ts";
import { audit } from "./audit.ts";
import { backups } from "./backups.ts";
import { commits } from "./commits.ts";
import { action } from "./coordination/action.ts";
import { actions } from "./coordination/actions.ts";
import { checkpoints } from "./coordination/checkpoints.ts";
import { facets } from "./coordination/facets.ts";
import { frontier } from "./coordination/frontier.ts";
import { leases } from "./coordination/leases.ts";
import { routines } from "./coordination/routines.ts";
import { run } from "./coordination/run.ts";
import { sentinels } from "./coordination/sentinels.ts";
import { signals } from "./coordination/signals.ts";
import { sketches } from "./coordination/sketches.ts";
import { crystals } from "./crystals.ts";
import { facts } from "./facts.ts";
import { graph } from "./graph.ts";
import { insights } from "./insights.ts";
import { lesson } from "./lesson.ts";
import { lessons } from "./lessons.ts";
import { memories } from "./memories.ts";
import { memory } from "./memory.ts";
import { observation } from "./observation.ts";
import { overview } from "./overview/overview.ts";
import { procedures } from "./procedures.ts";
import { project } from "./project.ts";
import { projects } from "./projects.ts";
import { search } from "./search.ts";
import { session } from "./session.ts";
import { sessions } from "./sessions.ts";
import { mesh } from "./sharing/mesh.ts";
import { team } from "./sharing/team.ts";
import { slots } from "./slots.ts";

interface Group {
  /** Heading of the group; the first group has none. */
  readonly title?: string;
  readonly views: readonly View[];
}

/** All views, in the order of the navigation. */
const groups: readonly Group[] = [
  { views: [overview, search, projects, project] },
  {
    title: "Knowledge",
    views: [
      memories,
      memory,
      sessions,
      session,
      observation,
      commits,
      graph,
      lessons,
      lesson,
      insights,
      facts,
      procedures,
      crystals,
      slots,
    ],
  },
  {
    title: "Coordination",
    views: [
      frontier,
      actions,
      action,
      leases,
      checkpoints,
      sentinels,
      signals,
      routines,
      run,
      sketches,
      facets,
    ],
  },
  { title: "Sharing", views: [team, mesh] },
  { title: "Store", views: [audit, backups] },
];

interface MenuGroup {
  readonly title: string | undefined;
  readonly entries: readonly { readonly name: string; readonly label: string }[];
}

export const menu: readonly MenuGroup[] = groups.map(({ title, views }) => ({
  title,
  entries: views.flatMap(({ name, label }) => (label === undefined ? [] : [{ name, label }])),
}));

/** The view that an address names; the first view if it names none. */
export function viewOf({ view }: Route): View {
  return groups.flatMap(({ views }) => views).find(({ name }) => name === view) ?? unknown;
}

const unknown: View = {
  name: "unknown",
  show: (_, { view }) =>
    Promise.reject(new ReadError("not_found", `there is no view ${view}`, "choose one in the navigation")),
};
