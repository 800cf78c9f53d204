import type { Checkpoint } from "../../../coordination/checkpoints/record.ts";
import type { Sentinel } from "../../../coordination/sentinels/record.ts";
import type { Answers } from "../../answers.ts";
import { type Child, h } from "../../element.ts";
import { type ActionTitles, actionLinks, newestActionTitles } from "../../parts/actions.ts";
import { kindChip, statusChip } from "../../parts/chips.ts";
import { anyOf, filters } from "../../parts/filters.ts";
import { line, note } from "../../parts/line.ts";
import { listOf, pageOf, type Wording } from "../../parts/list.ts";
import { shownValue } from "../../parts/properties.ts";
import { timed } from "../../parts/time.ts";
import { textIn } from "../../route.ts";
import type { View } from "../../view.ts";

type GatePath = "/checkpoints" | "/sentinels";

interface GateView<Path extends GatePath> {
  readonly name: string;
  readonly label: string;
  readonly path: Path;
  readonly statuses: readonly string[];
  readonly types: readonly string[];
  readonly wording: Wording;
  readonly rowsOf: (answer: Answers[Path], titles: ActionTitles) => readonly Child[];
}

/** The view of checkpoints or sentinels, which can be filtered by status and type. */
export function gateView<Path extends GatePath>({
  name,
  label,
  path,
  statuses,
  types,
  wording,
  rowsOf,
}: GateView<Path>): View {
  return {
    name,
    label,
    show: async (reader, route) => {
      const [answer, titles] = await Promise.all([
        reader.get(path, {
          status: textIn(route, "status"),
          type: textIn(route, "type"),
          ...pageOf(route),
        }),
        newestActionTitles(reader),
      ]);
      return {
        title: label,
        body: [
          filters(route, [
            { name: "status", label: "Status", values: anyOf(statuses) },
            { name: "type", label: "Type", values: anyOf(types) },
          ]),
          listOf(route, answer, rowsOf(answer, titles), wording),
        ],
      };
    },
  };
}

/** A checkpoint or sentinel, with what it is about and its state. */
export function gateRow(
  { id, name, status, type, createdAt, result, linkedActionIds }: Checkpoint | Sentinel,
  { about, standing }: { readonly about: Child; readonly standing: Child },
  titles: ActionTitles,
): Child {
  return [
    h("h3", {}, name),
    about,
    line(
      statusChip(status),
      kindChip(type),
      standing,
      timed("made", createdAt),
      h("code", { class: "id" }, id),
    ),
    result !== undefined && note(shownValue(result)),
    actionLinks("Gates", linkedActionIds, titles),
  ];
}
