import { expect, test } from "vitest";
import { commitMessageIn } from "./commit-message.ts";

test.each([
  ["git commit -m 'Sort names'", "Sort names"],
  ['cd shop && git commit -am "Say \\"hello\\" to \\$HOME"', 'Say "hello" to $HOME'],
  ["git commit -m 'Sort names' -m 'They were wrong.'", "Sort names\n\nThey were wrong."],
  ["git commit --message='Sort names'", "Sort names"],
  [`git commit -m "$(cat <<'EOF'\nSort names\n\nThey said "no".\nEOF\n)"`, 'Sort names\n\nThey said "no".'],
  ["git commit -F - <<END\nSort names\nEND", "Sort names"],
])("%s gives its message", (command, message) => {
  expect(commitMessageIn(command)).toBe(message);
});

test.each(["git commit --amend --no-edit", "git log -m 'x'", "echo -m 'git commit'", "git status"])(
  "%s has none",
  (command) => {
    expect(commitMessageIn(command)).toBeUndefined();
  },
);
