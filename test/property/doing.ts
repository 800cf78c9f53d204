import type fc from "fast-check";
import type { World } from "./world.ts";

/** Steps by their names. */
export type Kinds = Readonly<Record<string, fc.Arbitrary<{ readonly kind: string }>>>;

export type StepOf<K extends Kinds> = {
  [Name in keyof K]: K[Name] extends fc.Arbitrary<infer One> ? One : never;
}[keyof K];

/** What each step does to the store and to the model. */
export type Doing<S extends { readonly kind: string }> = {
  readonly [K in S["kind"]]: (world: World, step: Extract<S, { kind: K }>) => Promise<void>;
};

/** One of the rows there are, by a number that may be larger. */
export function picked<T>(rows: ReadonlyMap<string, T>, pick: number): T | undefined {
  return [...rows.values()][pick % Math.max(1, rows.size)];
}
