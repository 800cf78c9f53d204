import { config } from "zod";

/** Keeps zod from compiling schemas at first use: it does not pay for schemas that are used once. */
export function interpretSchemas(): void {
  config({ jitless: true });
}
