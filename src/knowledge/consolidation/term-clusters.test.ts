import { expect, test } from "vitest";
import { clusterOf, type Statement, termClusters, tokenizeStatement } from "./term-clusters.ts";

let made = 0;
function statement(text: string, tags: readonly string[] = []): Statement {
  made += 1;
  return { kind: "lesson", id: `lsn_${made}`, text, tags };
}

const clustersOf = (statements: readonly Statement[]) => termClusters(statements.map(tokenizeStatement));
const about = (concepts: readonly string[], statements: readonly Statement[]) =>
  clusterOf(concepts, statements.map(tokenizeStatement), 2).about.map(({ statement }) => statement);

const mail = [
  statement("Mail needs backoff", ["mail"]),
  statement("Backoff keeps mail alive", ["mail"]),
  statement("No mail without backoff"),
];
const port = [statement("The proxy listens on port 6432"), statement("Port 6432 belongs to the proxy")];

test("words and tags that occur together form clusters, and no term is in two", () => {
  const clusters = clustersOf([...mail, ...port]);
  expect(clusters).toEqual([
    ["mail", "backoff"],
    ["port", "proxy"],
  ]);
  expect(new Set(clusters.flat()).size).toBe(clusters.flat().length);
});

test("a lone word, a number and a stop word form no cluster", () => {
  expect(clustersOf([statement("Deploy on 2024"), statement("Deploy before 2024")])).toEqual([]);
});

test("the label of a fact's kind forms no cluster", () => {
  const facts = ["decision: make releases weekly", "decision: npm stays"].map((text) => ({
    ...statement(text),
    kind: "fact" as const,
  }));
  expect(clustersOf(facts)).toEqual([]);
});

test("the order of statements does not change the clusters", () => {
  const sorted = (statements: readonly Statement[]) =>
    clustersOf(statements).map((cluster) => cluster.toSorted());
  expect(sorted([...port, ...mail].reverse())).toEqual(sorted([...mail, ...port]));
});

test("a statement is about a cluster if it has enough of its concepts, compared word by word", () => {
  const one = statement("The queue worker retries mail");
  const other = statement("A worker sleeps", ["Queue"]);
  expect(about(["mail", "queue worker", "queue"], [other, one, ...port])).toEqual([one, other]);
  expect(about(["mail", "queue worker"], [other, one])).toEqual([one]);
});
