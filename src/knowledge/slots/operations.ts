import * as z from "zod";
import { defineOperation } from "../../operation/define.ts";
import {
  dryRunInput,
  dryRunOutput,
  Id,
  int,
  limit,
  optionalText,
  ProjectName,
  scopeFields,
  Text,
} from "../../operation/fields.ts";
import { MemorySlot, SlotLabel, SlotScope, slotSize } from "./record.ts";

const features = ["MEMSVC_SLOTS"] as const;

const placeFields = {
  project: ProjectName.optional().describe("project of the slots (default: the default project)"),
  scope: SlotScope.optional().describe("only slots of this scope: project or global"),
  ...scopeFields,
};

const placeInQuery = ["project", "scope"];

const sized = {
  slot: MemorySlot.describe("the slot after the change"),
  size: z.number().int().describe("characters in it now"),
};

export const listSlots = defineOperation({
  id: "slots.list",
  summary: "List the slots that a project sees, by label",
  http: { method: "GET", path: "/slots", success: 200 },
  cli: {
    command: "slot list",
    examples: ["memsvc slot list --project shop", "memsvc slot list --scope global"],
  },
  mcp: {
    tool: "memory_slot_list",
    effects: "read",
    title: "Slots",
    description:
      "List the slots that a project sees: small named notes that are in every context block. Use it to see what is pinned, and which slots exist.",
    arguments: { project: true },
  },
  features,
  input: z.object(placeFields),
  output: z.object({
    slots: z.array(MemorySlot).describe("by label"),
    total: z.number().int().describe("how many there are"),
  }),
  errors: ["invalid_input", "feature_off"],
  run: async (core, input) => {
    const slots = await core.slots.list(input);
    return { slots, total: slots.length };
  },
});

export const getSlot = defineOperation({
  id: "slots.get",
  summary: "Show a slot by its label",
  description: "Looks in the project first, then in the default project, then among the global slots.",
  http: { method: "GET", path: "/slot", success: 200 },
  cli: {
    command: "slot get <label>",
    examples: ["memsvc slot get pending_items --project shop", "memsvc slot get persona --scope global"],
  },
  mcp: {
    tool: "memory_slot_get",
    effects: "read",
    title: "Get a slot",
    description: "Show a slot by its label. Use it before you replace its content or add to it.",
    arguments: { label: true, project: true, scope: true },
  },
  features,
  input: z.object({ label: SlotLabel.describe("name of the slot"), ...placeFields }),
  output: z.object({
    slot: MemorySlot.describe("the slot"),
    scope: SlotScope.describe("where it was found: project or global"),
  }),
  errors: ["invalid_input", "not_found", "feature_off"],
  run: async (core, input) => {
    const slot = await core.slots.get(input);
    return { slot, scope: slot.scope };
  },
});

export const createSlot = defineOperation({
  id: "slots.create",
  functionId: "slot.create",
  summary: "Create a slot",
  http: { method: "POST", path: "/slot", success: 201, inQueryToo: placeInQuery },
  cli: {
    command: "slot create <label> [content...]",
    examples: [
      'memsvc slot create deploy_notes "Staging first" --project shop',
      "memsvc slot create glossary --scope global --size-limit 4000",
    ],
  },
  mcp: {
    tool: "memory_slot_create",
    effects: "write",
    title: "Create a slot",
    description:
      "Create a slot: a small named note that is in every context block. Use it for what every session should see, if no slot fits yet.",
    arguments: {
      label: true,
      content: true,
      sizeLimit: true,
      description: true,
      pinned: true,
      scope: true,
      project: true,
    },
  },
  features,
  input: z.object({
    label: SlotLabel.describe("its name: lower-case letters, digits and _"),
    content: z.string().default("").describe("its initial content"),
    description: optionalText(500).optional().describe("what it is for"),
    sizeLimit: int(1, slotSize.most).default(slotSize.usual).describe("characters that it may hold"),
    pinned: z.boolean().default(true).describe("whether it is in the context block"),
    readOnly: z.boolean().default(false).describe("whether it can no longer be changed or deleted"),
    project: ProjectName.optional().describe("its project (default: the default project)"),
    scope: SlotScope.default("project").describe("project, or global for all projects"),
    ...scopeFields,
  }),
  output: z.object({ slot: MemorySlot.describe("the slot as stored") }),
  errors: ["invalid_input", "conflict", "too_large", "feature_off"],
  run: async (core, input) => ({ slot: await core.slots.create(input) }),
});

