import { readSession } from "../../capture/observations/reads/read-session.ts";
import type { AgentFilter } from "../../capture/sessions/agent-scope.ts";
import type { SessionRow } from "../../capture/sessions/record.ts";
import type { Sql } from "../../store/sql.ts";
import type { Transaction } from "../../store/store.ts";
import { cutCodePoints } from "../../text/code-points.ts";
import { leftSince } from "../open-work/done-work.ts";
import { todoLines } from "../open-work/open-items.ts";
import type { SlotRow } from "./record.ts";
import type { SlotServices, Slots } from "./slots.ts";
import { errorsStillTold, filesStillTold, itemsStillTold } from "./still-told.ts";

type Services = Pick<SlotServices, "projects"> & { readonly slots: Slots };

/** What a session's observations say that reflection writes into slots. */
interface Reflectable {
  readonly items: ReadonlySet<string>;
  readonly errors: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
}

const nothing: Reflectable = { items: new Set(), errors: new Set(), files: new Set() };

/** Whether reflection may have left a line in a slot because of these texts. */
const isFrom: Readonly<Record<string, (line: string, told: Reflectable, slot: SlotRow) => boolean>> = {
  pending_items: (line, { items }, { sizeLimit }) =>
    [...items].some((item) => line === cutCodePoints(item, sizeLimit)),
  session_patterns: (line, { errors }) =>
    [...errors].some((title) => line.startsWith(`- ${title} (`) || isCutOf(line, `- ${title} (`)),
  project_context: (line, { files }) => files.has(line),
};

function isLineFrom(line: string, told: Reflectable, slot: SlotRow): boolean {
  return isFrom[slot.label]?.(line.trim(), told, slot) === true;
}

function hasLineFrom(slot: SlotRow, told: Reflectable): boolean {
  return slot.content.split("\n").some((line) => isLineFrom(line, told, slot));
}

/** The last line of a full slot is cut. */
function isCutOf(line: string, whole: string): boolean {
  return line.length > "- ".length && whole.startsWith(line);
}

/**
 * Takes the lines out of a project's slots that reflection took from observations of a session which `deletion`
 * deletes, and that nothing else in the project told. What somebody wrote in other words, and read-only slots, stay.
 */
export async function forgetReflected<Result>(
  tx: Transaction,
  services: Services,
  { session, filter }: { readonly session: SessionRow; readonly filter: AgentFilter },
  deletion: () => Promise<Result>,
): Promise<Result> {
  const slots = await filledSlots(tx, services, session);
  if (slots.length === 0) return deletion();
  const before = await reflectable(tx.sql, session, filter);
  const result = await deletion();
  const after = await reflectable(tx.sql, session, filter);
  const view = { keys: [session.projectKey], filter };
  const gone = async (of: keyof Reflectable, stillTold: typeof itemsStillTold) => {
    const onlyBefore = [...before[of]].filter(
      (one) =>
        !after[of].has(one) && slots.some((slot) => hasLineFrom(slot, { ...nothing, [of]: new Set([one]) })),
    );
    const known = onlyBefore.length === 0 ? new Set() : await stillTold(tx.sql, view, onlyBefore);
    return new Set(onlyBefore.filter((one) => !known.has(one)));
  };
  const told = {
    items: await gone("items", itemsStillTold),
    errors: await gone("errors", errorsStillTold),
    files: await gone("files", filesStillTold),
  };
  for (const slot of slots) {
    const lines = slot.content.split("\n");
    const left = lines.filter((line) => !isLineFrom(line, told, slot));
    if (left.length < lines.length) await services.slots.rewrite(tx, slot, left.join("\n"));
  }
  return result;
}

async function filledSlots(tx: Transaction, services: Services, session: SessionRow): Promise<SlotRow[]> {
  const project = await services.projects.nameOf(tx.sql, session.projectKey, session.project);
  const slots = await services.slots.ofProject(tx, { project, agentId: session.agentId });
  return slots.filter(
    ({ label, content, readOnly }) => label in isFrom && !readOnly && content.trim() !== "",
  );
}

async function reflectable(
  sql: Sql,
  { id, projectKey }: SessionRow,
  filter: AgentFilter,
): Promise<Reflectable> {
  const { observations } = await readSession(sql, id);
  const leftOf = await leftSince(sql, { keys: [projectKey], filter }, observations[0]?.timestamp ?? 0);
  // As they stood when the session was reflected on, and as a later reflection may have shortened them.
  const items = todoLines(observations, (line, { timestamp }) => [line, ...leftOf(line, timestamp)]);
  return {
    items: new Set(items),
    errors: new Set(observations.flatMap(({ type, title }) => (type === "error" ? [title] : []))),
    files: new Set(observations.flatMap(({ files }) => files)),
  };
}
