/** What stands before a row's vector, at which byte: its numbers are those of planes.ts and axis.ts, and what scopes ask. */
export const rowHeader = {
  /** f32: of the code's steps, in lengths of the vector. */
  scale: 0,
  /** u32. */
  class: 4,
  /** f64, as the next two, which are milliseconds. */
  document: 8,
  createdAt: 16,
  hiddenAfter: 24,
  /** f32: how far the vector goes along the axis; four bytes of nothing follow. */
  along: 32,
} as const;

export const headerBytes = 40;
