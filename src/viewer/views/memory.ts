import type { Memory } from "../../knowledge/memories/record.ts";
import type { Answers, Replies } from "../answers.ts";
import type { Reader } from "../api.ts";
import { type Child, h } from "../element.ts";
import { counted, plain } from "../format.ts";
import { kindChip, tagChips } from "../parts/chips.ts";
import { pathList } from "../parts/code.ts";
import { itemList } from "../parts/item-list.ts";
import { labelsOf } from "../parts/labels.ts";
import { line, note } from "../parts/line.ts";
import { meter } from "../parts/meter.ts";
import { projectLink, recordLink } from "../parts/record-links.ts";
import { rowList } from "../parts/rows.ts";
import { detailList, section } from "../parts/section.ts";
import { timeAgo, timeOf } from "../parts/time.ts";
import { linkTo } from "../route.ts";
import type { View } from "../view.ts";
import { titleOf } from "./memories.ts";

export const memory: View = {
  name: "memory",
  under: "memories",
  show: async (reader, { id }) => {
    const { memory: shown } = await reader.memory(id);
    const [origin, labels, relations] = await Promise.all([
      reader.post("/verify", { id }),
      labelsOf(reader, id),
      reader.get("/relations", { memoryId: id, maxHops: 1 }),
    ]);
    const title = titleOf(shown);
    return {
      title,
      body: [
        line(
          kindChip(shown.type),
          meter(shown.strength, "strength"),
          !shown.isLatest && h("span", { class: "chip old" }, "superseded"),
          h("code", { class: "id" }, shown.id),
        ),
        shown.content !== title && h("pre", { class: "content" }, shown.content),
        tagChips(shown.concepts, "Concepts"),
        details(shown, labels),
        shown.files.length > 0 && section("Files", pathList(shown.files, "Files")),
        section("Sources", sources(origin)),
        section("Versions", await versions(reader, shown, relations)),
        related(shown, relations),
      ],
    };
  },
};

function details(memory: Memory, labels: Child): HTMLElement {
  const { origin } = memory;
  return detailList([
    ["Project", projectLink(memory.project)],
    ["Agent", memory.agentId],
    ["Labels", labels],
    ["Version", `${memory.version}${memory.isLatest ? ", the latest" : ""}`],
    ["Stored", timeOf(memory.createdAt)],
    ["Changed", timeOf(memory.updatedAt)],
    ["Recalled", memory.recallCount === 0 ? "never yet" : counted(memory.recallCount, "time")],
    ["Last recalled", memory.lastRecalledAt !== undefined && timeAgo(memory.lastRecalledAt)],
    ["Stability", counted(memory.stabilityDays, "day")],
    ["Forgotten after", memory.forgetAfter !== undefined && timeOf(memory.forgetAfter)],
    [
      "From",
      origin !== undefined && [plain(origin.channel), origin.detail !== undefined && `, ${origin.detail}`],
    ],
    [
      "Sessions",
      memory.sessionIds.length > 0 &&
        itemList({ class: "plain" }, memory.sessionIds, (id) => h("a", { href: linkTo("session", id) }, id)),
    ],
  ]);
}

function sources(origin: Replies["/verify"]): Child {
  if (origin.type !== "memory") return undefined;
  const { citations, missing } = origin;
  if (citations.length === 0 && missing.length === 0)
    return note("Stated directly, not derived from observations.");
  return [
    rowList(
      citations.map(({ observationId, title, type, timestamp, sessionId, sessionProject }) => [
        h("a", { href: linkTo("observation", observationId) }, title),
        line(
          kindChip(type),
          h("a", { href: linkTo("session", sessionId) }, `session ${sessionId}`),
          sessionProject,
          timeAgo(timestamp),
        ),
      ]),
      { isTight: true },
    ),
    missing.length > 0 &&
      note(
        "No longer stored: ",
        missing.map((id) => [h("code", { class: "id" }, id), " "]),
      ),
  ];
}

/** The previous versions of this memory, and the one that replaced it. */
async function versions(reader: Reader, shown: Memory, relations: Answers["/relations"]): Promise<Child> {
  const laterIds = relations.relations
    .filter(({ type, targetId }) => type === "supersedes" && targetId === shown.id)
    .map(({ sourceId }) => sourceId);
  if (shown.supersedes.length === 0 && laterIds.length === 0) return note("The only one.");
  const wanted = [...laterIds, ...shown.supersedes.slice(0, versionsShown)];
  const texts = await Promise.all(
    wanted.map((id) =>
      reader.memory(id).then(
        ({ memory }) => memory,
        () => undefined,
      ),
    ),
  );
  return [
    rowList(
      wanted.map((id, at) => {
        const version = texts[at];
        return [
          line(
            h("strong", {}, version === undefined ? "gone" : `version ${version.version}`),
            laterIds.includes(id) && h("span", { class: "chip" }, "replaced it"),
            recordLink(id),
            version !== undefined && timeAgo(version.createdAt),
          ),
          version !== undefined && h("p", { class: "excerpt" }, version.content),
        ];
      }),
      { isTight: true, isOrdered: true },
    ),
    shown.supersedes.length > versionsShown &&
      note(`and ${counted(shown.supersedes.length - versionsShown, "earlier one")}`),
  ];
}

const versionsShown = 10;

function related(shown: Memory, { relations, memories = [] }: Answers["/relations"]): Child {
  const others = relations.filter(({ type }) => type !== "supersedes");
  if (others.length === 0) return undefined;
  const titles = new Map(memories.map(({ memory }) => [memory.id, titleOf(memory)]));
  return section(
    "Related",
    rowList(
      others.map(({ type, sourceId, targetId, confidence }) => {
        const goesOut = sourceId === shown.id;
        const other = goesOut ? targetId : sourceId;
        return line(
          h("span", { class: "chip" }, goesOut ? type : `${type} (from it)`),
          h("a", { href: linkTo("memory", other) }, titles.get(other) ?? other),
          meter(confidence, "confidence"),
        );
      }),
      { isTight: true },
    ),
  );
}
