import { type DryRunAnswer, dryRunVerb } from "./dry-run.ts";
import { counted } from "./quantity.ts";

interface Deleting extends DryRunAnswer {
  readonly derived?: readonly string[] | undefined;
  readonly withdrawn?: readonly string[] | undefined;
}

/** Other records that a deletion removed, as clauses after its counts. */
export function cascadeNote(answer: Deleting): string {
  const { derived = [], withdrawn = [] } = answer;
  const clauses = [
    ...(derived.length === 0
      ? []
      : [
          `with ${counted(derived.length, "fact, procedure or insight", "facts, procedures and insights")} derived from it`,
        ]),
    ...(withdrawn.length === 0
      ? []
      : [`${dryRunVerb(answer, "withdrew", "withdraw")} the shared copies of ${withdrawn.join(", ")}`]),
  ];
  return clauses.map((clause) => `; ${clause}`).join("");
}
