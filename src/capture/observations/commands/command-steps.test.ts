import { expect, test } from "vitest";
import { processorTimer } from "../../../../test/support/processor-time.ts";
import { commandParts } from "./command-steps.ts";

test.each<[string, string[]]>([
  ["npm test", ["npm test"]],
  [
    "cd a && npm test | tail -5; echo done || true",
    ["cd a ", " npm test ", " tail -5", " echo done ", " true"],
  ],
  ['grep -E "^(not ok|# (pass|fail))" a; ls', ['grep -E "^(not ok|# (pass|fail))" a', " ls"]],
  ["sed -i 's/class Store/class X/; s/a/b/' x.js", ["sed -i 's/class Store/class X/; s/a/b/' x.js"]],
  ['echo "it\'s \\"so\\" | fine" | wc', ['echo "it\'s \\"so\\" | fine" ', " wc"]],
  ["find . -exec rm {} \\; -print", ["find . -exec rm {} \\; -print"]],
  ['node -e "a(); b()', ['node -e "a(); b()']],
  ["# what's there | now\nls; ls", ["# what's there | now", "ls", " ls"]],
  ["ls # don't; |\nnpm test", ["ls # don't; |", "npm test"]],
  ["curl a#b;c $#;d", ["curl a#b", "c $#", "d"]],
  ["a\nb", ["a", "b"]],
  ["", [""]],
])("splits %j into %j", (command, parts) => {
  expect(commandParts(command).map(({ text }) => text)).toEqual(parts);
  expect(
    commandParts(command)
      .map(({ after, text }) => after + text)
      .join(""),
  ).toBe(command);
});

test("a text that is written into a command is no command; one without an end may be a shift", () => {
  const written = "cat <<-'A' > a; ls\n\tit's; one\n A\nnpm test; echo $((1 << 2)); x<<y\nz";
  expect(commandParts(written).map(({ text }) => text.trim())).toEqual([
    "cat <<-'A' > a",
    "ls",
    "npm test",
    "echo $((1 << 2))",
    "x<<y",
    "z",
  ]);
});

test.each<[string, string[]]>([
  ["cat > a.sh <<'EOF' && ls\nnpm test; rm b\nEOF\nnpm i", ["cat > a.sh <<'EOF' ", " ls", "npm i"]],
  ['git commit -m "$(cat <<EOF\nSay "no"; rm b\n\nEOF\n)" && ls', ['git commit -m "$(cat <<EOF\n)" ', " ls"]],
  [`cat > a <<-"E"\n${"rm b\n".repeat(500)}E\nls`, ['cat > a <<-"E"', "ls"]],
  ["cat <<A\n\tA\nls", ["cat <<A", "ls"]],
  ["cat <<<EOF\nrm b\nEOF", ["cat <<<EOF", "rm b", "EOF"]],
])("takes no text that is written into %j for commands", (command, parts) => {
  expect(commandParts(command).map(({ text }) => text)).toEqual(parts);
});

test("stays fast on lines of many quotes, comments and backslashes", () => {
  const spent = processorTimer();
  for (const piece of ['"', " #", "'", "\\", '"\\', "'\"", "|'", "<<a ", "<<a\n"])
    commandParts(piece.repeat(100_000));
  expect(spent()).toBeLessThan(1_000);
});
