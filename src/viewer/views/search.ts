import type { SmartSearchAnswer } from "../../recall/search/answers.ts";
import type { snippetLength } from "../../recall/search/snippet.ts";
import { type Child, h } from "../element.ts";
import { counted, plain } from "../format.ts";
import { beyondTitle } from "../parts/beyond-title.ts";
import { kindChip } from "../parts/chips.ts";
import { dataTable } from "../parts/data-table.ts";
import { filters } from "../parts/filters.ts";
import { type KnownNames, knownNames } from "../parts/known.ts";
import { line, note } from "../parts/line.ts";
import { countHeading } from "../parts/list.ts";
import { bar } from "../parts/meter.ts";
import { emptyListNotice } from "../parts/notices.ts";
import { rowList } from "../parts/rows.ts";
import { timeAgo } from "../parts/time.ts";
import { linkTo, type Route, textIn } from "../route.ts";
import type { View } from "../view.ts";
import { titleOf } from "./memories.ts";

const hitsShown = 30;

type SearchHit = SmartSearchAnswer["results"][number];

export const search: View = {
  name: "search",
  label: "Search",
  show: async (reader, route) => {
    const query = textIn(route, "q");
    const kind = textIn(route, "kind");
    const known = await knownNames(reader);
    const form = searchFilters(route, known);
    if (query === undefined) {
      return {
        title: "Search",
        body: [
          form,
          emptyListNotice(
            "Ask in plain words, as an agent would, in the field above. A time in them counts: what did we decide last week",
            'memsvc search "how do we deploy" --explain',
          ),
        ],
      };
    }
    const answer = await reader.post("/smart-search", {
      query,
      explain: true,
      limit: hitsShown,
      kinds: kind === undefined ? ["memory", "observation", "lesson"] : [kind],
      project: textIn(route, "project"),
      agentId: textIn(route, "agent") ?? "*",
    });
    const hits = answer.results.filter(({ expanded }) => expanded !== true);
    // What is related to the words is seldom found without them.
    const missed = (answer.leftOut ?? []).filter((stream) => stream !== "graph");
    const best = Math.max(...hits.map(({ score }) => score));
    return {
      title: "Search",
      body: [
        form,
        countHeading(
          counted(answer.totalCount, "hit"),
          answer.totalCount > hits.length && hits.length > 0 && `, the best ${hits.length} of them here`,
          `, searched by ${answer.streams.map(streamName).join(", ")}`,
          missed.length > 0 && `, just now not by ${missed.map(streamName).join(", ")}`,
        ),
        hits.length === 0
          ? nothingFound(route, missed.length > 0)
          : rowList(
              hits.map((hit) => hitRow(hit, best)),
              { isOrdered: true },
            ),
      ],
    };
  },
};

function searchFilters(route: Route, known: KnownNames): Child {
  return filters(route, [
    { name: "q", hidden: true },
    {
      name: "kind",
      label: "Kind",
      values: [
        ["", "all"],
        ["memory", "memories"],
        ["observation", "observations"],
        ["lesson", "lessons"],
      ],
    },
    { name: "project", label: "Project", known: known.projects },
    { name: "agent", label: "Agent", known: known.agents },
  ]);
}

function nothingFound({ query }: Route, isIncomplete: boolean): HTMLElement {
  const told = isIncomplete
    ? "Nothing was found, but not everything could be searched just now. Try again."
    : "Nothing matches. Try other words.";
  const q = query.get("q") ?? "";
  return h(
    "div",
    { class: "empty" },
    h("p", {}, told),
    query.size > 1 && h("p", {}, h("a", { href: linkTo("search", "", { q }) }, "Search without the filters")),
  );
}

/** A text that is as long as answers contain was cut there, mostly within a word. */
const longestText: typeof snippetLength = 300;

function readable(narrative: string): string {
  return [...narrative].length < longestText ? narrative : `${narrative.replace(/\s+\S{0,40}$/u, "")}…`;
}

function hitRow(hit: SearchHit, best: number): Child {
  const {
    title,
    kind,
    type,
    match,
    narrative,
    passage,
    moreRuns,
    replacedBy,
    answer,
    project,
    timestamp,
    sessionId,
  } = hit;
  const shownTitle = titleOf({ title, content: narrative });
  const text = passage ?? beyondTitle(shownTitle, readable(narrative));
  return [
    h("h3", {}, titleLink(hit, shownTitle)),
    text !== "" && h("p", { class: "excerpt" }, text),
    answer !== undefined && h("p", { class: "excerpt" }, `→ ${readable(answer.narrative)}`),
    line(
      kindChip(kind),
      type !== kind && plain(type),
      match !== undefined && h("span", { class: "chip match", "data-match": match }, `${match} match`),
      moreRuns !== undefined && `and ${counted(moreRuns, "more run")}`,
      replacedBy !== undefined && "replaced by a later one",
      project,
      kind === "observation" &&
        sessionId !== "" &&
        h("a", { href: linkTo("session", sessionId) }, "its session"),
      timeAgo(timestamp),
    ),
    why(hit, best),
  ];
}

function titleLink({ obsId, kind }: SearchHit, title: string): Child {
  switch (kind) {
    case "memory":
      return h("a", { href: linkTo("memory", obsId) }, title);
    case "observation":
      return h("a", { href: linkTo("observation", obsId) }, title);
    case "lesson":
      return h("a", { href: linkTo("lesson", obsId) }, title);
  }
}

/** Which search streams found a hit, at which rank, and what each adds to its score. */
function why({ explanation, score, title }: SearchHit, best: number): Child {
  if (explanation === undefined) return undefined;
  const { streams, bonuses, coverage } = explanation;
  const places = Object.entries(streams).map(([stream, { rank }]) => `${streamName(stream)} #${rank}`);
  const additions = [
    ...Object.entries(streams).map(([stream, { rank, contribution }]) =>
      additionRow(streamName(stream), `#${rank}`, contribution, best),
    ),
    ...Object.entries(bonuses)
      .filter(([, adds]) => adds !== 0)
      .map(([bonus, adds]) => additionRow(bonus, "", adds, best)),
  ];
  return h(
    "details",
    { class: "why" },
    h("summary", {}, `Why: ${places.join(", ") || "found beside another"}`),
    dataTable(
      `Why it was found: ${title}`,
      ["Found by", "Place", "Adds"],
      [...additions, ["score", undefined, score.toFixed(4)]],
    ),
    coverage !== undefined &&
      note(`${Math.round(coverage * 100)} % of what the words tell stands in it or beside it.`),
  );
}

function additionRow(
  name: string,
  place: string,
  adds: number,
  best: number,
): [name: Child, ...values: Child[]] {
  const gauge = { max: best, value: Math.max(0, adds), "aria-hidden": "true" };
  return [name, place, bar(gauge, adds.toFixed(4))];
}

const streamNames: Readonly<Record<string, string>> = {
  keyword: "words",
  vector: "meaning",
  graph: "relations",
  lessons: "lessons",
};

function streamName(stream: string): string {
  return streamNames[stream] ?? stream;
}
