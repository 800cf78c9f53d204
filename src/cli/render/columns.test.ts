import { expect, test } from "vitest";
import { inColumns } from "./columns.ts";

const rows = [
  ["a", "shop", "\u001b[2mopen\u001b[22m"],
  ["b", "店", "\u001b[2mdone\u001b[22m"],
  ["much-longer", "😀 a", ""],
];

test("people get aligned columns, whatever the script and the colours", () => {
  expect(inColumns(rows, { isForPeople: true, columns: 100 })).toEqual([
    "a            shop  \u001b[2mopen\u001b[22m",
    "b            店    \u001b[2mdone\u001b[22m",
    "much-longer  😀 a",
  ]);
});

test("on a narrow terminal the last field moves to a line below, unless it is empty", () => {
  expect(inColumns(rows, { isForPeople: true, columns: 23 })).toHaveLength(3);
  expect(inColumns(rows, { isForPeople: true, columns: 22 })).toEqual([
    "a            shop",
    "  \u001b[2mopen\u001b[22m",
    "b            店",
    "  \u001b[2mdone\u001b[22m",
    "much-longer  😀 a",
  ]);
});

test("programs get the fields without alignment", () => {
  expect(inColumns(rows, { isForPeople: false, columns: Number.POSITIVE_INFINITY })[1]).toBe(
    "b  店  \u001b[2mdone\u001b[22m",
  );
});

test("no rows give no lines", () => {
  expect(inColumns([], { isForPeople: true, columns: 10 })).toEqual([]);
});
test("a flexible field takes the rest of the line, and at least forty columns", () => {
  const texts = ["a short one", "x".repeat(90)];
  const rowsWith = texts.map((whole, at) => [`mem_${at}`, { whole }, "today"]);
  const widest = (columns: number) => inColumns(rowsWith, { isForPeople: true, columns });
  expect(widest(80)).toEqual([
    `mem_0  ${"a short one".padEnd(66)}  today`,
    `mem_1  ${"x".repeat(65)}…  today`,
  ]);
  expect(widest(54)).toEqual([
    `mem_0  ${"a short one".padEnd(40)}  today`,
    `mem_1  ${"x".repeat(39)}…  today`,
  ]);
  expect(widest(53)).toEqual([
    "mem_0  a short one".padEnd(53).trimEnd(),
    "  today",
    `mem_1  ${"x".repeat(45)}…`,
    "  today",
  ]);
  expect(inColumns(rowsWith, { isForPeople: false, columns: Number.POSITIVE_INFINITY })[1]).toBe(
    `mem_1  ${"x".repeat(90)}  today`,
  );
});

test("a flexible field on a line of its own is cut to that line and painted", () => {
  const paint = (text: string) => `\u001b[2m${text}\u001b[22m`;
  const row = ["a session", "a project", { whole: "x".repeat(90), paint }];
  expect(inColumns([row], { isForPeople: true, columns: 60 })).toEqual([
    "a session  a project",
    `  ${paint(`${"x".repeat(57)}…`)}`,
  ]);
});

test("as many last fields as necessary move to lines below", () => {
  const [id, path] = ["i".repeat(36), "p".repeat(30)];
  const row = [id, path, "active, 3 observations", { whole: "x".repeat(90) }];
  expect(inColumns([row], { isForPeople: true, columns: 70 })).toEqual([
    `${id}  ${path}`,
    `  active, 3 observations  ${"x".repeat(43)}…`,
  ]);
  expect(inColumns([row], { isForPeople: true, columns: 60 })).toEqual([
    id,
    `  ${path}  active, 3 observations`,
    `  ${"x".repeat(57)}…`,
  ]);
});

test("a field on a line below wraps if it is too long", () => {
  const row = ["act_1", { whole: "title" }, "/a/path/of/a/project, somebody, just now"];
  expect(inColumns([row], { isForPeople: true, columns: 25 })).toEqual([
    "act_1  title",
    "  /a/path/of/a/project,",
    "  somebody, just now",
  ]);
});
