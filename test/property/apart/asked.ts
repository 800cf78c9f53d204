import { listObservations } from "../../../src/capture/observations/operations.ts";
import { listSessions } from "../../../src/capture/sessions/operations.ts";
import { graphStats } from "../../../src/graph/operations.ts";
import { listCrystals } from "../../../src/knowledge/crystals/operations.ts";
import { listFacts } from "../../../src/knowledge/facts/operations.ts";
import { listInsights } from "../../../src/knowledge/insights/operations.ts";
import { listLessons, searchLessons } from "../../../src/knowledge/lessons/operations.ts";
import { getMemory, listMemories } from "../../../src/knowledge/memories/operations.ts";
import { listRelations } from "../../../src/knowledge/memories/relations/operations.ts";
import { findPatterns, generateRules } from "../../../src/knowledge/patterns/operations.ts";
import { listProcedures } from "../../../src/knowledge/procedures/operations.ts";
import { getProfile } from "../../../src/knowledge/profiles/operations.ts";
import { getSlot, listSlots } from "../../../src/knowledge/slots/operations.ts";
import type { Operation } from "../../../src/operation/define.ts";
import { buildContext } from "../../../src/recall/context/operations.ts";
import { enrich, fileContext } from "../../../src/recall/enrich/operations.ts";
import { fullSearch, smartSearch } from "../../../src/recall/search/operations.ts";
import { timeline } from "../../../src/recall/timeline/operations.ts";
import { file, sessionOf, type Written } from "./steps.ts";

type Asked = readonly [Operation, Readonly<Record<string, unknown>>];

/** All questions that an agent may ask about a project, looking for the record `of`. */
export function questions(project: string, of: Written): Asked[] {
  const { word, memoryId } = of;
  const query = word;
  const sessionId = "a session of its own";
  const files = [file];
  return [
    [listMemories, { project }],
    [listSlots, { project }],
    [getSlot, { project, label: "pending_items" }],
    [listLessons, { project }],
    [searchLessons, { project, query }],
    [listInsights, { project }],
    [listFacts, { project }],
    [listProcedures, { project }],
    [listCrystals, { project }],
    [getProfile, { project, refresh: true }],
    [findPatterns, { project }],
    [generateRules, { project }],
    [smartSearch, { project, query, includeLessons: true }],
    [smartSearch, { project, query: "queue drains before shutdown", includeLessons: true, limit: 100 }],
    [fullSearch, { project, query, format: "narrative" }],
    [buildContext, { project, sessionId, budget: 32_000 }],
    [enrich, { project, sessionId, files, terms: [word] }],
    [fileContext, { project, sessionId, files }],
    [timeline, { project, anchor: word }],
    ...(memoryId === undefined ? [] : ([[getMemory, { id: memoryId }]] as Asked[])),
  ];
}

/** Questions that an agent may ask without naming a project. */
export function widerQuestions(of: Written): Asked[] {
  const { word, memoryId } = of;
  return [
    [listMemories, {}],
    [listSessions, {}],
    [listObservations, { sessionId: sessionOf(of.agent, of.project) }],
    [listRelations, {}],
    [smartSearch, { query: word, includeLessons: true }],
    [graphStats, {}],
    ...(memoryId === undefined
      ? []
      : ([
          [listRelations, { memoryId }],
          [smartSearch, { expandIds: [memoryId] }],
        ] as Asked[])),
  ];
}
