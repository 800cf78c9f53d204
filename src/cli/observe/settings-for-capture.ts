import type { SettingDefinition } from "../../config/setting.ts";

const owners: ReadonlySet<string> = new Set([
  "AGENT_ID",
  "MEMSVC_AGENT_SCOPE",
  "MEMSVC_USER_ID",
  "MEMSVC_PROJECT_NAME",
]);

/** Whether a setting decides where, how or for whom an event is stored. */
export function decidesCapture({ name, group }: SettingDefinition): boolean {
  return group === "store" || group === "capture" || owners.has(name);
}
