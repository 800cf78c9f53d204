/** The fields from which a record is made; an optional field may also be null. */
type FieldsOf<Shown> = {
  [Field in keyof Shown]: undefined extends Shown[Field] ? Shown[Field] | null : Shown[Field];
};

/** A record as answers show it: fields without a value are left out. */
export function recordOf<Shown extends object>(fields: FieldsOf<NoInfer<Shown>>): Shown {
  const shown: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) shown[field] = value;
  }
  return shown as Shown;
}
