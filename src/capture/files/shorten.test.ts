import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { essentialParts } from "./markdown-parts.ts";
import { shortenMarkdown } from "./shorten.ts";

const long =
  "A paragraph of more than eighty characters, which is as much as it takes to be looked at twice.";

test.each([
  ["blanks at line ends go", "one  \ntwo\t\n", "one\ntwo\n"],
  [
    "runs of empty lines become one, and none is left at either end",
    "\n\none\n\n \n\ntwo\n\n\n",
    "one\n\ntwo\n",
  ],
  ["a long paragraph stays once", `${long}\n\nshort\n\n${long}\n`, `${long}\n\nshort\n`],
  ["a short one stays as often as it was said", "short\n\nshort\n", "short\n\nshort\n"],
  ["a fenced block stays as it is", "```\na  \n\n\n\nb\n```\n", "```\na  \n\n\n\nb\n```\n"],
  [
    "a fence inside a longer fence ends nothing",
    "````\n```\na  \n```\n````\nx  \n",
    "````\n```\na  \n```\n````\nx\n",
  ],
  ["a block that is never closed stays as it is", "~~~\na  \n\n\n\nb", "~~~\na  \n\n\n\nb"],
  [
    "indented code keeps its blanks and its empty lines",
    "x\n\n    a  \n\n\n    b\n\ny\n",
    "x\n\n    a  \n\n\n    b\n\ny\n",
  ],
  ["other line ends stay what they are", "one  \r\n\r\n\r\n\r\ntwo\r\n", "one\r\n\r\ntwo\r\n"],
  ["no line end is made where there was none", "one\n\n\n\ntwo", "one\n\ntwo"],
  ["nothing comes of nothing", " \n\n", ""],
])("%s", (_name, text, expected) => {
  expect(shortenMarkdown(text)).toBe(expected);
});

test("a repeated paragraph in a fenced block stays", () => {
  const text = `${long}\n\n\`\`\`\n${long}\n\`\`\`\n`;
  expect(shortenMarkdown(text)).toBe(text);
});

test.each([
  ["in a list item", "1. ```sh\n   npm ci\n   ```"],
  ["in a quote", "> ```sh\n> npm ci\n> ```"],
  ["that is inline code on a line of its own", "```npm install```"],
])("code after a piece of code %s stays as it is", (_name, code) => {
  const text = `# T\n\n${code}\n\nThen:\n\n\`\`\`\n${long}\n\n\n\nkept  \n\n${long}\n\`\`\`\n\nEnd.\n`;
  expect(shortenMarkdown(text)).toBe(text);
});

test.each([
  ["blanks inside a line", `x${" ".repeat(1_000_000)}x\n`],
  ["backticks that nothing closes", `x ${"`` ``` ".repeat(120_000)}x\n`],
  ["marks of lists", `${"- ".repeat(500_000)}x\n`],
  ["marks of quotes", `${">".repeat(1_000_000)}x\n${"> ".repeat(10)}x\n`],
  ["empty lines after indented code", `    x\n${"\n".repeat(200_000)}    x${" ".repeat(800_000)}x\n`],
  ["tabs", `x${"\t".repeat(1_000_000)}x\n`],
])("a megabyte of %s is read in linear time", (_name, text) => {
  const spent = processorTimer();
  expect(shortenMarkdown(text)).toBe(text);
  essentialParts(text);
  expect(spent()).toBeLessThan(5_000);
});
