import { changeConfigFile } from "../../config/config-file.ts";
import type { Configuration } from "../../config/configuration.ts";
import { setInEnvFile } from "../../config/env-file.ts";
import type { SettingName } from "../../config/settings-table.ts";
import type { Questions } from "./questions.ts";

/** Offers to switch on a setting about which the user has not decided yet. Returns whether they want it. */
export async function offerSetting(
  name: SettingName,
  question: string,
  { home }: Configuration,
  questions: Questions,
): Promise<boolean> {
  if (!(await questions.confirm(question, false))) return false;
  await changeConfigFile(home, (current) => setInEnvFile(current, name, "true"));
  return true;
}
