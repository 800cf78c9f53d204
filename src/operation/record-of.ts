import type * as z from "zod";

/** The fields from which a record is made; an optional field may also be null or undefined. */
type FieldsOf<Shown> = {
  [Field in keyof Shown]: undefined extends Shown[Field] ? Shown[Field] | null | undefined : Shown[Field];
};

/** A record as answers show it: fields without a value are left out. */
export function recordOf<Shown extends object>(fields: FieldsOf<NoInfer<Shown>>): Shown {
  const shown: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) shown[field] = value;
  }
  return shown as Shown;
}

/** The fields that a row has in another form, such as times. */
type OtherForm<Shown, Row> = {
  [Field in keyof Shown & keyof Row]: Row[Field] extends Shown[Field] | null ? never : Field;
}[keyof Shown & keyof Row];

/** The fields of a record that its row does not have as they are shown. */
type OtherFields<Shown, Row> = Partial<FieldsOf<Shown>> &
  Pick<FieldsOf<Shown>, Exclude<keyof Shown, keyof Row>> &
  Required<Pick<FieldsOf<Shown>, OtherForm<Shown, Row>>>;

/**
 * The record of a row as answers show it: the fields of its schema, in their order, without those that have no value.
 */
export function recordOfRow<Shown extends object, Row extends object>(
  { shape }: z.ZodType<Shown> & { readonly shape: object },
  row: Row,
  others: OtherFields<NoInfer<Shown>, Row>,
): Shown {
  const shown: Record<string, unknown> = {};
  for (const field of Object.keys(shape)) {
    const value: unknown = Reflect.get(field in others ? others : row, field);
    if (value !== null && value !== undefined) shown[field] = value;
  }
  return shown as Shown;
}
