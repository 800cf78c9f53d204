import { describe, expect, test } from "vitest";
import { redactText } from "./redact.ts";

const mark = "[REDACTED_SECRET]";
const secret = 'geh3imes"rest\\9x';

describe("a value with quotes and backslashes in it is replaced as a whole", () => {
  const once = JSON.stringify({ password: secret, next: "x" });
  test("in JSON, and in JSON within JSON", () => {
    let written = once;
    let expected = JSON.stringify({ password: mark, next: "x" });
    for (let level = 0; level < 3; level++) {
      expect(redactText(written)).toBe(expected);
      written = JSON.stringify(written);
      expected = JSON.stringify(expected);
    }
  });

  test.each([
    ['password = "', 'geh3imes\\"rest', '"; x'],
    ["password = '", "geh3imes\\'rest", "'; x"],
    ["password: '", "geh3imes''rest", "'\n"],
    ['export DB_PASSWORD="', 'geheimes\\"rest', '" && x'],
    ['{"password":"', 'ab\\"rest9', '"}'],
    ['{"password":"', "geh3imes\\u0026rest", '"}'],
    ['{"password":"', "geh3imes<rest>", '"}'],
    ['{"apiKey":"', 'zqxjvkwbmnop12\\"rest', '","b":"c"}'],
    ['{"name":"DB_PASSWORD","value":"', 'geheimes\\"rest', '"}'],
    ['{"password":"', "geh3imes\\\\", '","b":"c"}'],
    ["SECRET_KEY = '", "zqx9jvkwb7mnzqx9jvkwb7mn&^x_!rest", "'\n"],
  ])("in %s%s%s", (before, value, after) => {
    expect(redactText(before + value + after)).toBe(before + mark + after);
  });
});

test("what follows a value or its closing quote stays", () => {
  const token = "zqx9jvkwb7mnzqx9jvkwb7mn";
  for (const after of ["$" + "{suffix}'", "& b', 'c'"])
    expect(redactText(`SECRET_KEY = '${token}${after}`)).toBe(`SECRET_KEY = '${mark}${after}`);
  for (const after of ['","b":"c\\"d"}', '\\n","b":1}', '" + x + "\\""', '"'])
    expect(redactText(`{"password":"geh3imes${after}`)).toBe(`{"password":"${mark}${after}`);
  const open = (value: string) => `["a password='${value}","b\\"c","it's"]`;
  expect(redactText(open("geh3imes"))).toBe(open(mark));
  expect(redactText(`password='''geh3imes''' + it's`)).toBe(`password='''${mark}''' + it's`);
});
