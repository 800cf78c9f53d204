import { describe, expect, test } from "vitest";
import * as z from "zod";
import { answerSchemaOf, readAnswer } from "./read-answer.ts";

const Answer = z.object({ colour: z.string().min(1), shades: z.array(z.number()).optional() });

describe("an answer is read", () => {
  test.each([
    ["as bare JSON", '{"colour":"blue"}'],
    ["with words around it", 'Sure! {"colour":"blue"} Anything else?'],
    ["in a fence", '```json\n{"colour":"blue"}\n```'],
    [
      "with braces in the words around it",
      'As {colour}:\n```json\n{"colour":"blue"}\n```\nSet {shades: [1]} to add "some.',
    ],
    ["after thoughts with JSON in them", '<think>maybe {"colour":"red"}</think>\n{"colour":"blue"}'],
  ])("%s", (_, text) => {
    expect(readAnswer(text, Answer)).toEqual({ isRead: true, value: { colour: "blue" } });
  });

  test.each([
    ["as bare JSON", ""],
    ["in a fence", "```json\n"],
    ["after thoughts", "<think>the sky</think>\n"],
  ])("%s even when it mentions the mark that ends thoughts", (_, before) => {
    const colour = "what stands behind </think> is blue";
    const text = `${before}${JSON.stringify({ colour })}`;
    expect(readAnswer(text, Answer)).toEqual({ isRead: true, value: { colour } });
  });

  test("with its secrets redacted before it is validated", () => {
    const text = JSON.stringify({ colour: "AKIAIOSFODNN7EXAMPLE is blue" });
    expect(readAnswer(text, Answer)).toEqual({
      isRead: true,
      value: { colour: expect.not.stringContaining("AKIA") },
    });
  });

  test("without NUL and lone surrogates", () => {
    const text = String.raw`{"colour":"bl\ud800ue\u0000 \udc00"}`;
    expect(readAnswer(text, Answer)).toEqual({
      isRead: true,
      value: { colour: "bl\uFFFDue\uFFFD \uFFFD" },
    });
  });
});

describe("an unusable answer is reported with its problem", () => {
  test.each([
    ["no JSON", "blue", "it is not a JSON object"],
    ["JSON in its thoughts alone", '<think>{"colour":"red"}</think> blue', "it is not a JSON object"],
    ["JSON that breaks off", '{"colour":"bl', "it is not a JSON object"],
    [
      "JSON in its thoughts, then braces",
      '<think>{"colour":"red"}</think> a {colour}',
      "it is not a JSON object",
    ],
    ["several objects", '{"colour":"red"} or {"colour":"blue"}', "it is not a JSON object"],
    ["nothing", "", "it is not a JSON object"],
    [
      "JSON that is nested too deep",
      `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
      "it is not a JSON object",
    ],
    ["a field of another type", '{"colour":"blue","shades":[1,"x"]}', /^shades\.1: .*number/u],
    ["a missing field", "{}", /^colour: /u],
  ])("%s", (_, text, problem) => {
    const read = readAnswer(text, Answer);
    expect(read).toEqual({
      isRead: false,
      problem: typeof problem === "string" ? problem : expect.stringMatching(problem),
    });
  });

  test("in at most five complaints", () => {
    const text = JSON.stringify({ colour: "blue", shades: Array(50).fill("x") });
    const read = readAnswer(text, Answer);
    expect(read.isRead ? [] : read.problem.split("; ")).toHaveLength(5);
  });
});

test("models are told the input side of a schema, with its descriptions", () => {
  const schema = z.object({ size: z.string().transform(Number).describe("how large") });
  expect(answerSchemaOf(schema)).toEqual({
    type: "object",
    properties: { size: { type: "string", description: "how large" } },
    required: ["size"],
  });
});
