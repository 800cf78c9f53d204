/** The transcript that the questions are about. */
export const transcriptName = "258c7280-ae70-4798-800f-63464d01a85d.jsonl.gz";

export interface TranscriptQuestion {
  readonly question: string;
  /** The tool calls whose events answer it, each by the last six characters of its id. */
  readonly calls: readonly string[];
  readonly why: string;
}

/** Questions of somebody who comes back to the work; the answers were found by reading the transcript. */
export const transcriptQuestions: readonly TranscriptQuestion[] = [
  {
    question: "why did git push fail",
    calls: ["7ZmeTa"],
    why: "exit code 128, the branch has no upstream branch",
  },
  {
    question: "Phoenix LiveView requires lazy_html as a test dependency",
    calls: ["VmcC1x", "mQ4JaD"],
    why: "the failing test run says so; the edit of mix.exs adds it",
  },
  {
    question: "undefined function get/2 in the project review live test",
    calls: ["G4VbFF"],
    why: "the compile error of the first run of that test",
  },
  {
    question: "secret_key_base for the endpoint in the test configuration",
    calls: ["cK2Jn7"],
    why: "the edit of config/test.exs that brings it in",
  },
  {
    question: "ETS store for review tokens that expire",
    calls: ["GGoBqh"],
    why: "the file review_token_store.ex is written there",
  },
  {
    question: "migration that rebuilds the annotations table because sqlite cannot alter columns",
    calls: ["awXP6C"],
    why: "the generated migration is written anew with a table rewrite",
  },
  {
    question: "contract of Claude Code SessionStart hook output",
    calls: ["9GenaK"],
    why: "a sub-agent is asked to research it, and answers",
  },
  {
    question: "launch_project_review in tmux",
    calls: ["PFUN7F"],
    why: "the edit of tmux.ex that adds the function",
  },
  {
    question: "commit message for closing the review session",
    calls: ["w1iMYU"],
    why: "the commit feat: close review session by closing all open annotations",
  },
  {
    question: "shell script that gives the review context to a session at its start",
    calls: ["cwZCn5", "1dAB5N", "qK2HX5"],
    why: "review-context-session-start.sh is written, made executable and put into hooks.json",
  },
];

/** Whether the tool call with this id answers the question. */
export function answers({ calls }: TranscriptQuestion, toolUseId: unknown): boolean {
  return typeof toolUseId === "string" && calls.some((end) => toolUseId.endsWith(end));
}
