import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { help } from "../src/cli/help/help.generated.ts";
import { operationTable } from "../src/cli/operations/operations.generated.ts";
import { programHelp } from "../src/cli/program.ts";
import { catalogue } from "../src/operation/catalogue.ts";
import { formsByToken } from "../src/text/abbreviations.generated.ts";
import { readForms } from "../src/text/abbreviations.ts";
import { operationEntries } from "./command-table.ts";
import { generatedTexts } from "./generated-files.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");

test("the command table matches the declarations; otherwise run `npm run generate`", async () => {
  const entries = await operationEntries();
  expect(operationTable).toEqual(Object.fromEntries(entries.map((entry) => [entry.id, entry])));
});

test("the help that is printed without loading the commands is the same as with them", () => {
  expect(help, "run npm run generate").toBe(programHelp());
});

test("abbreviations are stored under the tokens of the index", () => {
  expect(formsByToken, "run npm run generate").toEqual(readForms());
});

test("the reference of settings and the completion scripts are up to date", () => {
  for (const [path, text] of Object.entries(generatedTexts()))
    expect(read(path), `${path}: run npm run generate`).toBe(text);
});

test("the command line has every HTTP operation of the catalogue", async () => {
  const ids = (await operationEntries()).map(({ id }) => id);
  expect(new Set(ids), "each family has a row in src/cli/operations/families.ts").toEqual(
    new Set(catalogue.filter(({ http }) => http !== undefined).map(({ id }) => id)),
  );
});
