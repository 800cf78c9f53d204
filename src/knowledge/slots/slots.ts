import { and, eq } from "drizzle-orm";
import type { Projects } from "../../capture/projects/projects.ts";
import type { AgentScopes } from "../../capture/sessions/agent-scope.ts";
import type { ProjectView } from "../../capture/sessions/view.ts";
import type { Audit } from "../../governance/audit/audit.ts";
import type { Ground } from "../../ground.ts";
import type { Connection, DryRun, Transaction } from "../../store/store.ts";
import { countCodePoints } from "../../text/code-points.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { neverWritten, slotsForWriting, visibleSlots } from "./defaults.ts";
import { type MemorySlot, type SlotRow, type SlotScope, slotRecord } from "./record.ts";
import { readOnlySlot, replaceHint, slotExists, slotTooLarge } from "./refusals.ts";
import { memorySlots } from "./tables.ts";
import {
  ownersIn,
  type SlotRequest,
  type SlotView,
  shownByLabel,
  slotByLabel,
  slotsInView,
  unowned,
  viewOf,
} from "./view.ts";

interface NewSlot extends SlotRequest {
  readonly label: string;
  readonly content: string;
  readonly description?: string | undefined;
  readonly sizeLimit: number;
  readonly pinned: boolean;
  readonly readOnly: boolean;
  readonly scope: SlotScope;
}

type Labelled = SlotRequest & { readonly label: string };

interface SizedSlot {
  readonly slot: MemorySlot;
  /** In code points. */
  readonly size: number;
}

export interface SlotServices {
  readonly agents: AgentScopes;
  readonly projects: Projects;
  readonly audit: Audit;
}

/** Slots: small named notes that an agent keeps for itself, for one project or for all. */
export class Slots {
  readonly #ground: Ground;
  readonly #services: SlotServices;

  constructor(ground: Ground, services: SlotServices) {
    this.#ground = ground;
    this.#services = services;
  }

