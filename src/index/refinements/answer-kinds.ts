/*
 * What a question asks for shows in the text that answers it: "when" asks for a time, "how many" for a number. Only
 * words that say it outright are looked for, and only in short texts: somewhere in a long one there is always a number.
 */

interface AnswerKind {
  /** The query asks for it. */
  readonly question: RegExp;
  /** The text has it. */
  readonly answer: RegExp;
}

const verb = "(?:did|do|does|was|were|is|are|will|has|have|had|should)";
/** Without May, which is mostly another word. */
const months = "january|february|march|april|june|july|august|september|october|november|december";
const numbers = "one|two|three|four|five|six|seven|eight|nine|ten|hundred|dozen|couple|few|several";

/** The first that a query asks for counts. */
const kinds: readonly AnswerKind[] = [
  {
    question: new RegExp(`\\bwhen ${verb}\\b|\\b(?:what|which) (?:time|date|day|week|month|year)\\b`, "i"),
    answer: new RegExp(
      `\\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|recently|week|weekend|month|year|${months}` +
        "|(?:mon|tues|wednes|thurs|fri|satur|sun)day|the other day|this morning|\\d{4})\\b",
      "i",
    ),
  },
  {
    question: /\bhow (?:many|much|long|often|old|far)\b/i,
    answer: new RegExp(`\\d|\\b(?:${numbers}|once|twice|first|second|third)\\b`, "i"),
  },
  {
    question: /\bwhy\b/i,
    answer: /\b(?:because|cause|since|so that|reasons?|due to|therefore|in order to)\b/i,
  },
  { question: new RegExp(`\\bwhere ${verb}\\b`, "i"), answer: /\b(?:in|at|to|from|near) (?:the )?[A-Z]/ },
];

/** Characters: what is kept of a message, with its title. */
const longestAnswer = 1_100;

/** Tells whether a text has what a query asks for; undefined where it asks for nothing of a known kind. */
export function answerTest(query: string): ((text: string) => boolean) | undefined {
  const kind = kinds.find(({ question }) => question.test(query));
  return kind && ((text) => text.length <= longestAnswer && kind.answer.test(text));
}
