import { expect, test } from "vitest";
import { leftOfLastPlan, openItems, openItemsOfAnswer } from "./open-items.ts";

test("an answer tells what is left to do in many words", () => {
  for (const left of [
    "TODO: gzip files are not read.",
    "Next steps: expiry and the rate limit.",
    "The rate limit is still to do.",
    "Open for next time: expiry of links.",
    "Compaction is left for later.",
    "All tests pass. Next: remove idle buckets.",
    "Expiry is not implemented yet.",
  ])
    expect(openItemsOfAnswer(`Links are kept in a file.\n${left}`)).toEqual([left]);
  for (const done of ["The next test opens the file.", "The port is open: 8080 answers.", "Nothing more."])
    expect(openItemsOfAnswer(done)).toEqual([]);
});

test.each([
  "Left to do: nothing",
  "Nothing is left to do.",
  "Nothing is still open.",
  "There are no remaining issues.",
  "All remaining tests pass.",
  "All of the next steps are done.",
  "No follow-up is needed.",
  "Next steps: none.",
  "**Open items:** none",
])("that %j leaves nothing to do", (answer) => {
  expect(openItemsOfAnswer(`It works.\n${answer}`)).toEqual([]);
  expect(openItemsOfAnswer(`${answer} TODO: the rate limit.`)).toHaveLength(1);
});

test("a heading takes the list below it along, whatever blank lines it has", () => {
  const list = "- expiry of links\n\n- the rate limit\n\nAll tests pass.";
  const told = "Next steps: expiry of links; the rate limit";
  expect(openItemsOfAnswer(`It works.\n\n## Next steps\n\n${list}`)).toEqual([told]);
  expect(openItemsOfAnswer(`It works.\n\n**Next steps**\n${list}`)).toEqual([
    told.replace(/^[^:]*/u, "**$&**"),
  ]);
});

test("a line that opens a list takes the list along, as one item", () => {
  const answer = "It works.\n\n**Still open:**\n\n- expiry of links\n- the rate limit\n\nAll tests pass.";
  expect(openItemsOfAnswer(answer)).toEqual(["**Still open:** expiry of links; the rate limit"]);
});

test("of a long line only what is left to do is told", () => {
  const done = "The store waits for the file now, and the server answers only afterwards. ".repeat(3);
  expect(openItemsOfAnswer(`${done}The rate limit is still to do.`)).toEqual([
    "The rate limit is still to do.",
  ]);
});

const said = (hookType: string, type: string, narrative: string) => ({
  ...{ hookType, type, narrative, files: [] },
});

test("of the plans that were made the last one counts", () => {
  const planned = (plan: string) => said("post_tool_use", "file_write", plan);
  const first = planned("open: Expiry; Rate limit · in progress: Server");
  const last = planned("open: Rate limit · in progress: Expiry · done: Server");
  expect(leftOfLastPlan([first, last, said("stop", "conversation", "The server works.")])).toEqual([
    "open: Rate limit · in progress: Expiry",
  ]);
  expect(leftOfLastPlan([first, planned("done: Server; Expiry; Rate limit")])).toEqual([]);
  expect(leftOfLastPlan([{ ...first, files: ["plan.md"] }])).toEqual([]);
  expect(openItems([planned("in progress: TODO list"), last])).toEqual([]);
});

test("what a user calls open is asked for; what was only read is the work of others", () => {
  expect(
    openItems([
      said(
        "prompt_submit",
        "conversation",
        "Do the expiry that is still open.\nTODO: tell of it in the README",
      ),
      said("post_tool_use", "file_read", "// TODO: tidy up"),
      said("post_tool_use", "command_run", "ls remaining"),
      said("stop", "conversation", "The README is still missing."),
    ]),
  ).toEqual(["TODO: tell of it in the README", "The README is still missing."]);
});
