import { observeInputFrom } from "../../capture/observations/hooks/hook-payload.ts";
import { observe } from "../../capture/observations/operations.ts";
import { endSession } from "../../capture/sessions/operations.ts";
import { evolve, remember } from "../../knowledge/memories/operations.ts";
import type { SampleEvent, SampleMemory, SampleSession } from "./sample/history.ts";
import type { ScratchStore } from "./scratch-store.ts";

/** The result of replaying the recorded history. */
export interface Replayed {
  readonly events: number;
  readonly duplicates: number;
  /** How long each event took, in the order of sending. */
  readonly eventMs: readonly number[];
  /** Observations of each tool call, by its tool use id. */
  readonly observationsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids of the memories, in the order of the sample. */
  readonly memoryIds: readonly string[];
}

interface History {
  readonly project: string;
  readonly sessions: readonly SampleSession[];
  readonly memories: readonly SampleMemory[];
}

type Step =
  | { readonly kind: "event"; readonly at: string; readonly event: SampleEvent }
  | { readonly kind: "memory"; readonly at: string; readonly memory: SampleMemory };

/** Sends events and memories in chronological order, as the hooks and the developer did. */
export async function replay(store: ScratchStore, history: History, signal: AbortSignal): Promise<Replayed> {
  const eventMs: number[] = [];
  const observationsOf = new Map<string, Set<string>>();
  const memoryIds: string[] = [];
  let duplicates = 0;
  for (const step of stepsOf(history)) {
    signal.throwIfAborted();
    store.setTime(step.at);
    if (step.kind === "memory") {
      memoryIds.push(await keep(store, step.memory, history.project, memoryIds));
      continue;
    }
    const { payload } = step.event;
    const startedAt = performance.now();
    const receipt = await send(store, step.event, history.project);
    eventMs.push(performance.now() - startedAt);
    if (receipt.deduplicated) duplicates += 1;
    if ("tool_use_id" in payload) {
      const known = observationsOf.get(payload.tool_use_id) ?? new Set();
      observationsOf.set(payload.tool_use_id, known.add(receipt.observationId));
    }
    if (payload.hook_event_name === "SessionEnd") {
      await store.call(endSession, { sessionId: payload.session_id });
    }
  }
  return { events: eventMs.length, duplicates, eventMs, observationsOf, memoryIds };
}

function stepsOf({ sessions, memories }: History): readonly Step[] {
  const events = sessions.flatMap((session) => session.events);
  return [
    ...events.map((event): Step => ({ kind: "event", at: event.at, event })),
    ...memories.map((memory): Step => ({ kind: "memory", at: memory.at, memory })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

async function send(store: ScratchStore, { at, payload }: SampleEvent, project: string) {
  const read = observeInputFrom(
    { ...payload },
    { now: () => new Date(at), projectOf: () => project, fallbackCwd: payload.cwd },
  );
  if (read.kind !== "event") throw new Error(`a recorded event is not recognised: ${read.reason}`);
  return store.call(observe, read.input);
}

async function keep(
  store: ScratchStore,
  memory: SampleMemory,
  project: string,
  earlier: readonly string[],
): Promise<string> {
  const { type, content, concepts, files, replaces } = memory;
  const older = replaces === undefined ? undefined : earlier[replaces];
  const stored =
    older === undefined
      ? await store.call(remember, { project, type, content, concepts: [...concepts], files: [...files] })
      : await store.call(evolve, { memoryId: older, newContent: content, newTitle: firstClause(content) });
  return stored.memoryId;
}

function firstClause(text: string): string {
  return text.slice(0, Math.max(text.search(/[;.]/u), 0)) || text;
}
