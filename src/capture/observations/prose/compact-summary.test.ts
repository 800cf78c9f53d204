import { describe, expect, test } from "vitest";
import { continued } from "./agent-notes.ts";
import { summaryOfHook, summaryOfTranscript } from "./compact-summary.ts";

describe("the summary of a compaction", () => {
  test.each([
    "If you need specific details from before compaction, read the full transcript at: /t.jsonl",
    "Continue the conversation from where it left off without asking the user any further questions.",
    "The messages after this summary are the most recent ones.",
    "Recent messages are preserved verbatim.",
  ])("in a transcript ends before: %s", (line) => {
    const told = `${continued} It is below.\n\nSummary:\n1. A cart.\n\n\n2. Redis.\n\n${line}`;
    expect(summaryOfTranscript(told)).toBe("1. A cart.\n\n2. Redis.");
  });

  test("in a transcript that nothing follows is all of it", () => {
    expect(summaryOfTranscript(`${continued}\nSummary:\n1. A cart.`)).toBe("1. A cart.");
  });

  test("is left as it is where it is written otherwise", () => {
    expect(summaryOfTranscript("A note.\nSummary:\nof a meeting")).toBe("A note.\nSummary:\nof a meeting");
    expect(summaryOfHook("All is done.")).toBe("All is done.");
  });

  test("of a hook is what its tag contains, also if it was cut or mentions the tag", () => {
    const analysis = "<analysis>\nI write a <summary>.\n</analysis>\n\n";
    expect(summaryOfHook(`${analysis}<summary>\n1. A cart.\n</summary>`)).toBe("1. A cart.");
    expect(summaryOfHook(`${analysis}<summary>\n1. A </summary> tag.\n</summary>`)).toBe(
      "1. A </summary> tag.",
    );
    expect(summaryOfHook("<summary>\n1. A cart")).toBe("1. A cart");
  });
});
