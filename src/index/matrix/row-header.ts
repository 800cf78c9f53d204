/** The byte offsets of the fields in a row's header. */
export const rowHeader = {
  /** f32: the quantisation step, for the vector scaled to length 1. */
  scale: 0,
  /** u32: number of the scope class (scope-classes.ts). */
  class: 4,
  /** f64: document id. The two times are f64 too, in milliseconds. */
  document: 8,
  createdAt: 16,
  hiddenAfter: 24,
  /** f32: the component of the scaled vector along the axis. Four unused bytes follow. */
  along: 32,
} as const;

export const headerBytes = 40;
