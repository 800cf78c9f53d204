import ts from "typescript";

/*
 * Turns the static imports of a module into imports that are evaluated where a name is used. Otherwise core.ts, which
 * imports all services, and services with many methods would load everything, of which a command needs little. Only the
 * order in which modules are evaluated changes, which does no harm as long as they only define things.
 */

interface ImportedName {
  readonly from: string;
  readonly name: string;
}

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Build plugin that does so for the modules at these paths. */
export function importsWhenUsed(paths: ReadonlySet<string>): {
  readonly name: string;
  readonly transform: (code: string, id: string) => string | null;
} {
  return {
    name: "imports-when-used",
    transform: (code, id) => (paths.has(id) ? withLateImports(code) : null),
  };
}

/** Rewrites the text of a module, so that imports of our own modules are evaluated where they are used. */
export function withLateImports(code: string): string {
  const module = ts.createSourceFile("module.ts", code, ts.ScriptTarget.Latest, true);
  const names = new Map<string, ImportedName>();
  const edits: Edit[] = [];
  for (const statement of module.statements) {
    if (!isOwnImport(statement)) continue;
    for (const [local, imported] of namesOf(statement)) names.set(local, imported);
    edits.push({ start: statement.getStart(), end: statement.end, text: "" });
  }
  const sources = [...new Set([...names.values()].map(({ from }) => from))];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const imported = ts.isIdentifier(node) ? names.get(node.text) : undefined;
    if (imported !== undefined && !isNameOf(node.parent, node))
      edits.push(lateUse(node, imported.name, sources.indexOf(imported.from)));
    ts.forEachChild(node, visit);
  };
  visit(module);
  return sources.map(loader).join("") + edited(code, edits);
}

/** Keeps what `require` returns, because the bundler's makes a new object with all names at each call. */
function loader(from: string, at: number): string {
  return `let late${at}; const from${at} = () => (late${at} ??= require(${from}));\n`;
}

function isOwnImport(statement: ts.Statement): statement is ts.ImportDeclaration {
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return false;
  return statement.moduleSpecifier.text.startsWith(".") && statement.importClause?.isTypeOnly === false;
}

function namesOf({ importClause, moduleSpecifier }: ts.ImportDeclaration): [string, ImportedName][] {
  const from = moduleSpecifier.getText();
  const bindings = importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings) || importClause?.name !== undefined)
    throw new Error(`only names may be imported from ${from}`);
  return bindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => [name.text, { from, name: (propertyName ?? name).text }]);
}

/** Whether a node is the name of a property or method, and so no reference to an import. */
function isNameOf(parent: ts.Node, node: ts.Node): boolean {
  if (ts.isBindingElement(parent) && parent.propertyName === node) return true;
  if (!("name" in parent) || parent.name !== node || ts.isShorthandPropertyAssignment(parent)) return false;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent))
    throw new Error(`${node.getText()} hides what is imported under that name`);
  return true;
}

function lateUse(node: ts.Node, name: string, source: number): Edit {
  const value = `(from${source}().${name})`;
  const text = ts.isShorthandPropertyAssignment(node.parent) ? `${node.getText()}: ${value}` : value;
  return { start: node.getStart(), end: node.end, text };
}

/** Applies edits that do not overlap. */
export function edited(code: string, edits: readonly Edit[]): string {
  let text = "";
  let at = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + replacement;
    at = end;
  }
  return text + code.slice(at);
}
