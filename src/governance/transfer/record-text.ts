import type { SqlValue } from "../../store/sql.ts";

/*
 * Records that the database itself writes as JSON: to read their columns, make objects of them and write those takes
 * three to five times as long. A page comes as bytes, which nobody has to decode and encode again.
 */

/** A member of a record: its value is an expression that gives JSON. */
export interface RecordMember {
  readonly name: string;
  readonly json: string;
  /** Left out where the expression gives null, which it otherwise never does. */
  readonly optional?: true;
}

/** An expression that gives a record as a JSON text. The first member is not optional. */
export function recordText(members: readonly RecordMember[]): string {
  const texts = members.map(({ name, json, optional = false }, at) => {
    const head = `'${at === 0 ? "{" : ","}"${name}":'`;
    return optional ? `${head} || ${json}` : `${head}, ${json}`;
  });
  return `concat(${texts.join(", ")}, '}')`;
}

/** The bytes of the records of a query that gives them as `record`, joined by commas; null when there are none. */
export const joinedRecords = "CAST(group_concat(record, ',') AS BLOB)";

/** What `joinedRecords` gave; some drivers give bytes as an ArrayBuffer. */
export function pageFrom(given: SqlValue | ArrayBuffer): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given;
  return given instanceof ArrayBuffer ? new Uint8Array(given) : undefined;
}

export function textMember(name: string, column = name): RecordMember {
  return { name, json: `json_quote(${column})` };
}

export function optionalText(name: string, column = name): RecordMember {
  return { name, json: `nullif(json_quote(${column}), 'null')`, optional: true };
}

/** A text that needs no escapes: one of a few words. */
export function wordMember(name: string, column = name): RecordMember {
  return { name, json: `'"' || ${column} || '"'` };
}

export function jsonMember(name: string, json = name): RecordMember {
  return { name, json };
}

export function optionalJson(name: string, json = name): RecordMember {
  return { name, json, optional: true };
}

export function timeMember(name: string, column: string): RecordMember {
  return { name, json: timeJson(column) };
}

/** Two times one after the other, which are often the same: to make a text of a time takes longer than to copy it. */
export function timeMembers(
  name: string,
  column: string,
  { name: nextName, column: nextColumn }: { readonly name: string; readonly column: string },
): RecordMember {
  const next = `,"${nextName}":`;
  const json = `CASE ${nextColumn} WHEN ${column} THEN replace('@${next}@', '@', ${timeJson(column)})
    ELSE concat(${timeJson(column)}, '${next}', ${timeJson(nextColumn)}) END`;
  return { name, json };
}

/** A time that ISO 8601 cannot say in four digits of a year is left as milliseconds, which an import takes, too. */
export function timeJson(column: string): string {
  return `coalesce('"' || strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch') || '"', ${column})`;
}
