import { createAction, updateAction } from "../../src/coordination/actions/operations.ts";
import { createCheckpoint } from "../../src/coordination/checkpoints/operations.ts";
import { tagFacet } from "../../src/coordination/facets/operations.ts";
import { acquireLease } from "../../src/coordination/leases/operations.ts";
import { runRoutine, saveRoutine } from "../../src/coordination/routines/operations.ts";
import { createSentinel } from "../../src/coordination/sentinels/operations.ts";
import { readSignals, sendSignal } from "../../src/coordination/signals/operations.ts";
import { addToSketch, createSketch } from "../../src/coordination/sketches/operations.ts";
import type { Core } from "../../src/core.ts";
import { createCrystal } from "../../src/knowledge/crystals/operations.ts";
import { addPeer } from "../../src/sharing/mesh/operations.ts";
import { shareItem } from "../../src/sharing/team/operations.ts";

/** Settings without which nothing is shared. */
export const sharingSettings = {
  MEMSVC_TEAM_ID: "core",
  MEMSVC_USER_ID: "ann",
  MEMSVC_SECRET: "a-secret-of-the-fixture",
  MEMSVC_MESH_ALLOW_PRIVATE: "127.0.0.1",
};

/** Adds rows of everything that agents share: actions, leases, what actions wait for, and signals. */
export async function addSharedWork(core: Core, memoryId: string): Promise<void> {
  const cli = { face: "cli" } as const;
  const { action } = await core.call(createAction, { title: "Move the clock", project: "shop" }, cli);
  await core.call(acquireLease, { actionId: action.id, agentId: "builder" }, cli);
  const { action: done } = await core.call(createAction, { title: "Find the clock", project: "shop" }, cli);
  await core.call(updateAction, { actionId: done.id, status: "done", result: "in src/clock.ts" }, cli);
  await core.call(createCrystal, { actionIds: [done.id] }, cli);
  await core.call(
    createAction,
    { title: "Release", project: "shop", edges: [{ type: "requires", targetActionId: action.id }] },
    cli,
  );
  await core.call(createCheckpoint, { name: "approved", linkedActionIds: [action.id] }, cli);
  await core.call(createSentinel, { name: "deployed", type: "webhook", config: { path: "deployed" } }, cli);
  const { sketch } = await core.call(createSketch, { title: "Another clock" }, cli);
  await core.call(addToSketch, { sketchId: sketch.id, title: "Draw it" }, cli);
  const { routine } = await core.call(
    saveRoutine,
    { name: "Release", steps: [{ title: "Tag" }, { title: "Publish", dependsOn: [1] }] },
    cli,
  );
  await core.call(runRoutine, { routineId: routine.id }, cli);
  await core.call(sendSignal, { from: "builder", to: "planner", content: "The clock has moved" }, cli);
  await core.call(readSignals, { agentId: "planner" }, cli);
  await core.call(
    tagFacet,
    { targetId: memoryId, targetType: "memory", dimension: "area", value: "time" },
    cli,
  );
  await core.call(shareItem, { itemId: memoryId, itemType: "memory" }, cli);
  await core.call(addPeer, { url: "http://127.0.0.1:3999", name: "laptop" }, cli);
}
