import { endOfMatchAt } from "../../match-at.ts";
import { noSpans, type Rule, type Span } from "../rule.ts";
import { isLiteral } from "./placeholder.ts";

const secretKind = /kind:[ \t]*["']?secret\b["']?/iy;
const secretKindAnywhere = /\bkind["']?:[ \t]*["']?secret\b/i;
const jsonData = /data":\s{0,4}\{/iy;
const manifestReach = 2000;
const mostFields = 64;
const shortest = 4;

/** The values under `data:` and `stringData:` of a Kubernetes secret; `kind:` may come before or after them. */
export const kubernetesSecrets: Rule = {
  name: "kubernetes secret",
  triggers: ["kind:", "data:", 'data":'],
  find(text, at) {
    const json = endOfMatchAt(jsonData, text, at);
    if (json !== undefined) return dataOfJson(text, at, json);
    if (/d/i.test(text.charAt(at))) return dataBeforeKind(text, at);
    const rest = endOfMatchAt(secretKind, text, at);
    if (rest === undefined) return noSpans;
    const manifest = restOfManifest(text, rest);
    const data = /\b(string)?data:(?:[\s\S]{0,100}?(?=\s[\w.-]{1,128}:\s))?/i.exec(manifest);
    if (data === null) return noSpans;
    const form = data[1] === undefined ? encodedLine : textLine;
    return fieldValues(text, rest + data.index + data[0].length, form);
  },
};

function dataOfJson(text: string, at: number, from: number): readonly Span[] {
  const values = fieldValues(text, from, jsonField);
  const end = values.at(-1)?.end;
  const around = [text.slice(Math.max(0, at - manifestReach), at), restOfManifest(text, end ?? at)];
  return end !== undefined && around.some((each) => secretKindAnywhere.test(each)) ? values : noSpans;
}

function dataBeforeKind(text: string, at: number): readonly Span[] {
  const form = /string$/i.test(text.slice(Math.max(0, at - 6), at)) ? textLine : encodedLine;
  const values = fieldValues(text, at + "data:".length, form);
  const end = values.at(-1)?.end;
  return end !== undefined && secretKindAnywhere.test(restOfManifest(text, end)) ? values : noSpans;
}

/* The text up to the next manifest of the stream. */
function restOfManifest(text: string, from: number): string {
  const reach = text.slice(from, from + manifestReach);
  const next = reach.search(/\n---/);
  return next === -1 ? reach : reach.slice(0, next);
}

const fieldName = "(\\s{0,160}[ \\t])[\\w.-]{1,128}:[ \\t]{0,80}(?:(?:\\||>)[+-]?\\s{1,160})?";
const encodedLine = new RegExp(`${fieldName}["']?([A-Za-z0-9+/]{4,}={0,3})["']?(?=\\s|$|[^\\w])`, "y");
const textLine = new RegExp(
  `${fieldName}["']?([^\\s"'&*!][^\\n"']{0,4096})["']?(?=[ \\t]{0,8}(?:\\r?\\n|$))`,
  "y",
);
const jsonField = /(\s{0,160},?\s{0,160})"[\w.-]{1,128}"\s?:\s?"([^"\\\n]{0,4096})"/y;

function fieldValues(text: string, from: number, form: RegExp): readonly Span[] {
  const values: Span[] = [];
  let column: number | undefined;
  form.lastIndex = from;
  for (let count = 0; count < mostFields; count++) {
    const field = form.exec(text);
    if (field === null) break;
    const [whole, before = "", value = ""] = field;
    const own = columnOf(text, field.index + before.length);
    column ??= own;
    // In a list of manifests `kind:` is indented as well, but less than the entries of `data:`.
    if (form !== jsonField && before.includes("\n") && own !== column) break;
    const start = field.index + whole.lastIndexOf(value);
    if (value.length >= shortest && isLiteral(value)) values.push({ start, end: start + value.length });
  }
  return values;
}

function columnOf(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - longestIndent), at);
  return before.length - 1 - before.lastIndexOf("\n");
}

const longestIndent = 160;
