import { expect, test } from "vitest";
import { queryTokens } from "../../text/tokens.ts";
import { isSpokenBy } from "./speaker.ts";

const terms = new Set(queryTokens("What did Zoë and Caroline paint?"));

test.each(["Caroline: I painted it.", "Zoe\u0308: Me too.", "\nCaroline: A title may be empty."])(
  "%j is spoken by a person named in the query",
  (text) => expect(isSpokenBy(text, terms)).toBe(true),
);

test.each([
  "Mel: Caroline painted it.",
  "Caroline painted it: look!",
  "Caroline:8080",
  "caroline/paint.ts: x",
])("%j is not spoken by a person named in the query", (text) => expect(isSpokenBy(text, terms)).toBe(false));
