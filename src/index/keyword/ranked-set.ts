import createSearch from "wink-bm25-text-search";
import { scanText } from "../../text/tokens.ts";
import type { DocumentText } from "../documents/document-words.ts";
import { fieldWeights } from "./bm25f.ts";
import { isWordless, literalPlaces } from "./literal-places.ts";

export interface SetItem extends DocumentText {
  readonly id: string;
}

interface RankedItem {
  readonly id: string;
  readonly score: number;
}

/**
 * Ranks a set of items that is not in the index by BM25F over that set. Items without a word of the query are left out.
 * For a query that has no word, such as `C#` or an emoji: the items that contain it literally, in their order.
 */
export function rankSet(items: readonly SetItem[], query: string, limit: number): RankedItem[] {
  const ranked = rankByWords(items, query, limit);
  return ranked.length > 0 || !isWordless(query) ? ranked : withLiterally(items, query).slice(0, limit);
}

function withLiterally(items: readonly SetItem[], query: string): RankedItem[] {
  const placesIn = literalPlaces(query);
  return items
    .filter(({ title, body, concepts, files }) =>
      [title, body, ...concepts, ...files].some((text) => placesIn(text).length > 0),
    )
    .map(({ id }) => ({ id, score: 1 }));
}

function rankByWords(items: readonly SetItem[], query: string, limit: number): RankedItem[] {
  const asked = scanText(query);
  const part = asked.tokens.length > 0 ? "tokens" : "stops";
  const prepare = (text: string) => scanText(text)[part].join(" ");
  const words = [...new Set(asked[part])];
  if (words.length === 0 || items.length === 0 || limit < 1) return [];

  const search = createSearch();
  search.defineConfig({ fldWeights: { ...fieldWeights } });
  search.definePrepTasks([splitPrepared]);
  items.forEach((item, at) => {
    search.addDoc(
      {
        title: prepare(item.title),
        concepts: prepare(item.concepts.join("\n")),
        files: prepare(item.files.join("\n")),
        body: prepare(item.body),
      },
      at,
    );
  });
  for (let at = items.length; at < smallestSet; at++) search.addDoc(emptyDocument, at);
  search.consolidate(9);
  return search.search(words.join(" "), limit).flatMap(([at, score]) => {
    const item = items[Number(at)];
    return item === undefined ? [] : [{ id: item.id, score }];
  });
}

/** The library refuses to rank fewer documents, so a smaller set is padded with empty ones, which match nothing. */
const smallestSet = 3;
const emptyDocument = { title: "", concepts: "", files: "", body: "" };

function splitPrepared(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
