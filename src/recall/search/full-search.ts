import type { Observation } from "../../capture/observations/record.ts";
import type { ViewRequest } from "../../capture/sessions/view.ts";
import type { Ground } from "../../ground.ts";
import { type Memory, memoryRecord } from "../../knowledge/memories/record.ts";
import { timeText } from "../../operation/fields.ts";
import { largestPassing } from "../../text/binary-search.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { tokenEstimate } from "../../text/token-estimate.ts";
import { countWithin } from "../../text/within-room.ts";
import { type FullSearchAnswer, leftOutOf, type NarrativeItem, type SearchFormat } from "./answers.ts";
import type { FusedHit } from "./fusion.ts";
import type { CompactSearchResult, Match } from "./record.ts";
import type { Search, SearchServices } from "./search.ts";
import { amongOthers, compactResult, roomForCounts, type ShownHit } from "./shown-hit.ts";

export interface FullSearchInput extends ViewRequest {
  readonly query: string;
  readonly limit: number;
  readonly format: SearchFormat;
  readonly tokenBudget?: number | undefined;
  /**
   * How many characters of the answer are shown (JSON, or text for narratives). Results cut off do not count as
   * recalled.
   */
  readonly maxChars?: number | undefined;
}

/** A memory is shown in the shape of an observation, so that one reader serves both. */
type ObservationView = Partial<Omit<Observation, "type">> & {
  readonly type: string;
  readonly narrative: string;
};

interface FullItem extends Pick<CompactSearchResult, "moreRuns" | "replacedBy" | "answer"> {
  readonly observation: ObservationView;
  readonly score: number;
  readonly sessionId: string;
  readonly kind: string;
  readonly memory?: Memory;
  readonly match?: Match;
}

type Item = FullItem | CompactSearchResult | NarrativeItem;

/** Searches and gives the records in the asked form, cut to a token budget. */
export async function fullSearch(
  ground: Ground,
  services: SearchServices & { readonly search: Search },
  input: FullSearchInput,
  countsAsRecall: boolean,
): Promise<FullSearchAnswer> {
  const ranking = await services.search.rank({ ...input, kinds: ["observation", "memory"] });
  const shown = await services.search.sketched(
    ranking.hits.slice(0, input.limit),
    ranking.hits.slice(input.limit),
    input.format === "compact" ? ranking : undefined,
  );
  const items = await itemsOf(ground, services, shown, input.format);
  const fitted = await fitToBudget(items, input);
  if (countsAsRecall) services.search.notes.handedOut(shown.slice(0, seenOf(fitted.items, input)));
  return {
    format: input.format,
    results: fitted.items,
    totalCount: ranking.hits.length,
    tokensUsed: fitted.tokens,
    tokens_used: fitted.tokens,
    ...(input.tokenBudget === undefined ? {} : { tokens_budget: input.tokenBudget }),
    truncated: fitted.items.length < items.length || fitted.cut,
    streams: [...ranking.streams],
    ...leftOutOf(ranking),
    ...(input.format === "narrative" ? { text: fitted.items.map(line).join("\n") } : {}),
  };
}

/** How many of the items are shown within `maxChars`; the caller cuts off the rest. */
function seenOf(items: readonly Item[], { format, maxChars }: FullSearchInput): number {
  if (maxChars === undefined) return items.length;
  return format === "narrative"
    ? countWithin(maxChars, items, line)
    : countWithin(maxChars - roomForCounts, items);
}

async function itemsOf(
  ground: Ground,
  services: SearchServices,
  hits: readonly (FusedHit & ShownHit)[],
  format: SearchFormat,
): Promise<Item[]> {
  if (format === "compact") return hits.map((hit) => compactResult(hit, hit.fused));
  const now = ground.now();
  const refs = (kind: string) => hits.filter((hit) => hit.kind === kind).map(({ ref }) => ref);
  const found = await services.observations.byIds(refs("observation"));
  const observations = new Map(found.map(({ observation }) => [observation.id, observation]));
  const rows = await services.memories.byIds(refs("memory"));
  const memories = new Map(rows.map((row) => [row.id, memoryRecord(row, now)]));
  return hits.flatMap((hit): Item[] => {
    const memory = memories.get(hit.ref);
    const observation =
      observations.get(hit.ref) ??
      (memory === undefined ? undefined : memoryView({ ...memory, title: hit.title }));
    if (observation === undefined) return [];
    if (format === "narrative") return [narrativeItem(hit, observation.narrative)];
    const sessionId = hit.sessionId ?? "";
    return [
      {
        observation,
        score: hit.fused,
        sessionId,
        kind: hit.kind,
        ...amongOthers(hit),
        ...(memory === undefined ? {} : { memory }),
        ...(hit.match === undefined ? {} : { match: hit.match }),
      },
    ];
  });
}

