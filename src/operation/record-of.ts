/** What a record is made of: null, or nothing, where it goes without a field. */
type FieldsOf<Shown> = {
  [Field in keyof Shown]: undefined extends Shown[Field] ? Shown[Field] | null : Shown[Field];
};

/** A record as answers show it: without the fields that have no value. */
export function recordOf<Shown extends object>(fields: FieldsOf<NoInfer<Shown>>): Shown {
  const shown: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) shown[field] = value;
  }
  return shown as Shown;
}
