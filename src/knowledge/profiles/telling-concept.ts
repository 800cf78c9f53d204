import { basename } from "node:path";

/**
 * Concepts that are frequent in any project, as from the output of tests and git, and so say nothing about this one.
 */
const ofAnyProject = (
  "test tests pass passed passing fail fails failed failing failure failures success successful error errors assert " +
  "asserts assertion assertionerror exception code node commit commits committed main master insertion insertions " +
  "deletion deletions"
).split(" ");

/** Tells whether a concept says something about a project; the project's own name does not. */
export function tellingConcept(project: string): (concept: string) => boolean {
  const tellsNothing = new Set([...ofAnyProject, basename(project).toLowerCase()]);
  return (concept) => !tellsNothing.has(concept);
}
