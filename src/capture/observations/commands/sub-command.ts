/** Options before the sub-command that take the next word as their value, by program. */
const takingTheNextWord: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    git: "-C -c --git-dir --work-tree --namespace",
    npm: "-C --prefix -w --workspace",
    pnpm: "-C --dir -F --filter",
    yarn: "--cwd",
    bun: "--cwd --filter",
    cargo: "-C --config --manifest-path",
    go: "-C",
    uv: "--directory --project",
    poetry: "-C --directory -P --project",
    make: "-C --directory -f --file",
    docker: "-c --context -H --host",
    kubectl: "-n --namespace --context --kubeconfig",
    helm: "-n --namespace --kube-context",
    gh: "-R --repo",
    terraform: "",
    mvn: "-f --file -pl --projects -s --settings",
    mvnw: "-f --file -pl --projects -s --settings",
    gradle: "-p --project-dir",
    gradlew: "-p --project-dir",
  }).map(([program, options]) => [program, new Set(options.split(" "))]),
);

/** The sub-commands in a table of programs, each with its program: `git status`. */
export function subCommandsOf(table: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(
    Object.entries(table).flatMap(([program, names]) => names.split(" ").map((name) => `${program} ${name}`)),
  );
}

/** Sub-commands that only run what is named next, such as a script. */
const running = subCommandsOf({
  npm: "run run-script exec",
  pnpm: "run exec dlx",
  yarn: "run exec dlx",
  bun: "run x",
  deno: "task",
  composer: "run run-script exec",
  bundle: "exec",
  poetry: "run",
  uv: "run",
  pdm: "run",
});
const word = /^[a-z][\w:-]*$/i;

/**
 * The sub-command among the words after a program, if there is one, with the script that it runs (`run build`). Options
 * are skipped only for programs above: elsewhere the value of an option might be taken for the sub-command.
 */
export function subCommandIn(program: string, words: readonly string[]): string | undefined {
  const options = takingTheNextWord.get(program);
  let at = 0;
  if (options !== undefined) while (/^[-+]/.test(words[at] ?? "")) at += options.has(words[at] ?? "") ? 2 : 1;
  const [first = "", next = ""] = words.slice(at);
  if (!word.test(first)) return undefined;
  return running.has(`${program} ${first}`) && word.test(next) ? `${first} ${next}` : first;
}