function narrativeItem(hit: FusedHit & ShownHit, narrative: string): NarrativeItem {
  return {
    obsId: hit.ref,
    sessionId: hit.sessionId ?? "",
    title: hit.title,
    narrative,
    score: hit.fused,
    timestamp: timeText(hit.createdAt),
    kind: hit.kind,
    ...amongOthers(hit),
  };
}

function memoryView(memory: Memory): ObservationView {
  return {
    id: memory.id,
    sessionId: memory.sessionIds[0] ?? "",
    type: memory.type,
    title: memory.title,
    narrative: memory.content,
    facts: [],
    concepts: memory.concepts,
    files: memory.files,
    importance: Math.ceil(10 * memory.strength),
    timestamp: memory.createdAt,
  };
}

/**
 * Takes items in rank order while they fit into the budget, without what is beside their text if they only fit without
 * it. If not even the first one fits, its text is cut to the best passages.
 */
async function fitToBudget(
  items: readonly Item[],
  input: FullSearchInput,
): Promise<{ items: Item[]; tokens: number; cut: boolean }> {
  const budget = input.tokenBudget ?? Number.POSITIVE_INFINITY;
  const taken: Item[] = [];
  let tokens = 0;
  for (const item of items) {
    const fitting = formWithin(budget - tokens, item);
    if (fitting === undefined) break;
    taken.push(fitting.form);
    tokens += fitting.cost;
  }
  const [first] = items;
  if (taken.length > 0 || first === undefined) return { items: taken, tokens, cut: false };
  const shortened =
    (await shortenedToFit(first, input.query, budget)) ??
    (await shortenedToFit(withTextOnly(withoutRecord(first)), input.query, budget));
  return shortened === undefined
    ? { items: [], tokens: 0, cut: true }
    : { items: [shortened], tokens: costOf(shortened), cut: true };
}

/** The item, or without passage and answer if it only fits then; undefined when it does not fit at all. */
function formWithin(budget: number, item: Item): { readonly form: Item; readonly cost: number } | undefined {
  for (const form of new Set([item, withTextOnly(item)])) {
    const cost = costOf(form);
    if (cost <= budget) return { form, cost };
  }
  return undefined;
}

function costOf(item: Item): number {
  return tokenEstimate(JSON.stringify(item));
}

/** Cuts the text of an item to its best passages; undefined when the item does not fit even without text. */
async function shortenedToFit(item: Item, query: string, budget: number): Promise<Item | undefined> {
  const bareCost = costOf(withNarrative(item, ""));
  if (bareCost > budget) return undefined;
  const text = narrativeOf(item);
  // A memory contains its text twice, and JSON quoting makes it longer.
  const costPerToken = (costOf(item) - bareCost) / Math.max(1, tokenEstimate(text));
  // Loaded only here, because most searches cut nothing, and loading code makes a command slower.
  const { bestPassages } = await import("../../index/keyword/best-passages.ts");
  const passages = bestPassages(text, query, Math.floor((budget - bareCost) / Math.max(1, costPerToken)));
  const fits = (length: number) => costOf(withNarrative(item, cutCodePoints(passages, length))) <= budget;
  // JSON quoting may lengthen the chosen passages more than the text on average, so their length is checked again.
  return withNarrative(item, cutCodePoints(passages, largestPassing(fits, passages.length)));
}

function narrativeOf(item: Item): string {
  return "observation" in item ? item.observation.narrative : item.narrative;
}

function withNarrative(item: Item, narrative: string): Item {
  if (!("observation" in item)) return { ...item, narrative };
  const { memory } = item;
  const view = { ...item, observation: { ...item.observation, narrative } };
  return memory === undefined ? view : { ...view, memory: { ...memory, content: narrative } };
}

/** A memory in the shape that all hits have, without its full record, which repeats the text. */
function withoutRecord(item: Item): Item {
  if (!("observation" in item)) return item;
  const { memory: _record, ...view } = item;
  return view;
}

function withTextOnly(item: Item): Item {
  if (!("passage" in item) && !("answer" in item)) return item;
  const { answer: _followed, ...own } = item;
  if (!("passage" in own)) return own;
  const { passage: _shownBeside, ...others } = own;
  return others;
}

function line(item: Item, at: number): string {
  const title = "observation" in item ? item.observation.title : item.title;
  return `${at + 1}. ${title} — ${narrativeOf(item)}`;
}
