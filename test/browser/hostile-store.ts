import { hostileWork } from "./hostile-work.ts";
import { payloads } from "./payloads.ts";

/*
 * An export file of a store in which every text is a payload. Each record has one payload in all of its fields. For
 * each kind that has a page of its own, one record contains all payloads.
 */

const at = "2026-03-01T10:00:00.000Z";
const nodeTypes =
  "file function concept error decision pattern library person project preference location organization event";

/** Ids of records that contain all payloads. */
export const full = {
  session: "session of all",
  memory: "mem_all",
  observation: "obs_all",
  node: "node of all",
  graphProject: "graph of all",
};
export const graphTypes = nodeTypes.split(" ");

const everything = payloads.join("\n");
const each = <Row>(make: (text: string, number: number) => Row): Row[] => payloads.map(make);
/** Ids with a payload in them, by the payload's number. */
const memoryId = (number: number) => `mem_${number} ${payloads[number]}`;
const observationId = (number: number) => `obs_${number} ${payloads[number]}`;

function observation(text: string, id: string) {
  return {
    id,
    sessionId: full.session,
    timestamp: at,
    hookType: text,
    type: "file_edit",
    title: text,
    subtitle: `under ${text}`,
    facts: [text],
    narrative: text,
    concepts: [text],
    files: [text],
    importance: 5,
    toolName: text,
    modality: text,
    imageRef: text,
    imageDescription: text,
  };
}

export const hostileStore = {
  version: "0.1.0",
  sessions: [
    { id: full.session, project: "all", cwd: everything, startedAt: at, firstPrompt: "all", tags: payloads },
    ...each((text, number) => ({
      id: `${number} ${text}`,
      project: text,
      cwd: text,
      startedAt: at,
      agentId: text,
      summary: text,
      firstPrompt: text,
      model: text,
      tags: [text],
    })),
  ],
  observations: {
    [full.session]: [
      ...each((text, number) => observation(text, observationId(number))),
      {
        ...observation("all", full.observation),
        facts: payloads,
        narrative: everything,
        concepts: payloads,
        files: payloads,
        raw: { data: Object.fromEntries(payloads.map((text) => [text, { [text]: [text] }])) },
      },
    ],
  },
  summaries: [
    {
      sessionId: full.session,
      createdAt: at,
      title: "all",
      narrative: everything,
      keyDecisions: payloads,
      filesModified: payloads,
      concepts: payloads,
      provider: payloads[0],
    },
  ],
  commits: each((text, number) => ({
    sha: `${number}${text}`,
    branch: text,
    message: text,
    author: text,
    repo: text,
    files: [text],
    sessionIds: [full.session],
    linkedAt: at,
  })),
  memories: [
    ...each((text, number) => ({
      id: memoryId(number),
      title: text,
      content: `${text} heron`,
      type: "fact",
      concepts: [text],
      files: [text],
      project: text,
      agentId: text,
      createdAt: at,
      sessionIds: [text],
      origin: { channel: "agent", detail: text, capturedAt: at },
    })),
    {
      id: full.memory,
      title: "all",
      content: everything,
      type: "fact",
      concepts: payloads,
      files: payloads,
      project: "all",
      createdAt: at,
      sessionIds: payloads,
      sourceObservationIds: payloads.map((_, number) => observationId(number)),
      supersedes: [memoryId(0), "mem_gone <img src=x onerror=hit(1)>"],
      origin: { channel: "agent", detail: everything, capturedAt: at },
    },
  ],
  relations: payloads.map((text, number) => ({
    id: `rel ${text}`,
    type: "related",
    sourceId: full.memory,
    targetId: memoryId(number),
    confidence: 0.9,
    createdAt: at,
  })),
  lessons: each((text, number) => ({
    id: `lsn_${number} ${text}`,
    content: text,
    context: `where ${text}`,
    project: text,
    agentId: text,
    tags: [text],
    createdAt: at,
  })),
  insights: each((text, number) => ({
    id: `ins_${number} ${text}`,
    title: text,
    content: `seen: ${text}`,
    sourceConceptCluster: [text],
    sourceMemoryIds: [memoryId(number)],
    sourceLessonIds: [text],
    sourceCrystalIds: [text],
    project: text,
    agentId: text,
    tags: [text],
    provider: text,
    createdAt: at,
  })),
  crystals: each((text, number) => ({
    id: `cry_${number} ${text}`,
    narrative: text,
    keyOutcomes: [text],
    filesAffected: [text],
    lessons: [text],
    tags: [text],
    sourceActionIds: [text],
    sessionId: text,
    project: text,
    agentId: text,
    provider: text,
    createdAt: at,
  })),
  semanticMemories: each((text, number) => ({
    id: `sem_${number} ${text}`,
    fact: text,
    project: text,
    agentId: text,
    sourceSessionIds: [text],
    sourceMemoryIds: [memoryId(number)],
    provider: text,
    createdAt: at,
  })),
  proceduralMemories: each((text, number) => ({
    id: `prc_${number} ${text}`,
    name: text,
    steps: [text],
    triggerCondition: text,
    expectedOutcome: text,
    project: text,
    agentId: text,
    sourceSessionIds: [text],
    tags: [text],
    concepts: [text],
    provider: text,
    createdAt: at,
  })),
  // No way into the store takes another label.
  slots: each((text, number) => ({
    label: `slot_${number}`,
    content: `noted: ${text}`,
    description: `for ${text}`,
    scope: "global",
    createdAt: at,
  })),
  graphNodes: [
    {
      id: full.node,
      type: "file",
      name: "node of all",
      aliases: payloads,
      properties: Object.fromEntries(payloads.slice(0, 100).map((text) => [text, text])),
      createdAt: at,
      sourceObservationIds: [full.observation],
    },
    ...each((text, number) => ({
      id: `gnd_${number} ${text}`,
      type: graphTypes[number % graphTypes.length],
      name: `${number} ${text}`,
      project: full.graphProject,
      aliases: [text],
      createdAt: at,
      sourceObservationIds: [full.observation],
    })),
  ],
  graphEdges: payloads.slice(0, 59).map((text, number) => ({
    id: `ged ${text}`,
    type: "uses",
    sourceNodeId: full.node,
    targetNodeId: `gnd_${number} ${text}`,
    createdAt: at,
    sourceObservationIds: [full.observation],
  })),
  audit: each((text, number) => ({
    id: `aud_${number} ${text}`,
    timestamp: at,
    operation: text,
    functionId: text,
    targetIds: [text, memoryId(number)],
    details: { [text]: text, inner: { [text]: [text] } },
    agentId: text,
    userId: text,
  })),
  ...hostileWork,
};
