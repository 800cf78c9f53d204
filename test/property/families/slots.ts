import fc from "fast-check";
import { expect } from "vitest";
import {
  appendToSlot,
  createSlot,
  deleteSlot,
  listSlots,
  replaceSlot,
} from "../../../src/knowledge/slots/operations.ts";
import type { Doing, StepOf } from "../doing.ts";
import { project, projects, text } from "../given.ts";
import type { Model, ModelSlot } from "../model.ts";
import type { World } from "../world.ts";

/** Labels of a default project slot, of a default global slot, and of two that are no defaults. */
const label = fc.constantFrom("pending_items", "persona", "notes", "glossary");
const scope = fc.constantFrom(undefined, undefined, "project" as const, "global" as const);

export const slotKinds = {
  createSlot: fc.record({
    kind: fc.constant("create slot" as const),
    label,
    scope,
    project,
    text,
    sizeLimit: fc.constantFrom(20, 60, 2_000),
    readOnly: fc.integer({ min: 0, max: 5 }).map((one) => one === 5),
  }),
  changeSlot: fc.record({
    kind: fc.constant("change slot" as const),
    label,
    scope,
    project,
    text,
    how: fc.constantFrom("append" as const, "append" as const, "replace" as const, "empty" as const),
  }),
  deleteSlot: fc.record({ kind: fc.constant("delete slot" as const), label, scope, project }),
};

export const doSlots: Doing<StepOf<typeof slotKinds>> = {
  "create slot": async (world, { kind: _kind, text: said, ...asked }) => {
    const { slots } = world.model;
    const content = world.written({ ...said, secret: false }, world.word());
    const reply = await world.reply(createSlot, { ...asked, content });
    const made: ModelSlot = {
      ...asked,
      scope: asked.scope ?? "project",
      project: asked.scope === "global" ? undefined : asked.project,
      content,
    };
    if (slots.has(keyOf(made)) || defaults.get(made.label)?.scope === made.scope) {
      expect(reply.status, reply.text).toBe(409);
    } else if (size(content) > made.sizeLimit) {
      expect(reply.body).toMatchObject({ currentSize: size(content), sizeLimit: made.sizeLimit });
      expect(reply.status).toBe(413);
    } else {
      expect(reply.status, reply.text).toBe(201);
      slots.set(keyOf(made), made);
    }
  },
  "change slot": async (world, { label: name, scope: of, project: whose, text: said, how }) => {
    const known = meant(world.model, name, of, whose);
    const text = how === "empty" ? "" : world.written({ ...said, secret: false }, world.word());
    const place = { label: name, scope: of, project: whose };
    const reply =
      how === "append"
        ? await world.reply(appendToSlot, { ...place, text })
        : (await world.deleted(replaceSlot, { ...place, content: text }))[1];
    if (known === undefined) {
      expect(reply.status, reply.text).toBe(404);
      return;
    }
    const content = how === "append" && known.content !== "" ? `${known.content}\n${text}` : text;
    if (known.readOnly) expect(reply.status, reply.text).toBe(400);
    else if (size(content) > known.sizeLimit) {
      expect(reply.status, reply.text).toBe(413);
      expect(reply.body).toMatchObject({ currentSize: size(known.content), sizeLimit: known.sizeLimit });
    } else {
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body).toMatchObject({ size: size(content), slot: { content } });
      world.model.slots.set(keyOf(known), { ...known, content });
    }
  },
  "delete slot": async (world, { label: name, scope: of, project: whose }) => {
    const known = meant(world.model, name, of, whose);
    const [, real] = await world.deleted(deleteSlot, { label: name, scope: of, project: whose });
    if (known === undefined) expect(real.status, real.text).toBe(404);
    else if (known.readOnly) expect(real.status, real.text).toBe(400);
    else {
      expect(real.body, real.text).toMatchObject({ deleted: 1 });
      world.model.slots.delete(keyOf(known));
    }
  },
};

/** Default slots, which every store shows; they are empty until something is written. */
const defaults = new Map(
  (
    [
      ["persona", "global", 1_000],
      ["user_preferences", "global", 2_000],
      ["tool_guidelines", "global", 1_500],
      ["project_context", "project", 3_000],
      ["guidance", "project", 1_500],
      ["pending_items", "project", 2_000],
      ["session_patterns", "project", 1_500],
      ["self_notes", "project", 1_500],
    ] as const
  ).map(([name, of, sizeLimit]) => [name as string, { scope: of, sizeLimit }] as const),
);

/**
 * The slot that a write changes: that of the project, else of the default project, else the global one. A default slot
 * exists only in its own scope.
 */
function meant(
  model: Model,
  name: string,
  of: Scope | undefined,
  whose: string | undefined,
): ModelSlot | undefined {
  for (const place of placesOf(name, of, whose)) {
    const slot = model.slots.get(keyOf(place)) ?? emptyAt(place);
    if (slot !== undefined) return slot;
  }
  return undefined;
}

/** The slot that a read shows: an empty default slot only when there is no stored one. */
function shownAs(
  model: Model,
  name: string,
  of: Scope | undefined,
  whose: string | undefined,
): ModelSlot | undefined {
  const places = placesOf(name, of, whose);
  const stored = places.flatMap((place) => model.slots.get(keyOf(place)) ?? []);
  return stored[0] ?? places.flatMap((place) => emptyAt(place) ?? [])[0];
}

type Scope = ModelSlot["scope"];
type Place = Pick<ModelSlot, "scope" | "project" | "label">;

function placesOf(label: string, of: Scope | undefined, whose: string | undefined): Place[] {
  const places: Place[] = [
    { label, scope: "project", project: whose },
    { label, scope: "project", project: undefined },
    { label, scope: "global", project: undefined },
  ];
  return places.filter(({ scope }) => of === undefined || scope === of);
}

function emptyAt(place: Place): ModelSlot | undefined {
  const empty = defaults.get(place.label);
  if (empty?.scope !== place.scope) return undefined;
  return { ...place, sizeLimit: empty.sizeLimit, readOnly: false, content: "" };
}

function keyOf({ scope: of, project: whose, label: name }: Place) {
  return `${of}\n${whose ?? ""}\n${name}`;
}

/** Size of a slot's content, in code points. */
function size(content: string): number {
  return [...content].length;
}

/** Expects that each project sees one slot of each label that exists for it. */
export async function expectSlotsListed(world: World): Promise<void> {
  const labels = new Set([...defaults.keys(), ...[...world.model.slots.values()].map((slot) => slot.label)]);
  for (const whose of [undefined, ...projects]) {
    for (const of of [undefined, "global" as const]) {
      const { slots } = await world.ok(listSlots, { project: whose, scope: of });
      const shown = slots.map((slot) => `${slot.label} ${slot.scope} ${slot.sizeLimit} ${slot.content}`);
      const expected = [...labels].sort().flatMap((name) => {
        const slot = shownAs(world.model, name, of, whose);
        return slot === undefined ? [] : [`${name} ${slot.scope} ${slot.sizeLimit} ${slot.content}`];
      });
      expect(shown, `slots of ${whose}`).toEqual(expected);
    }
  }
}
