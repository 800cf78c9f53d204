/** The most different words of a question; a query with more is a whole text, which has much in common with others. */
const longestQuestion = 16;

/** Whether a query, by its index tokens, is a whole text instead of a question. */
export function isWholeText(sequence: readonly string[]): boolean {
  return new Set(sequence).size > longestQuestion;
}
