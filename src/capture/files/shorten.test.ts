import { expect, test } from "vitest";
import { processorTimer } from "../../../test/support/processor-time.ts";
import { essentialParts } from "./markdown-parts.ts";
import { shortenMarkdown } from "./shorten.ts";

const long =
  "A paragraph of more than eighty characters, which is as much as it takes to be looked at twice.";
const e79 = "é".repeat(79);
const e80 = `${e79}é`;

test.each([
  ["removes blanks at line ends", "one  \ntwo\t\n", "one\ntwo\n"],
  ["merges empty lines and removes those at either end", "\n\none\n\n \n\ntwo\n\n\n", "one\n\ntwo\n"],
  ["keeps a repeated long paragraph once", `${long}\n\nshort\n\n${long}\n`, `${long}\n\nshort\n`],
  ["takes a paragraph of 80 characters for long", `${e80}\n\nx\n\n${e80}\n`, `${e80}\n\nx\n`],
  ["takes one of 79 characters for short", `${e79}\n\nx\n\n${e79}\n`, `${e79}\n\nx\n\n${e79}\n`],
  ["keeps repeated short paragraphs", "short\n\nshort\n", "short\n\nshort\n"],
  ["leaves a fenced block unchanged", "```\na  \n\n\n\nb\n```\n", "```\na  \n\n\n\nb\n```\n"],
  [
    "does not close a fence at a shorter one",
    "````\n```\na  \n```\n````\nx  \n",
    "````\n```\na  \n```\n````\nx\n",
  ],
  ["leaves an unclosed fenced block unchanged", "~~~\na  \n\n\n\nb", "~~~\na  \n\n\n\nb"],
  [
    "keeps the blanks and empty lines of indented code",
    "x\n\n    a  \n\n\n    b\n\ny\n",
    "x\n\n    a  \n\n\n    b\n\ny\n",
  ],
  ["keeps CRLF line ends", "one  \r\n\r\n\r\n\r\ntwo\r\n", "one\r\n\r\ntwo\r\n"],
  ["adds no line end at the end of the text", "one\n\n\n\ntwo", "one\n\ntwo"],
  ["makes a blank text empty", " \n\n", ""],
])("%s", (_name, text, expected) => {
  expect(shortenMarkdown(text)).toBe(expected);
});

test("keeps a repeated paragraph inside a fenced block", () => {
  const text = `${long}\n\n\`\`\`\n${long}\n\`\`\`\n`;
  expect(shortenMarkdown(text)).toBe(text);
});

test.each([
  ["in a list item", "1. ```sh\n   npm ci\n   ```"],
  ["in a quote", "> ```sh\n> npm ci\n> ```"],
  ["that is inline on a line of its own", "```npm install```"],
])("leaves a fenced block unchanged after code %s", (_name, code) => {
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
])("reads a megabyte of %s in linear time", (_name, text) => {
  const spent = processorTimer();
  expect(shortenMarkdown(text)).toBe(text);
  essentialParts(text);
  expect(spent()).toBeLessThan(5_000);
});
