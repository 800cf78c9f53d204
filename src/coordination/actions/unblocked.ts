import * as z from "zod";
import type { Actions } from "./actions.ts";

/** The titles of unblocked actions, in answers that have their ids. */
export const UnblockedTitles = z
  .array(z.string())
  .describe("titles of the unblocked actions, in the order of their ids");

/** An answer with the titles of the actions that it says were unblocked. */
export async function withUnblockedTitles<Answer extends { readonly unblocked: string[] }>(
  { actions }: { readonly actions: Pick<Actions, "titles"> },
  answer: Answer,
): Promise<Answer & { readonly unblockedTitles: string[] }> {
  return { ...answer, unblockedTitles: await actions.titles(answer.unblocked) };
}
