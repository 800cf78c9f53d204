import * as z from "zod";
import { fittingProperties } from "../kept-of-things.ts";
import { EdgeType, NodeType } from "../record.ts";
import type { EdgeDraft, NodeDraft } from "../storage/draft.ts";
import { foldedName } from "../storage/names.ts";
import { defaultWeight } from "../weight.ts";

/** What a model is asked to answer. Types are read leniently: an unknown one is an ordinary concept or relation. */
export const GraphAnswer = z.object({
  entities: z
    .array(
      z.object({
        type: z.string().describe("kind of thing"),
        name: z.string().describe("shortest name that tells it apart"),
        properties: z.record(z.string(), z.unknown()).nullish().describe("few short facts about it"),
        aliases: z.array(z.string()).nullish().describe("other names of the same thing"),
      }),
    )
    .describe("things that the observations are about"),
  relations: z
    .array(
      z.object({
        type: z.string().describe("how the two hang together"),
        source: z.string().describe("name of an entity"),
        target: z.string().describe("name of an entity"),
        weight: z.number().nullish().describe("confidence, 0 to 1"),
        context: z.string().nullish().describe("why, in a few words"),
      }),
    )
    .describe("how these things hang together"),
});
export type GraphAnswer = z.infer<typeof GraphAnswer>;

/** Finds a node of the graph by name, for relations with something that is no entity of the answer. */
type KnownThing = (name: string) => Promise<NodeDraft | undefined>;

const mostPropertyBytes = 4_096;

/** The answer as nodes and edges. Relations are dropped when one end is neither in the answer nor in the graph. */
export async function draftOf(
  answer: GraphAnswer,
  known: KnownThing,
): Promise<{ nodes: NodeDraft[]; edges: EdgeDraft[] }> {
  const nodes: NodeDraft[] = [];
  const places = new Map<string, number>();
  for (const { type, name, properties, aliases } of answer.entities) {
    if (name.trim() === "") continue;
    const place = nodes.push({
      type: NodeType.catch("concept").parse(type),
      name,
      aliases: aliases ?? [],
      properties: fittingProperties(properties ?? {}, mostPropertyBytes),
    });
    for (const each of [name, ...(aliases ?? [])]) {
      if (!places.has(foldedName(each))) places.set(foldedName(each), place - 1);
    }
  }
  const placeOf = async (name: string): Promise<number | undefined> => {
    const folded = foldedName(name);
    const place = places.get(folded);
    if (place !== undefined) return place;
    const thing = await known(name);
    if (thing === undefined) return undefined;
    const added = nodes.push(thing) - 1;
    places.set(folded, added);
    return added;
  };
  const edges: EdgeDraft[] = [];
  for (const { type, source, target, weight, context } of answer.relations) {
    const [from, to] = [await placeOf(source), await placeOf(target)];
    if (from === undefined || to === undefined) continue;
    edges.push({
      source: from,
      target: to,
      type: EdgeType.catch("related_to").parse(type),
      weight: Math.min(1, Math.max(0.01, weight ?? defaultWeight)),
      ...(context === null || context === undefined || context === "" ? {} : { properties: { context } }),
    });
  }
  return { nodes, edges };
}
