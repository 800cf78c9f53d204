interface Thrown<Name extends string> {
  readonly name: Name;
}

export const placed = ((name: string): Thrown<string> & Error => Object.assign(new Error("here"), { name }))(
  "Placed",
);
