import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { catalogue } from "../src/operation/catalogue.ts";
import type { Operation } from "../src/operation/define.ts";
import { inputJsonSchema } from "../src/operation/text-kinds.ts";

/*
 * Adds doc comments to the built declarations of the client: the operations' descriptions, above each method and each
 * field of its input. They go into the table of operations, from which the methods' types are derived, because
 * editors show the comments found there.
 */

interface Comment {
  /** Position of the member that it describes. */
  readonly at: number;
  readonly text: string;
}

const path = fileURLToPath(new URL("../dist/client.d.ts", import.meta.url));
const text = readFileSync(path, "utf8");
const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

const comments = membersOf(tableOfOperations()).flatMap((family) =>
  membersOf(family.type).flatMap(({ at, name, type }) => {
    const operation = operationOf(`${family.name}.${name}`);
    return [{ at, text: methodComment(operation) }, ...fieldComments(operation, type)];
  }),
);
writeFileSync(path, withComments(comments));

function tableOfOperations(): ts.TypeNode | undefined {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .find(({ name }) => name.getText() === "operations")?.type;
}

interface Member {
  readonly at: number;
  readonly name: string;
  readonly type: ts.TypeNode | undefined;
}

function membersOf(type: ts.TypeNode | undefined): Member[] {
  if (type === undefined || !ts.isTypeLiteralNode(type))
    throw new Error(`${path}: what was to be documented is no object: ${type?.getText().slice(0, 80)}`);
  return type.members.filter(ts.isPropertySignature).map((member) => ({
    at: member.getStart(),
    name: ts.isStringLiteral(member.name) ? member.name.text : member.name.getText(),
    type: member.type,
  }));
}

function operationOf(id: string): Operation {
  const operation = catalogue.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`the client's ${id} is no operation of the catalogue`);
  return operation;
}

function methodComment({ summary, description, http, errors }: Operation): string {
  const lines = [
    `${summary}.`,
    ...(description === undefined ? [] : [description]),
    ...(http === undefined ? [] : ["", `\`${http.method} ${http.path}\``]),
    ...(errors.length === 0 ? [] : [`@throws {MemsvcError} ${errors.join(", ")}`]),
  ];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

function fieldComments({ id, input }: Operation, type: ts.TypeNode | undefined): Comment[] {
  const { properties = {} } = inputJsonSchema(input);
  const members = membersOf(shapeOf(type));
  return Object.entries(properties).map(([field, schema]) => {
    const member = members.find(({ name }) => name === field);
    if (member === undefined || typeof schema !== "object" || schema.description === undefined)
      throw new Error(`the client's ${id} cannot tell of its field ${field}`);
    return { at: member.at, text: `/** ${schema.description} */` };
  });
}

/** `Shape` in `Operation<ZodObject<Shape, …>, …>`, also when a transform wraps the object (`ZodPipe`). */
function shapeOf(type: ts.TypeNode | undefined): ts.TypeNode | undefined {
  return type !== undefined && ts.isTypeReferenceNode(type) ? shapeOf(type.typeArguments?.[0]) : type;
}

function withComments(given: readonly Comment[]): string {
  const ordered = given.toSorted((a, b) => a.at - b.at);
  const pieces = ordered.map((comment, index) => {
    const indent = " ".repeat(source.getLineAndCharacterOfPosition(comment.at).character);
    const before = text.slice(ordered[index - 1]?.at ?? 0, comment.at);
    return `${before}${comment.text.replaceAll("\n", `\n${indent}`)}\n${indent}`;
  });
  return pieces.join("") + text.slice(ordered.at(-1)?.at ?? 0);
}
