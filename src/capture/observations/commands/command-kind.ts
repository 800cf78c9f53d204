import { commandParts, joinedParts } from "./command-steps.ts";
import { subCommandIn, subCommandsOf } from "./sub-command.ts";

/**
 * Programs that only look at something or do minor file work, whatever follows them (`grep test`, `ls
 * build`).
 */
const observers = new Set(
  "cat ls grep egrep rg ag find fd head tail less more cd pwd echo printf which type wc sed awk sort uniq cut tr tree stat file du df rm cp mv mkdir touch chmod test [ true man history diff".split(
    " ",
  ),
);
/** Sub-commands that only look at something, of programs that also do other things. */
const observing = subCommandsOf({
  git: "status diff log show blame grep ls-files ls-tree rev-parse shortlog describe reflog",
  npm: "ls list view outdated",
  docker: "ps logs images inspect stats",
  kubectl: "get describe logs top",
});
/** Steps that are not the point of a command. */
const preparations = new Set(["cd", "git add", "source", ".", "export", "set", "conda activate"]);
const handingOn = new Set(["git push", "git fetch", "gh pr", "glab mr"]);
/** A quoted text belongs to its word, and may contain blanks. A line that ends with a backslash goes on. */
const word = /(?:[^\s"'\\]|\\[^\r\n]|"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?)+/g;
const shell = /^(?:ba|z|da|k)?sh$/;
/**
 * What stands before the actual program: signs and keywords of a shell, variables, and programs that only run another
 * one, with their options. Without ambiguity, so matching is linear.
 */
const beforeProgram =
  /^(?:[({!]\s*|(?:if|elif|then|else|while|until|do|\w+=(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])*|time|nohup|(?:\S*[\\/])?py(?:thon)?[\d.]*(?:\.exe)?(?:\s+-[a-zA-Z]+)*?\s+-m|npx|bunx|pnpx|uvx|exec|command|sudo(?:\s+-[ughpC]\s+[^\s-]\S*|\s+-\S+)*|env(?:\s+-u\s+[^\s-]\S*|\s+-\S+)*|nice(?:\s+-n\s+[^\s-]\S*|\s+-\S+)*|xargs(?:\s+-[IndLPs]\s+[^\s-]\S*|\s+-\S+)*|g?timeout(?:\s+-[ks]\s+[^\s-]\S*|\s+-\S+)*\s+\d\S*)\s+)(?=\S)/;
const builders = new Set(
  "make gmake tsc pytest vitest jest mocha ava tox nox gradle gradlew mvn mvnw ctest cmake meson ninja bazel webpack rollup esbuild tsdown tsup phpunit rspec flyway alembic liquibase xcodebuild msbuild unittest nextest bats prove gcc g++ clang clang++ javac rustc".split(
    " ",
  ),
);
const packageManagers = new Set(
  "npm pnpm yarn bun pip pip3 uv poetry cargo gem bundle go composer".split(" "),
);
const packageVerbs = new Set("i ci add get sync publish".split(" "));
const deployments = new Set([
  "kubectl apply",
  "terraform apply",
  "docker push",
  "helm upgrade",
  "helm install",
]);
const milestoneWord =
  /(?:^|[.:_-])(?:build|compile|test|install|deploy|migrate|migration|commit)s?(?:$|[:_-])/i;
/**
 * Redirections and cuts of output. White space is bounded and nothing is ambiguous, so matching is linear.
 */
const redirection = /\s{1,8}[12&]?>>?\s{0,8}(?:&[12]|\/dev\/null)/g;
const outputCut =
  /\s{0,8}\|\s{0,8}(?:head|tail|cat)(?:\s{1,8}-[\w-]{0,60}(?:[\s=]{1,8}\d{1,20})?){0,8}\s{0,8}$/;
/** A text written into the command (heredoc), such as a commit message. */
const hereText = /\s{1,8}(?:-{1,2}\w{1,60}[\s=]{1,8})?["']?(?:\$\(cat\s{0,8})?<<.*$/;

/** Whether the command builds, tests, installs, deploys, migrates or commits. */
export function isMilestoneCommand(command: string): boolean {
  return commandParts(command).some(({ text }) => isMilestoneStep(text));
}

/** A command line without what only concerns its output, so that equal work gives equal text. */
export function withoutPlumbing(line: string): string {
  const written = line.replace(hereText, "").replace(redirection, "").replace(outputCut, "");
  const plain = withoutFilters(written).trim();
  return plain === "" ? line.trim() : plain;
}

/**
 * Drops filters after milestone commands: `npm test | grep fail` becomes `npm test`. In a pipe of mere
 * observers the filter is the point, so it stays.
 */
function withoutFilters(line: string): string {
  let isMilestone = false;
  const parts = commandParts(line);
  const kept = parts.filter(({ after, text }) => {
    if (after !== "|") isMilestone = isMilestoneStep(text);
    return after !== "|" || !isMilestone || !onlyObserves(text);
  });
  return kept.length === parts.length ? line : joinedParts(kept);
}

/** The programs of a command that only look at something. */
export function observersIn(command: string): string[] {
  return programsOf(command).filter((program) => observers.has(program));
}

/** Whether a command only looks at something. */
export function onlyObserves(command: string): boolean {
  return commandKinds(command).every(isObserving);
}

/** Whether a command only shows files, lists, histories or logs, which may quote anything; `$?` is no quotation. */
export function onlyShows(command: string): boolean {
  return command.trim() !== "" && !command.includes("$?") && onlyObserves(command);
}

/** `docker logs`, `tail build.txt`: what another command printed. But `git log` shows titles of commits. */
const ofRun = /(?:\b|[._-])(?:logs?|out(?:put)?|err|stderr|txt|tmp|results?)\b/i;
const gitLog = /\bgit\s[^|;&\n]{0,60}?\blog\b/g;

/** Whether a command only shows text that tells nothing about how something ran, such as source. */
export function onlyShowsSource(command: string): boolean {
  return onlyShows(command) && !ofRun.test(command.replace(gitLog, ""));
}

/** Whether a command at most looks at something, or hands on what was done before. */
export function onlyHandsOn(command: string): boolean {
  return commandKinds(command).every((kind) => isObserving(kind) || handingOn.has(kind));
}

function isObserving(kind: string): boolean {
  return observers.has(kind) || observing.has(kind);
}

/** The programs that a command runs. */
export function programsOf(command: string): string[] {
  return commandParts(command)
    .map(({ text }) => programName(ownWords(text)[0] ?? ""))
    .filter((program) => program !== "");
}

/** The kind of a command: its program and first sub-command (`npm test`, `git commit`, `pytest`). */
export function commandKind(command: string): string | undefined {
  const kinds = commandKinds(command);
  return kinds.find((kind) => !preparations.has(kind)) ?? kinds[0];
}

/** The kind of each step of a command. */
export function commandKinds(command: string): string[] {
  return commandParts(command)
    .flatMap(({ text }) => {
      const script = scriptIn(text);
      return script === undefined ? stepKind(text) : commandKinds(script);
    })
    .filter((kind) => kind !== "");
}

/** The command that a step has another shell run: `bash -lc "…"`. */
function scriptIn(step: string): string | undefined {
  const [program = "", option = "", script = ""] = ownWords(step);
  if (!shell.test(programName(program)) || !/^-\w*c$/.test(option)) return undefined;
  return /^(["'])([\s\S]*)\1$/.exec(script)?.[2]?.replace(/\\(["$`\\])/g, "$1");
}

function stepKind(step: string): string {
  const words = ownWords(step);
  const program = programName(words[0] ?? "");
  const subCommand = observers.has(program) ? undefined : subCommandIn(program, words.slice(1));
  return subCommand === undefined ? program : `${program} ${subCommand}`;
}

/** The words of a step, without what stands before its program. */
function ownWords(step: string): readonly string[] {
  let rest = step.trim();
  for (let found = beforeProgram.exec(rest); found !== null; found = beforeProgram.exec(rest))
    rest = rest.slice(found[0].length);
  // The parenthesis that ends a subshell opened before this step.
  return (rest.includes("(") ? rest : rest.replace(/\)$/, "")).match(word) ?? [];
}

function isMilestoneStep(step: string): boolean {
  const script = scriptIn(step);
  if (script !== undefined) return isMilestoneCommand(script);
  const words = ownWords(step);
  const program = programName(words[0] ?? "");
  if (program === "" || observers.has(program)) return false;
  const first = words[1] ?? "";
  if (builders.has(program) || milestoneWord.test(program)) return true;
  if (packageManagers.has(program) && packageVerbs.has(first)) return true;
  if (deployments.has(`${program} ${first}`)) return true;
  return words
    .slice(1, 4)
    .some((word) => milestoneWord.test(word.replace(/^-+/, "")) || builders.has(programName(word)));
}

function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  return name.replace(/\.(?:sh|bash|py|js|mjs|ts|exe|cmd|bat|ps1)$/i, "").toLowerCase();
}
