import { expect, test } from "vitest";
import { compressByRules } from "../rules/compress.ts";
import { isAgentNote, textOfNote, wordsOfUser } from "./agent-notes.ts";

const asked = (prompt: string) =>
  compressByRules({
    ...{ hookType: "prompt_submit", sessionId: "s1", project: "shop", cwd: "/shop", timestamp: 0 },
    data: { prompt },
  });

test("what a prompt quotes is neither its title nor a decision of the user", () => {
  const quoted =
    "> Let's use Postgres instead of SQLite.\n>\n> > We agreed on it.\n\nNo, the file is enough for us.";
  expect(asked(quoted)).toMatchObject({ title: "No, the file is enough for us.", facts: [], importance: 6 });
  expect(asked(quoted).narrative).toBe(quoted);
  expect(asked("Please do this:\n> Add the tax").title).toBe("Please do this:");
  expect(asked("> Add the tax to every price").title).toBe("Add the tax to every price");
  expect(wordsOfUser("Is a > b, and\n>= c?")).toBe("Is a > b, and\n>= c?");
});

test("colours of pasted output are not in the text of a prompt", () => {
  expect(asked("\u001b[31m✗ takes VAT off\u001b[39m fails")).toMatchObject({
    title: "✗ takes VAT off fails",
    narrative: "✗ takes VAT off fails",
    concepts: ["takes", "fails"],
  });
});

test("an item of a list of tasks is titled without its box", () => {
  expect(asked("- [ ] add the tax\n- [x] round prices").title).toBe("add the tax");
  expect(asked("[x] marks the spot").title).toBe("[x] marks the spot");
});

test("the text of a teammate's message is told without the tag and its attributes", () => {
  const note =
    '<teammate-message teammate_id="lead" color="blue">\nPlease review the cart.\n</teammate-message>';
  expect(isAgentNote(note)).toBe(true);
  expect(textOfNote(note)).toBe("Please review the cart.");
});

test("a note within a note is part of it", () => {
  const inner = "<local-command-stdout>done</local-command-stdout>";
  expect(wordsOfUser(`<system-reminder>It ran ${inner} again</system-reminder> Add the tax`)).toBe(
    "Add the tax",
  );
});
