import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { z } from "zod";
import { connect } from "../src/client/client.ts";
import { catalogue } from "../src/operation/catalogue.ts";
import type { Operation } from "../src/operation/define.ts";
import { buildOnce } from "./cli/program-process.ts";

const edited = fileURLToPath(new URL("../dist/edited.ts", import.meta.url));

test("an editor shows the documentation of each client method and of each of its fields", () => {
  buildOnce();
  const expected: Record<string, string> = {};
  const positions: Record<string, number> = {};
  let text = 'import { connect } from "./client.js";\nconst client = connect();\n';
  const write = (word: string, name: string, documentation: string) => {
    expected[name] = documentation;
    positions[name] = text.length;
    text += word;
  };
  for (const operation of operationsOfClient()) {
    const [family, method = ""] = operation.id.split(".");
    text += `client.${family}.`;
    write(method, operation.id, wordsOfMethod(operation));
    text += "({ ";
    for (const [field, description] of fieldsOf(operation)) {
      write(field, `${operation.id} ${field}`, description);
      text += ": null, ";
    }
    text += "});\n";
  }
  const shownAt = editorOf(text);
  const shown = Object.entries(positions).map(([name, position]) => [name, shownAt(position)]);
  expect(Object.fromEntries(shown)).toEqual(expected);
});

function operationsOfClient(): Operation[] {
  const methods = Object.entries(connect()).flatMap(([family, members]) =>
    Object.keys(members).map((name) => `${family}.${name}`),
  );
  return catalogue.filter(({ id }) => methods.includes(id));
}

function wordsOfMethod({ summary, description, http, errors }: Operation): string {
  const said = description === undefined ? `${summary}.` : `${summary}.\n${description}`;
  const thrown = errors.length === 0 ? "" : `\n@throws {MemsvcError} ${errors.join(", ")}`;
  return `${said}\n\n\`${http?.method} ${http?.path}\`${thrown}`;
}

function fieldsOf({ input }: Operation): [string, string][] {
  const { properties = {} } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([field, schema]) => [
    field,
    typeof schema === "object" ? (schema.description ?? "") : "",
  ]);
}

/** The documentation that an editor shows at a position in a file beside the built client. */
function editorOf(text: string): (position: number) => string {
  const service = ts.createLanguageService({
    getScriptFileNames: () => [edited],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) =>
      ts.ScriptSnapshot.fromString((file === edited ? text : ts.sys.readFile(file)) ?? ""),
    getCurrentDirectory: () => fileURLToPath(new URL("..", import.meta.url)),
    // More of the standard libraries would take three times as long, and is not needed.
    getCompilationSettings: () => ({
      strict: true,
      module: ts.ModuleKind.NodeNext,
      types: [],
      lib: ["lib.es5.d.ts"],
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  return (position) => {
    const shown = service.getQuickInfoAtPosition(edited, position);
    const tags = (shown?.tags ?? []).map((tag) => `\n@${tag.name} ${ts.displayPartsToString(tag.text)}`);
    return ts.displayPartsToString(shown?.documentation) + tags.join("");
  };
}
