import { isInScope, type Scoped, type SearchScope } from "./scope.ts";

/** The fields of a row that a scope tests, except times. */
export type ScopeClass = Omit<Scoped, "createdAt" | "hiddenAfter">;

/**
 * Numbers the combinations of kind, project and agent. There are few, so a search tests its scope once per combination
 * and then only looks up the number of each row.
 */
export class ScopeClasses {
  readonly #classes: ScopeClass[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf({ kind, projectKey, agentId }: ScopeClass): number {
    const key = JSON.stringify([kind, projectKey, agentId]);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#classes.length;
    this.#numbers.set(key, number);
    this.#classes.push({ kind, projectKey, agentId });
    return number;
  }

  /** The combinations in the order of their numbers. */
  get all(): readonly ScopeClass[] {
    return this.#classes;
  }

  /** For each number 1 if the scope admits that combination, else 0. */
  allowed(scope: SearchScope): Uint8Array {
    const { since: _since, until: _until, ...timeless } = scope;
    return Uint8Array.from(this.#classes, ({ kind, projectKey, agentId }) =>
      isInScope(timeless, { kind, projectKey, agentId, createdAt: 0, hiddenAfter: null }) ? 1 : 0,
    );
  }
}
