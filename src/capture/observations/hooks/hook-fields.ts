/** The payload of an agent's hook, as received. */
export type Payload = Record<string, unknown>;

/** The kind of notification that tells of a turn which an error ended. */
export const turnFailed = "stop_failure";

/** The data with some fields renamed; a field is not renamed if its new name is taken. */
export function moved(data: Payload, names: Readonly<Record<string, string>>): Payload {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const name = Object.hasOwn(names, key) ? names[key] : undefined;
      return [name === undefined || Object.hasOwn(data, name) ? key : name, value];
    }),
  );
}
