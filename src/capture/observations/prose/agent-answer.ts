/*
 * What an agent answered at the end of a turn. A model may have called it a decision or a discovery; the end of a turn
 * that only has a status is neither, nor a message.
 */

interface Event {
  readonly hookType: string;
  readonly type: string;
}

const answerTypes: readonly string[] = ["conversation", "decision", "discovery"];

export function isAnswer({ hookType, type }: Event): boolean {
  return hookType === "stop" && answerTypes.includes(type);
}

/** The same as an SQL condition. */
export const isAnswerSql = `hook_type = 'stop' AND type IN (${answerTypes.map((type) => `'${type}'`).join(", ")})`;
