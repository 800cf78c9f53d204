import { indexTokens } from "./tokens.ts";

/**
 * Index tokens of the names of programming languages that are rarely used in another sense. People ask "how to … in
 * python", but the code that answers does not mention its language: the name would find texts that talk about the
 * language instead.
 */
export const languageNames: ReadonlySet<string> = new Set(
  `golang haskell java javascript js kotlin perl php py python ruby rust scala typescript`
    .split(" ")
    .flatMap((name) => indexTokens(name)),
);
