import { cutCodePoints } from "../../text/code-points.ts";
import { tokenEstimate } from "../../text/token-estimate.ts";
import { rankSet } from "./ranked-set.ts";

const charactersPerToken = 3;
const gap = " … ";
const passageCharacters = 300;
const shortPassage = 120;
const sentenceEnd = /(?<=[.!?])\s+|\n+/;

/**
 * The passages of a long text that match a query best and together fit the budget, in the order of the text. ` … `
 * marks text left out between them. Without a match: the beginning of the text.
 */
export function bestPassages(text: string, query: string, budgetTokens: number): string {
  if (budgetTokens < 1) return "";
  if (tokenEstimate(text) <= budgetTokens) return text;
  const budgetCharacters = charactersPerToken * Math.floor(budgetTokens);
  const passages = splitPassages(text);
  const ranked = rankSet(
    passages.map((body, at) => ({ id: String(at), title: "", concepts: [], files: [], body })),
    query,
    passages.length,
  );
  const chosen: number[] = [];
  let left = budgetCharacters + gap.length;
  for (const { id } of ranked) {
    const cost = (passages[Number(id)] ?? "").length + gap.length;
    if (cost > left) continue;
    left -= cost;
    chosen.push(Number(id));
  }
  if (chosen.length > 0)
    return joinPassages(
      passages,
      chosen.sort((a, b) => a - b),
    );
  const [best] = ranked;
  return cutCodePoints(best === undefined ? text : (passages[Number(best.id)] ?? ""), budgetCharacters);
}

/** Splits a text into sentences and lines. Short ones are joined with the next, long ones cut. */
function splitPassages(text: string): string[] {
  const passages: string[] = [];
  let open = "";
  for (const sentence of text.split(sentenceEnd)) {
    const trimmed = sentence.trim();
    if (trimmed === "") continue;
    if (open.length >= shortPassage || open.length + trimmed.length > passageCharacters) {
      if (open !== "") passages.push(open);
      open = "";
    }
    open = open === "" ? trimmed : `${open} ${trimmed}`;
    if (open.length > passageCharacters) {
      for (const piece of cutAtBlanks(open)) passages.push(piece);
      open = "";
    }
  }
  if (open !== "") passages.push(open);
  return passages;
}

function cutAtBlanks(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > passageCharacters) {
    const piece = text.slice(start, start + passageCharacters);
    const blank = piece.lastIndexOf(" ");
    const end = start + (blank > 0 ? blank : cutCodePoints(`${piece}\uFFFD`, passageCharacters - 1).length);
    pieces.push(text.slice(start, end).trim());
    start = end;
  }
  pieces.push(text.slice(start).trim());
  return pieces.filter((piece) => piece !== "");
}

function joinPassages(passages: readonly string[], chosen: readonly number[]): string {
  return chosen
    .map((at, place) => {
      const follows = place > 0 && chosen[place - 1] === at - 1;
      const lead = place === 0 ? "" : follows ? " " : gap;
      return `${lead}${passages[at] ?? ""}`;
    })
    .join("");
}
