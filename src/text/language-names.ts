import { indexTokens } from "./tokens.ts";

/**
 * Programming languages, as index tokens, whose names are hardly ever meant for anything else. People ask "how to … in
 * python", and what answers is written in it without saying so: the word finds what talks about the language instead.
 */
export const languageNames: ReadonlySet<string> = new Set(
  `golang haskell java javascript js kotlin perl php py python ruby rust scala typescript`
    .split(" ")
    .flatMap((name) => indexTokens(name)),
);
