import { config } from "zod";

/** Keeps schemas from being compiled at their first use: one that is used once is not worth it. */
export function interpretSchemas(): void {
  config({ jitless: true });
}