  /** The slots that are shown for a project, by label. */
  async list(request: SlotRequest): Promise<MemorySlot[]> {
    const { read } = this.#ground.store;
    const view = await viewOf(read, this.#services, request);
    return shownByLabel(await visibleSlots(read, view, request), view).map(slotRecord);
  }

  /** The slot with this label. Error: not_found. */
  async get(request: Labelled): Promise<MemorySlot> {
    const { read } = this.#ground.store;
    const view = await viewOf(read, this.#services, request);
    return slotRecord(slotByLabel(await visibleSlots(read, view, request), request.label, view));
  }

  /** The pinned slots, for the context of a project; empty ones are left out. */
  async pinned({ keys, filter }: ProjectView): Promise<MemorySlot[]> {
    const view = { keys, owners: ownersIn(this.#services.agents, filter) };
    const rows = await slotsInView(this.#ground.store.read, view);
    return shownByLabel(rows, view)
      .filter(({ pinned, content }) => pinned && content.trim() !== "")
      .map(slotRecord);
  }

  /** Creates a slot. Errors: conflict when the label exists in that scope; too_large. */
  async create(input: NewSlot): Promise<MemorySlot> {
    const { store, now } = this.#ground;
    const { label, scope } = input;
    const content = redactText(input.content);
    return store.write(async (tx) => {
      const owner = await this.#owner(tx, input);
      const view = await this.#viewFor(tx, input, owner);
      const rows = await slotsForWriting(tx, view, input);
      const own = scope === "global" || view.keys.length === 0 ? [unowned] : view.keys;
      const exists = rows.some((row) => row.label === label && own.includes(row.projectKey));
      if (exists) throw slotExists(input);
      const size = countCodePoints(content);
      if (size > input.sizeLimit)
        throw slotTooLarge(input, size, size, "shorten it, or make its sizeLimit larger");
      const isOfProject = scope === "project" && input.project !== undefined;
      const row: SlotRow = {
        scope,
        label,
        projectKey: isOfProject ? await this.#services.projects.writeKey(tx.sql, input.project) : unowned,
        agentId: owner,
        project: isOfProject ? input.project : null,
        content,
        sizeLimit: input.sizeLimit,
        description: redactText(input.description ?? ""),
        pinned: input.pinned,
        readOnly: input.readOnly,
        createdAt: now(),
        updatedAt: now(),
      };
      await tx.orm.insert(memorySlots).values(row);
      await this.#note(tx, input, "create", row);
      return slotRecord(row);
    });
  }

  /**
   * Adds a line to a slot. Errors: not_found; invalid_input when it is read-only; too_large, then nothing
   * changes.
   */
  async append(input: Labelled & { readonly text: string }): Promise<SizedSlot> {
    return this.#change(input, "append", (content) => {
      const text = redactText(input.text);
      return content === "" ? text : `${content}\n${text}`;
    });
  }

  /** Replaces the content of a slot. Errors as for `append`. */
  async replace(input: Labelled & DryRun & { readonly content: string }): Promise<SizedSlot> {
    const content = redactText(input.content);
    return this.#change(input, "replace", () => content);
  }

  /** Deletes a slot. Errors: not_found; invalid_input when it is read-only. */
  async delete(input: Labelled & DryRun): Promise<number> {
    const work = async (tx: Transaction) => {
      const row = await this.#writable(tx, input);
      const gone = await tx.orm.delete(memorySlots).where(isRow(row)).returning({ label: memorySlots.label });
      // An unwritten default slot is not stored, so there is nothing to audit.
      if (gone.length > 0) await this.#note(tx, input, "delete", row);
      return 1;
    };
    return this.#ground.store.write(work, { dryRun: input.dryRun });
  }

  /** The slots of a project, its own first, inside the caller's transaction, for rules that write to them. */
  async ofProject(
    tx: Transaction,
    place: { readonly project: string; readonly agentId: string | null },
  ): Promise<SlotRow[]> {
    const owner = this.#services.agents.isolated ? (place.agentId ?? unowned) : unowned;
    const request = { project: place.project, scope: "project" } as const;
    const view = await this.#viewFor(tx, request, owner);
    return slotsForWriting(tx, view, request);
  }

  /** Writes new content to a slot, inside the caller's transaction. */
  async rewrite(tx: Transaction, row: SlotRow, content: string): Promise<SlotRow> {
    const updatedAt = this.#ground.now();
    const createdAt = row.createdAt === neverWritten ? updatedAt : row.createdAt;
    const changed = { ...row, content, createdAt, updatedAt };
    const { scope, label, projectKey, agentId } = memorySlots;
    await tx.orm
      .insert(memorySlots)
      .values(changed)
      .onConflictDoUpdate({
        target: [scope, label, projectKey, agentId],
        set: { content, updatedAt },
      });
    return changed;
  }

  async #change(
    input: Labelled & DryRun,
    deed: "append" | "replace",
    contentAfter: (content: string) => string,
  ): Promise<SizedSlot> {
    const work = async (tx: Transaction) => {
      const before = await this.#writable(tx, input);
      const content = contentAfter(before.content);
      const size = countCodePoints(content);
      if (size > before.sizeLimit) {
        const isFull = deed === "append" && before.content !== "";
        const hint = isFull ? replaceHint("shorten what is in it", input) : "shorten it";
        throw slotTooLarge(before, size, countCodePoints(before.content), hint);
      }
      // A default slot that is stored, even an empty one, is shown instead of a more general one.
      const isStored = before.createdAt !== neverWritten;
      if (isStored && content === before.content) return { slot: slotRecord(before), size };
      if (input.project !== undefined) await this.#services.projects.writeKey(tx.sql, input.project);
      const after = await this.rewrite(tx, before, content);
      await this.#note(tx, input, deed, after);
      return { slot: slotRecord(after), size };
    };
    return this.#ground.store.write(work, { dryRun: input.dryRun });
  }

  async #writable(tx: Transaction, input: Labelled): Promise<SlotRow> {
    const seen = await viewOf(tx, this.#services, input);
    // A view of everybody's slots has one slot per agent under a label; only the caller's own may be written.
    const view =
      seen.owners === undefined ? await this.#viewFor(tx, input, await this.#owner(tx, input)) : seen;
    const row = slotByLabel(await slotsForWriting(tx, view, input), input.label, view);
    if (row.readOnly) throw readOnlySlot(row);
    return row;
  }

  /** The owner of a new slot. */
  async #owner({ sql }: Connection, request: SlotRequest): Promise<string> {
    const { agents } = this.#services;
    return agents.isolated ? ((await agents.writer(sql, request)) ?? unowned) : unowned;
  }

  async #viewFor(connection: Connection, { project }: SlotRequest, owner: string): Promise<SlotView> {
    const everybody = { project, agentId: "*" };
    return { ...(await viewOf(connection, this.#services, everybody)), owners: [owner] };
  }

  async #note(
    tx: Transaction,
    request: SlotRequest,
    deed: "create" | "append" | "replace" | "delete",
    { label, scope, content }: SlotRow,
  ): Promise<void> {
    await this.#services.audit.record(tx, {
      operation: `slot_${deed}`,
      functionId: `slot.${deed}`,
      targetIds: [label],
      details: { label, scope, size: countCodePoints(content) },
      agentId: await this.#services.agents.writer(tx.sql, request),
    });
  }
}

function isRow({ scope, label, projectKey, agentId }: SlotRow) {
  return and(
    eq(memorySlots.scope, scope),
    eq(memorySlots.label, label),
    eq(memorySlots.projectKey, projectKey),
    eq(memorySlots.agentId, agentId),
  );
}
