/** What a hook of an agent sends, as it came. */
export type Payload = Record<string, unknown>;

export function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The same data with some fields under other names; a name that is taken already stays. */
export function moved(data: Payload, names: Readonly<Record<string, string>>): Payload {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      return [name === undefined || Object.hasOwn(data, name) ? key : name, value];
    }),
  );
}
