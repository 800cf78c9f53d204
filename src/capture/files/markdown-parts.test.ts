import { expect, test } from "vitest";
import { essentialParts } from "./markdown-parts.ts";

const partsOf = (text: string) => [...essentialParts(text)];

test("inline code ends at the same number of backticks that opened it", () => {
  const text = "a `b` c ``d ` e`` f ``` g ` h `` i\n";
  expect(partsOf(text)).toEqual(["`b`", "``d ` e``"]);
});

test.each([
  ["in a list item", "1. ```sh\n   npm ci\n   ```"],
  ["in a later paragraph of an item", "- one\n\n  two\n\n  ```sh\n  npm ci\n  ```"],
  ["in a nested item", "- one\n  1. two\n\n     ```sh\n     npm ci\n     ```"],
  ["in a quote", "> ```sh\n> npm ci\n> ```"],
  ["in an item of a quote", "> - ```sh\n>   npm ci\n>   ```"],
  ["in an item that is indented by a tab", "-\tone\n\n\t```sh\n\tnpm ci\n\t```"],
  ["after a lazy continuation line of an item", "- one\ngoes on\n\n  ```sh\n  npm ci\n  ```"],
  ["that only the end of its item closes", "1. ```sh\n   npm ci\n"],
  ["that only the end of its quote closes", "> ```sh\n> npm ci\n"],
])("finds a fenced block %s and the block after it", (_name, block) => {
  const next = "```\nmake\n```";
  const parts = partsOf(`${block}\n\nThen \`this\`:\n\n${next}\n\nend\n`);
  expect(parts).toHaveLength(3);
  expect(parts[0]).toContain("npm ci");
  expect(parts.slice(1)).toEqual(["`this`", next]);
});

test.each([
  ["backticks that are closed on the same line", "```npm install```", ["```npm install```"]],
  ["a fence that is indented like code", "    ```\n    a\n\nb", []],
  ["a year at the beginning of a line", "That was in\n1986. ```sh\n\nb", []],
])("no fenced block begins at %s", (_name, text, inline) => {
  expect(partsOf(`${text}\n\n\`\`\`\nmake\n\`\`\`\n`)).toEqual([...inline, "```\nmake\n```"]);
});

test("finds headings anywhere and addresses without the punctuation after them", () => {
  const text =
    "# One\n\nTwo\n---\n\n> ## Three\n\n- #### Four\n\nSee https://a.example/docs. Or (https://b.example/x).\n";
  expect(partsOf(text)).toEqual([
    "# One",
    "Two\n-",
    "## Three",
    "#### Four",
    "https://a.example/docs",
    "https://b.example/x",
  ]);
});
