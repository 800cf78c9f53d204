/** What a store must hold, kept as plain rows. */
export interface ModelMemory {
  readonly id: string;
  readonly lineage: number;
  readonly version: number;
  readonly content: string;
  readonly word: string;
  readonly project: string | undefined;
  readonly agent: string | undefined;
  readonly type: string;
  readonly forgetAfter: number | undefined;
  isLatest: boolean;
}

export interface ModelObservation {
  readonly id: string;
  readonly session: string;
  readonly agent: string | undefined;
  readonly word: string;
  /** The event as it was sent, so that it can be sent again. */
  readonly event: Readonly<Record<string, unknown>>;
  /** When it was sent first: the same event is recognized as a repetition for a while after that. */
  arrivedAt: number;
}

export interface ModelLesson {
  readonly id: string;
  readonly content: string;
  readonly word: string;
  readonly project: string | undefined;
  readonly agent: string | undefined;
  /** Its confidence when it was made or last confirmed. */
  confidence: number;
  confirmedAt: number;
  reinforcements: number;
}

export interface ModelSlot {
  readonly label: string;
  readonly scope: "project" | "global";
  /** Undefined for a slot of the default project and for a global one. */
  readonly project: string | undefined;
  readonly sizeLimit: number;
  readonly readOnly: boolean;
  content: string;
}

export interface Model {
  readonly memories: Map<string, ModelMemory>;
  readonly observations: Map<string, ModelObservation>;
  readonly lessons: Map<string, ModelLesson>;
  /** Slots by scope, project and label. */
  readonly slots: Map<string, ModelSlot>;
  /** Words of forgotten records, which no answer may contain any more. */
  readonly forgotten: Set<string>;
}

export function emptyModel(): Model {
  return {
    memories: new Map(),
    observations: new Map(),
    lessons: new Map(),
    slots: new Map(),
    forgotten: new Set(),
  };
}

export function copyOf(model: Model): Model {
  return structuredClone(model);
}

/** Removes rows from the model, and remembers the words that no remaining record has. */
export function drop(model: Model, ids: Iterable<string>): void {
  for (const id of ids) {
    const row = model.memories.get(id) ?? model.observations.get(id) ?? model.lessons.get(id);
    if (row === undefined) continue;
    model.memories.delete(id);
    model.observations.delete(id);
    model.lessons.delete(id);
    model.forgotten.add(row.word);
  }
  const living = [...model.memories.values(), ...model.observations.values(), ...model.lessons.values()];
  for (const { word } of living) model.forgotten.delete(word);
}

/** Whether searches may return the memory: it is the latest version and has not expired. */
export function isRecalled({ isLatest, forgetAfter }: ModelMemory, now: number): boolean {
  return isLatest && (forgetAfter === undefined || forgetAfter > now);
}

/** The latest memories of the same project and agent whose texts are most similar, and their similarity. */
export function nearest(
  { memories }: Model,
  one: Pick<ModelMemory, "content" | "project" | "agent">,
  now: number,
): { readonly similarity: number; readonly ids: readonly string[] } {
  let best: { similarity: number; ids: string[] } = { similarity: 0, ids: [] };
  for (const other of memories.values()) {
    if (!isRecalled(other, now) || other.project !== one.project || other.agent !== one.agent) continue;
    const similarity = jaccard(tokens(other.content), tokens(one.content));
    if (similarity > best.similarity) best = { similarity, ids: [other.id] };
    else if (similarity === best.similarity) best.ids.push(other.id);
  }
  return best;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((token) => b.has(token)).length;
  return shared / (a.size + b.size - shared);
}

/** Words of three characters or more; Han and Kana runs as pairs. */
function tokens(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of text
    .normalize("NFKC")
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run)) {
      for (let at = 0; at + 1 < run.length; at += 1) found.add(run.slice(at, at + 2));
    } else if (run.length >= 3) found.add(run);
  }
  return found;
}
