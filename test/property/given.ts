import fc from "fast-check";

/* Values of the fields that steps give to records. */

export const projects = ["shop", "tools", "Ünïcode läden"] as const;
export const agents = ["ann", "bob"] as const;
/** The agent of each session and of all its observations. */
export const sessions = { s1: "ann", s2: "bob", "deep/session": undefined } as const;

export const project = fc.option(fc.constantFrom(...projects), { nil: undefined });
export const agent = fc.option(fc.constantFrom(...agents), { nil: undefined });
export const session = fc.constantFrom(...(Object.keys(sessions) as (keyof typeof sessions)[]));
export const pick = fc.nat({ max: 1_000 });

/** Text of a record beside its unique word; it has few different words, so that some texts are nearly the same. */
export const text = fc.record({
  words: fc
    .array(
      fc.constantFrom(
        "queue",
        "drains",
        "before",
        "shutdown",
        "retries",
        "naïve",
        "läuft",
        "подвал",
        "später",
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((words) => words.join(" ")),
  odd: fc.constantFrom(
    "",
    "",
    "",
    "🧵 🇩🇪",
    "a\u0301 \u200d",
    "שלום",
    "日本語の文章",
    "<b>&amp;</b> 'x' \"y\"",
    "%_*\\",
  ),
  secret: fc.integer({ min: 0, max: 9 }).map((one) => one === 9),
});

export interface StepText {
  readonly words: string;
  readonly odd: string;
  readonly secret: boolean;
}
