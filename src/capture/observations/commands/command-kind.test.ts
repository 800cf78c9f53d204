import { expect, test } from "vitest";
import { processorTimer } from "../../../../test/support/processor-time.ts";
import { commandKind, isMilestoneCommand, onlyObserves, withoutPlumbing } from "./command-kind.ts";

test.each([
  ["npm test", "npm test"],
  ["npm run build -- --watch", "npm run build"],
  ["npm run", "npm run"],
  ["poetry run pytest -q", "poetry run pytest"],
  ["cargo run fast", "cargo run"],
  ["git add -A && git commit -m x", "git commit"],
  ["git add src", "git add"],
  ["git commit -m 'x y'", "git commit"],
  ["git -C other status", "git status"],
  ["git --no-pager -c color.ui=never log -3", "git log"],
  ["git --git-dir=other/.git fetch", "git fetch"],
  ["git -C other", "git"],
  ["git --version", "git"],
  ["pnpm --filter web test", "pnpm test"],
  ["npm --prefix web --silent test", "npm test"],
  ["cargo +nightly build", "cargo build"],
  ["make -C web check", "make check"],
  ["kubectl -n prod get pods", "kubectl get"],
  ["python3 -m pytest", "pytest"],
  ["CI=1 python3.12 -u -m pip install -e .", "pip install"],
  [".venv/bin/python -m pytest tests/unit", "pytest"],
  ["python3 -m", "python3"],
  ["python3 -c 'import x' -m", "python3"],
  ["./mvnw -q -pl core test", "mvnw test"],
  [". venv/bin/activate && set -e && pytest -q", "pytest"],
  ["(cd web && npm test)", "npm test"],
  ["scp -i key file host", "scp"],
  ["CI=1 npx vitest run src", "vitest run"],
  ["timeout 60 npm test", "npm test"],
  ["timeout -k 5 --foreground 5m pytest -q", "pytest"],
  ["sudo -u postgres -E psql -l", "psql"],
  ["env -u CI A='b c' make check", "make check"],
  ["xargs -0 -n 1 git add", "git add"],
  ['GIT_AUTHOR_DATE="2025-01-31 10:00" git commit -m x', "git commit"],
  [".\\gradlew.bat test", "gradlew test"],
  ["cd packages/a && npm test", "npm test"],
  ["cd packages/a", "cd"],
  ["pytest tests/unit", "pytest"],
  ["./scripts/deploy.sh", "deploy"],
  ["cat package", "cat"],
  ["/usr/bin/git push origin main", "git push"],
  ["   ", undefined],
])("the kind of the command %j is %j", (command, kind) => {
  expect(commandKind(command)).toBe(kind);
});

test.each([
  ["mix test 2>&1 | tail -5", "mix test"],
  ["npm run build > /dev/null 2>&1", "npm run build"],
  ["npm test 2>/dev/null | head --lines=20", "npm test"],
  ["git add -A && git commit -m \"$(cat <<'EOF'", "git add -A && git commit"],
  ["psql <<SQL", "psql"],
  ["ls | grep x | tail -3", "ls | grep x"],
  ['npm test | grep -E "^(not ok|# (pass|fail))"', "npm test"],
  ['cd a && npm test 2>&1 | grep "a | b" | sort | uniq -c && git push', "cd a && npm test && git push"],
  ["npm test | tee log | wc -l", "npm test | tee log"],
  ["for i in 1 2; do npm test | grep ok; done; true", "for i in 1 2; do npm test; done; true"],
  ["  npm test | grep ok\nnpm run build", "npm test\nnpm run build"],
  ["cat log | grep test | sort", "cat log | grep test | sort"],
  ["tail -5", "tail -5"],
  ["sort < in > out", "sort < in > out"],
])("%j without redirections and output filters is %j", (line, plain) => {
  expect(withoutPlumbing(line)).toBe(plain);
});

test("stays fast on lines of many flags or blanks", () => {
  const lines = [
    `ls | tail${" -111".repeat(400)} x`,
    `ls${" ".repeat(40_000)}x`,
    `ls ${"-a=".repeat(10_000)}`,
  ];
  const spent = processorTimer();
  for (const line of lines) expect(withoutPlumbing(line)).toBe(line);
  for (const part of ["a=b", "-k ", "-k 5 "]) commandKind(`timeout ${part.repeat(400)}`);
  commandKind(`x=${"y".repeat(1_900)}`);
  expect(spent()).toBeLessThan(1_000);
});

test.each([
  ["ls -la src; tail -30 /tmp/x.output", true],
  ["cd a && cat b | grep c", true],
  ["cd a && npm test", false],
  ["git status && git -C api --no-pager log -3 | head", true],
  ["docker ps; kubectl get pods", true],
  ["git stash", false],
  ["git diff && git commit -am x", false],
])("the command %j only observes: %j", (command, isOnly) => {
  expect(onlyObserves(command)).toBe(isOnly);
});

test.each([
  ["mix ecto.migrate", true],
  ["mix deps.compile ash", true],
  ["mix compile --force", true],
  ["mvn -q compile", true],
  ["node notes.test.md", false],
  ['git log --grep "a; npm test"', false],
  ["# What's new?\nnpm test", true],
  ["ls # npm test; npm test", false],
  ["mix phx.server", false],
  ["bash -lc 'cd web && npm test'", true],
  ['sh -c "ls -la build"', false],
])("the command %j is a milestone: %j", (command, isMilestone) => {
  expect(isMilestoneCommand(command)).toBe(isMilestone);
});

test.each([
  "python3 -m unittest discover -s tests",
  "php vendor/bin/phpunit tests",
  "cargo nextest run",
  "gcc -Wall -o ring src/ring.c",
  "javac -d target/classes src/Main.java",
])("%j is a build or test command", (command) => {
  expect(isMilestoneCommand(command)).toBe(true);
});
