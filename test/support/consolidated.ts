import { listFacts } from "../../src/knowledge/facts/operations.ts";
import type { TestHttp } from "./http.ts";

export const backoff = [
  "Mail retries use exponential backoff after a timeout",
  "A timeout of the mail server needs backoff in the worker",
  "Backoff of mail jobs starts at two seconds after a timeout",
];

export async function factsOf(http: TestHttp, filter: Record<string, string> = {}) {
  const { semantic } = await http.ok(listFacts, filter);
  return semantic;
}
