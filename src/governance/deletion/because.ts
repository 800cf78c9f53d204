import { redactText } from "../../text/redaction/redact.ts";

/** The reason for a deletion, for its audit entry. */
export function because(reason: string | undefined): { reason?: string } {
  return reason === undefined || reason.trim() === "" ? {} : { reason: redactText(reason) };
}
