import { MemsvcError } from "../../operation/errors.ts";

/** Flags that say which store is meant: without a value, as in `--home "$UNSET"`, they must not mean another one. */
const placeFlags = { home: "--home", url: "--url", secretFile: "--secret-file" } as const;

export type PlaceValues = { readonly [Field in keyof typeof placeFlags]: string | undefined };

export function blankPlaceFlag(values: PlaceValues): string | undefined {
  for (const [field, flag] of Object.entries(placeFlags) as [keyof PlaceValues, string][])
    if (values[field]?.trim() === "") return flag;
  return undefined;
}

/** Error: invalid_input. */
export function refuseBlankPlaces(values: PlaceValues): void {
  const flag = blankPlaceFlag(values);
  if (flag !== undefined) throw new MemsvcError("invalid_input", `${flag} must not be blank`);
}
