import ts from "typescript";
import { type Edit, edited } from "./imports-when-used.ts";

/*
 * Lets the daemon make the schemas of an operation when they are first used: input schemas when it is called, output
 * schemas only for the documentation. All of them together take 6 MiB. In its bundle, the fields `input` and `output`
 * of each declaration become getters.
 */

const schemaFields: ReadonlySet<string> = new Set(["input", "output"]);

/** Build plugin that does so in all declarations of operations. */
export const schemasWhenUsed = {
  name: "schemas-when-used",
  transform: (code: string, id: string) =>
    /[\\/]operations\.ts$/.test(id) && code.includes("defineOperation(") ? withLateSchemas(code) : null,
};

/** Rewrites the text of a module that declares operations. */
export function withLateSchemas(code: string): string {
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === "defineOperation")
      edits.push(...schemasOf(node).flatMap(asGetter));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("operations.ts", code, ts.ScriptTarget.Latest, true));
  return edited(code, edits);
}

function schemasOf({ arguments: [declaration] }: ts.CallExpression): ts.PropertyAssignment[] {
  if (declaration === undefined || !ts.isObjectLiteralExpression(declaration))
    throw new Error("an operation is not declared by an object literal");
  return declaration.properties
    .filter(ts.isPropertyAssignment)
    .filter(({ name }) => schemaFields.has(name.getText()));
}

/** Makes a field a getter that computes its value once. */
function asGetter({ name, initializer }: ts.PropertyAssignment): Edit[] {
  const field = name.getText();
  const { end } = initializer;
  return [
    { start: name.getStart(), end: initializer.getStart(), text: `get ${field}() { const value = ` },
    { start: end, end, text: `; Object.defineProperty(this, "${field}", { value }); return value; }` },
  ];
}
