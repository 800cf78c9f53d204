import { getSlot, listSlots, type slotOperations } from "../../src/knowledge/slots/operations.ts";
import type { TestHttp } from "./http.ts";

export const on = { MEMSVC_SLOTS: "true", MEMSVC_REFLECT: "true" };

export type Fields = Readonly<Record<string, unknown>>;

/** Steps of slot tests over HTTP; each may be given another HTTP face to use. */
export function slotSteps(http: TestHttp) {
  async function content(label: string, fields: Fields = {}, from = http) {
    return (await from.ok(getSlot, { label, ...fields })).slot.content;
  }

  async function labels(fields: Fields = {}, from = http) {
    return (await from.ok(listSlots, fields)).slots.map(({ label }) => label);
  }

  async function status(operation: (typeof slotOperations)[number], fields: Fields, from = http) {
    return (await from.reply(operation, fields)).status;
  }

  return { content, labels, status };
}
