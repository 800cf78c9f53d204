import { expect, test } from "vitest";
import { type Statement, statementsAbout, termClusters, tokenizeStatement } from "./term-clusters.ts";

let made = 0;
function statement(text: string, tags: readonly string[] = []): Statement {
  made += 1;
  return { kind: "lesson", id: `lsn_${made}`, text, tags };
}

const clustersOf = (statements: readonly Statement[]) => termClusters(statements.map(tokenizeStatement));
const about = (concepts: readonly string[], statements: readonly Statement[]) =>
  statementsAbout(concepts, statements.map(tokenizeStatement), 2);

const mail = [
  statement("Mail needs backoff", ["mail"]),
  statement("Backoff keeps mail alive", ["mail"]),
  statement("No mail without backoff"),
];
const port = [statement("The proxy listens on port 6432"), statement("Port 6432 belongs to the proxy")];

test("words and tags that come up together make a cluster, and no term is in two", () => {
  const clusters = clustersOf([...mail, ...port]);
  expect(clusters).toEqual([
    ["mail", "backoff"],
    ["port", "proxy"],
  ]);
  expect(new Set(clusters.flat()).size).toBe(clusters.flat().length);
});

test("a word that stands alone, a number and a stop word make no cluster", () => {
  expect(clustersOf([statement("Deploy on 2024"), statement("Deploy before 2024")])).toEqual([]);
});

test("what kind of fact it is says nothing of what it is about", () => {
  const facts = ["command: make release", "command: npm publish"].map((text) => ({
    ...statement(text),
    kind: "fact" as const,
  }));
  expect(clustersOf(facts)).toEqual([]);
});

test("the order of statements changes nothing but the order among equals", () => {
  const sorted = (statements: readonly Statement[]) =>
    clustersOf(statements).map((cluster) => cluster.toSorted());
  expect(sorted([...port, ...mail].reverse())).toEqual(sorted([...mail, ...port]));
});

test("a statement is about a cluster when it holds enough of its concepts, those of several words word by word", () => {
  const one = statement("The queue worker retries mail");
  const other = statement("A worker sleeps", ["Queue"]);
  expect(about(["mail", "queue worker", "queue"], [other, one, ...port])).toEqual([one, other]);
  expect(about(["mail", "queue worker"], [other, one])).toEqual([one]);
});
