import { expect, test } from "vitest";
import { typedCommand } from "./transcript-line.ts";

const name = "<command-name>/review</command-name>";
const message = "<command-message>review</command-message>";

test.each([
  [`${name}\n${message}\n<command-args>the cart</command-args>`, "/review the cart"],
  [`${message}\n${name}\n<command-args>a\nb</command-args>\n`, "/review a\nb"],
  [`${name}\n${message}\n<command-args></command-args>`, "/review"],
  [name, "/review"],
])("%j is a command that the user typed", (text, command) => {
  expect(typedCommand(text)).toBe(command);
});

test.each([`What does ${name} mean?`, `${name} is a tag`, "/review the cart"])("%j is text", (text) => {
  expect(typedCommand(text)).toBeUndefined();
});