export const appendToSlot = defineOperation({
  id: "slots.append",
  functionId: "slot.append",
  summary: "Add a line to a slot",
  http: { method: "POST", path: "/slot/append", success: 200, inQueryToo: placeInQuery },
  cli: {
    command: "slot append <label> <text...>",
    examples: [
      'memsvc slot append pending_items "write the release notes" --project shop',
      'memsvc slot append persona "Answers in English." --scope global',
    ],
  },
  mcp: {
    tool: "memory_slot_append",
    effects: "write",
    title: "Add to a slot",
    description: "Add a line to a slot. Use it to note one more item, such as work that is left to do.",
    arguments: { label: true, text: true, project: true, scope: true },
  },
  features,
  input: z.object({
    label: SlotLabel.describe("name of the slot"),
    text: Text.describe("text to add, on its own line"),
    ...placeFields,
  }),
  output: z.object(sized),
  errors: ["invalid_input", "not_found", "too_large", "feature_off"],
  run: (core, input) => core.slots.append(input),
});

export const replaceSlot = defineOperation({
  id: "slots.replace",
  functionId: "slot.replace",
  summary: "Replace the content of a slot",
  http: { method: "POST", path: "/slot/replace", success: 200, inQueryToo: placeInQuery },
  cli: {
    command: "slot replace <label> <content...>",
    examples: [
      'memsvc slot replace persona "A careful reviewer"',
      'memsvc slot replace pending_items "" --project shop --dry-run',
    ],
  },
  mcp: {
    tool: "memory_slot_replace",
    effects: "destroy",
    idempotent: true,
    title: "Replace a slot",
    description: "Replace the content of a slot. Use it to update a whole slot, after reading it.",
    arguments: { label: true, content: true, project: true, scope: true },
  },
  features,
  deletes: true,
  input: z.object({
    label: SlotLabel.describe("name of the slot"),
    content: z.string().describe("its new content; may be empty"),
    ...dryRunInput,
    ...placeFields,
  }),
  output: z.object({ ...sized, ...dryRunOutput }),
  errors: ["invalid_input", "not_found", "too_large", "feature_off"],
  run: (core, input) => core.slots.replace(input),
});

export const deleteSlot = defineOperation({
  id: "slots.delete",
  functionId: "slot.delete",
  summary: "Delete a slot; a default slot comes back empty",
  http: { method: "DELETE", path: "/slot", success: 200 },
  cli: {
    command: "slot delete <label>",
    examples: ["memsvc slot delete deploy_notes --project shop", "memsvc slot delete persona --dry-run"],
  },
  mcp: {
    tool: "memory_slot_delete",
    effects: "destroy",
    idempotent: true,
    title: "Delete a slot",
    description:
      "Delete a slot; a default slot comes back empty. Use it when the user asks for it, or when a slot is no longer useful.",
    arguments: { label: true, project: true, scope: true },
  },
  features,
  deletes: true,
  input: z.object({ label: SlotLabel.describe("name of the slot"), ...dryRunInput, ...placeFields }),
  output: z.object({ deleted: z.number().int().describe("1"), ...dryRunOutput }),
  errors: ["invalid_input", "not_found", "feature_off"],
  run: async (core, input) => ({ deleted: await core.slots.delete(input) }),
});

export const reflectIntoSlots = defineOperation({
  id: "slots.reflect",
  functionId: "slot.reflect",
  summary: "Update the slots of a session's project with what the session left open",
  description:
    "Records open items, counts of errors and commands, and new files; by rules, without a language model.",
  http: { method: "POST", path: "/slot/reflect", success: 200, inQueryToo: placeInQuery },
  cli: {
    command: "slot reflect <sessionId>",
    examples: ["memsvc slot reflect my-session", "memsvc slot reflect my-session --max-observations 20"],
  },
  features: ["MEMSVC_SLOTS", "MEMSVC_REFLECT"],
  input: z.object({
    sessionId: Id.describe("session to take it from"),
    maxObservations: limit(50, 200).describe("number of its newest observations to look at"),
    project: ProjectName.optional().describe("ignored: the session's own project is used"),
    ...scopeFields,
  }),
  output: z.object({
    applied: z.number().int().describe("slots that were changed"),
    observationsReviewed: z.number().int().describe("observations that were looked at"),
    reason: z.literal("no_observations").optional().describe("why nothing was done"),
  }),
  errors: ["invalid_input", "not_found", "feature_off"],
  run: (core, input) => core.reflectIntoSlots(input),
});

export const slotOperations = [
  listSlots,
  getSlot,
  createSlot,
  appendToSlot,
  replaceSlot,
  deleteSlot,
  reflectIntoSlots,
];
