/*
 * What an agent answered at the end of a turn. A model may have given it any type, such as `decision`; the end of a
 * turn without an answer is `other` by the rules.
 */

interface Event {
  readonly hookType: string;
  readonly type: string;
}

export function isAnswer({ hookType, type }: Event): boolean {
  return hookType === "stop" && type !== "other";
}

/** The same as an SQL condition. */
export const isAnswerSql = "hook_type = 'stop' AND type <> 'other'";
