import type fc from "fast-check";
import type { World } from "./world.ts";

/** Steps by their names. */
export type Kinds = Readonly<Record<string, fc.Arbitrary<{ readonly kind: string }>>>;

export type StepOf<K extends Kinds> = {
  [Name in keyof K]: K[Name] extends fc.Arbitrary<infer One> ? One : never;
}[keyof K];

/** A function for each kind of step, which carries it out on the store and on the model. */
export type Doing<S extends { readonly kind: string }> = {
  readonly [K in S["kind"]]: (world: World, step: Extract<S, { kind: K }>) => Promise<void>;
};

/** Picks one of the rows by a number, modulo how many there are; undefined when there is none. */
export function picked<T>(rows: ReadonlyMap<string, T>, pick: number): T | undefined {
  return [...rows.values()][pick % Math.max(1, rows.size)];
}
