import { basename } from "node:path";
import type { Profiles } from "../../../knowledge/profiles/profiles.ts";
import { shortened } from "../safe-text.ts";
import type { Section, SectionItem } from "../section.ts";

const mostConcepts = 8;
const mostFiles = 5;
const mostErrors = 3;
const longestValue = 120;
const longestConvention = 160;
/** Concepts that are frequent in any project, as from test output, and so say nothing about this one. */
const ofAnyProject: ReadonlySet<string> = new Set(
  "test tests pass passed passing fail fails failed failing error errors code node".split(" "),
);

/** The profile of the project, without what the asking session itself added. */
export function profileSection(profiles: Pick<Profiles, "forSession">): Section {
  return async ({ sessionId, project, view }) => {
    const profile = await profiles.forSession(sessionId, project, view);
    const own = basename(project).toLowerCase();
    const named = profile.topConcepts
      .map(({ concept }) => concept)
      .filter((concept) => concept !== own && !ofAnyProject.has(concept));
    const concepts = named.slice(0, mostConcepts);
    const files = profile.topFiles.slice(0, mostFiles).map(({ file }) => file);
    return [
      ...listed("Concepts", concepts),
      ...listed("Files", files),
      ...profile.conventions.map((convention) => item(shortened(convention, longestConvention))),
      ...profile.commonErrors
        .slice(0, mostErrors)
        .map((error) => item(`Error seen in tool output: ${error}`)),
    ];
  };
}

function listed(name: string, values: readonly string[]): SectionItem[] {
  return values.length === 0
    ? []
    : [item(`${name}: ${values.map((value) => shortened(value, longestValue)).join(", ")}`)];
}

function item(text: string): SectionItem {
  return { lines: [{ kind: "item", text }] };
}
