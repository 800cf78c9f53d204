import { expect, test } from "vitest";
import { processorTimer } from "../../../../test/support/processor-time.ts";
import { commitMessageIn } from "./commit-message.ts";

test.each([
  ["git commit -m 'Sort names'", "Sort names"],
  ['cd shop && git commit -am "Say \\"hello\\" to \\$HOME"', 'Say "hello" to $HOME'],
  ["git commit -m 'Sort names' -m 'They were wrong.'", "Sort names\n\nThey were wrong."],
  ["git commit --message='Sort names'", "Sort names"],
  [`git commit -m "$(cat <<'EOF'\nSort names\n\nThey said "no".\nEOF\n)"`, 'Sort names\n\nThey said "no".'],
  ["git commit -F - <<END\nSort names\nEND", "Sort names"],
  ["git commit -F - <<END && git push\nSort names\n\tEND\necho END", "Sort names"],
  ["cat <<A\nwithout an end\ngit commit -F - <<B\nSort names\nB", "Sort names"],
])("%s gives its message", (command, message) => {
  expect(commitMessageIn(command)).toBe(message);
});

test.each(["git commit --amend --no-edit", "git log -m 'x'", "echo -m 'git commit'", "git status"])(
  "%s has none",
  (command) => {
    expect(commitMessageIn(command)).toBeUndefined();
  },
);

test("a command that opens many texts and ends none of them is read in linear time", () => {
  const command = `git commit ${"<<EOF\n".repeat(20_000)}`;
  const spent = processorTimer();
  expect(commitMessageIn(command)).toBeUndefined();
  expect(spent()).toBeLessThan(2_000);
});
