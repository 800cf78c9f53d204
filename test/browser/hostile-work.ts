import { payloads } from "./payloads.ts";

/* The part of the hostile store that agents share: actions and other work, messages, and what is shared with others. */

const at = "2026-03-01T10:00:00.000Z";
const later = "2099-01-01T00:00:00.000Z";
/** At most an hour after the time of the test's clock. */
const leaseEnd = "2026-03-01T12:30:00.000Z";
const everything = payloads.join("\n");
const objectOfAll = Object.fromEntries(payloads.map((text) => [text, { [text]: [text] }]));
const each = <Row>(make: (text: string, number: number) => Row): Row[] => payloads.map(make);

export const reader = "reader of all";
export const team = { id: "team of all", user: "user of all" };

/** Ids of records that contain all payloads, or that belong to one that does. */
export const fullWork = { action: "act_all", parent: "act_parent", run: "run_all", sketch: "skt_all" };
/** Number of actions with a lease. */
export const heldActions = 30;

const actionId = (number: number) => `act_${number} ${payloads[number]}`;

function action(text: string, id: string) {
  return {
    id,
    title: text,
    description: `what: ${text}`,
    createdBy: text,
    assignedTo: text,
    project: text,
    tags: [text],
    metadata: { [text]: text },
    createdAt: at,
  };
}

export const hostileWork = {
  actions: [
    ...each((text, number) => ({
      ...action(text, actionId(number)),
      parentId: fullWork.action,
      status: number < heldActions ? "active" : "pending",
      priority: number < heldActions ? 5 : 1 + (number % 10),
    })),
    { ...action("parent", fullWork.parent) },
    {
      ...action("all", fullWork.action),
      status: "blocked",
      description: everything,
      result: everything,
      tags: payloads,
      metadata: { ...objectOfAll, runId: "run_<img src=x onerror=hit(1)>" },
      parentId: fullWork.parent,
      crystallizedInto: payloads[0],
      sourceObservationIds: payloads,
      sourceMemoryIds: payloads,
    },
    ...each((text, number) => ({ ...action(text, `sketched ${number} ${text}`), sketchId: fullWork.sketch })),
  ],
  actionEdges: each((text, number) => ({
    id: `aed ${text}`,
    type: number < 2 ? "requires" : "unlocks",
    sourceActionId: fullWork.action,
    targetActionId: actionId(number),
    metadata: { [text]: text },
    createdAt: at,
  })),
  leases: payloads.slice(0, heldActions).map((text, number) => ({
    id: `lea ${text}`,
    actionId: actionId(number),
    agentId: text,
    acquiredAt: at,
    renewedAt: at,
    expiresAt: leaseEnd,
    status: "active",
  })),
  checkpoints: each((text, number) => ({
    id: `chk ${number} ${text}`,
    name: text,
    description: `until: ${text}`,
    status: number % 2 === 0 ? "failed" : "pending",
    resolvedAt: number % 2 === 0 ? at : undefined,
    resolvedBy: text,
    result: number % 3 === 0 ? text : { [text]: text },
    linkedActionIds: number === 0 ? [fullWork.action] : [],
    createdAt: at,
  })),
  sentinels: each((text, number) => ({
    id: `snl ${number} ${text}`,
    name: text,
    type: number % 2 === 0 ? "custom" : "webhook",
    status: number % 3 === 0 ? "triggered" : "watching",
    config: { path: text.slice(0, 200), [text]: { [text]: text } },
    result: { [text]: text },
    linkedActionIds: number === 1 ? [fullWork.action] : [],
    createdAt: at,
  })),
  signals: each((text, number) => ({
    id: `sig ${number} ${text}`,
    from: text,
    to: number % 2 === 0 ? reader : undefined,
    threadId: text,
    replyTo: text,
    type: "alert",
    content: text,
    metadata: { [text]: text },
    createdAt: at,
  })),
  facets: each((text, number) => ({
    id: `fct ${number}`,
    targetId: fullWork.action,
    targetType: "action",
    dimension: "about",
    value: text,
    createdAt: at,
  })),
  routines: each((text, number) => ({
    id: `rtn ${number} ${text}`,
    name: text,
    description: `how: ${text}`,
    steps: [
      {
        order: 1,
        title: text,
        description: text,
        actionTemplate: { assignedTo: text, metadata: { [text]: text } },
      },
    ],
    tags: [text],
    createdAt: at,
  })),
  routineRuns: [
    {
      id: fullWork.run,
      routineId: `rtn 0 ${payloads[0]}`,
      startedAt: at,
      actionIds: payloads.map((_, number) => actionId(number)),
      initiatedBy: payloads[1],
      project: everything,
    },
  ],
  sketches: [
    ...each((text, number) => ({
      id: `skt ${number} ${text}`,
      title: text,
      description: `perhaps: ${text}`,
      project: text,
      createdAt: at,
      expiresAt: later,
    })),
    { id: fullWork.sketch, title: "all", createdAt: at, expiresAt: later },
  ],
  teamItems: each((text, number) => ({
    id: `tsi ${number} ${text}`,
    sharedBy: text,
    sharedAt: at,
    type: "pattern",
    itemId: `${number} ${text}`,
    content: {
      title: text,
      content: `shared: ${text}`,
      concepts: [text],
      files: [text],
      [text]: { [text]: text },
    },
    project: text,
    teamId: team.id,
  })),
  meshPeers: each((text, number) => ({
    id: `peer ${number} ${text}`,
    url: `https://peer-${number}.example.org/${encodeURIComponent(text)}`,
    name: `${text} `,
    status: "error",
    lastError: text,
    syncFilter: { project: text },
    createdAt: at,
  })),
};
