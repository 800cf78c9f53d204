import * as z from "zod";
import type { Ground } from "../../ground.ts";
import { isMemsvcError } from "../../operation/errors.ts";
import { redactText } from "../../text/redaction/redact.ts";
import { essentialParts } from "./markdown-parts.ts";

export interface Rewritten {
  readonly kind: "rewritten";
  readonly text: string;
  /** The model's provider, or `rules`. */
  readonly provider: string;
  readonly warning?: string;
}

interface Refused {
  readonly kind: "refused";
  /** Why rules are used instead of the model. */
  readonly reason: string;
}

const instructions =
  "Rewrite the Markdown file so that it says the same in fewer words. Keep every heading, address, fenced code block " +
  "and inline code span exactly as it is. Answer with the whole file.";

const Answer = z.object({ text: z.string().describe("the whole file, rewritten") });

/**
 * The text as shortened by a model; undefined without a model. An answer that lost an essential part is
 * refused.
 */
export async function rewriteByModel(ground: Ground, text: string): Promise<Rewritten | Refused | undefined> {
  if (ground.llm.provider === "noop") return undefined;
  if (redactText(text) !== text) return refused("the file holds secrets, which no model is sent");
  try {
    const { value, provider } = await ground.llm.ask({
      purpose: "file",
      instructions,
      prompt: text,
      schema: Answer,
      background: false,
    });
    const shorter = redactText(value.text);
    const kept = essentialParts(shorter);
    const lost = [...essentialParts(text)].filter((part) => !kept.has(part));
    if (lost.length > 0)
      return refused(`the model's text lacks ${lost.length} headings, addresses or pieces of code`);
    return { kind: "rewritten", text: shorter, provider };
  } catch (error) {
    if (!isMemsvcError(error)) throw error;
    return refused(`the model gave no usable answer: ${error.message}`);
  }
}

function refused(reason: string): Refused {
  return { kind: "refused", reason: `shortened by rules: ${reason}` };
}
