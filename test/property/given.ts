import fc from "fast-check";

/* What steps say of records. */

export const projects = ["shop", "tools", "Ünïcode läden"] as const;
export const agents = ["ann", "bob"] as const;
/** Whose a session is, for all its observations. */
export const sessions = { s1: "ann", s2: "bob", "deep/session": undefined } as const;

export const project = fc.option(fc.constantFrom(...projects), { nil: undefined });
export const agent = fc.option(fc.constantFrom(...agents), { nil: undefined });
export const session = fc.constantFrom(...(Object.keys(sessions) as (keyof typeof sessions)[]));
export const pick = fc.nat({ max: 1_000 });

/** Text that a record has beside its own word; few words, so that some texts are nearly the same. */
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
