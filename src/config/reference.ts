import { agentmemoryNames } from "./agentmemory-names.ts";
import { type SettingDefinition, type SettingGroup, settingGroups } from "./setting.ts";
import { needsRestart, settingsTable } from "./settings-table.ts";
import { valueFormats } from "./value-formats.ts";

const introduction = `# Settings

Each setting is looked up in four places. The first one that has it wins:

1. a command-line flag, if the setting has one
2. the environment
3. the config file, \`.env\` in the home folder
4. the default

\`memsvc config list\` shows every value and where it came from, \`memsvc config get\` prints one value,
\`memsvc config set\` writes one into the config file, \`memsvc config unset\` removes it from there, and
\`memsvc config path\` prints the path of that file.

## Home folder

Everything that memsvc stores is in one folder: \`--home <dir>\`, else \`MEMSVC_HOME\`, else \`~/.memsvc\`.
\`MEMSVC_HOME\` is an absolute path or begins with \`~/\`, and is read from the environment only.

| Path in it | Content |
|---|---|
| \`.env\` | the config file |
| \`memsvc.db\`, \`memsvc.db-wal\`, \`memsvc.db-shm\` | the database: rows, index, vectors, jobs |
| \`memsvc.lock\` | process id, port and address of the running daemon, its start time, and the folder's inode number |
| \`memsvc.start.json\` | the flags that the daemon was started with, for the next start; removed when it is stopped |
| \`memsvc.stop\` | on Windows, which has no signals: asks the daemon to stop; exists for a second |
| \`memsvc.unanswered\` | the address of a daemon that did not answer a hook; hooks do not ask it for a minute, or until it responds |
| \`vectors.cache\` | a copy of the vectors, for a faster start; may be deleted at any time |
| \`models/<name>/\` | local embedding models |
| \`images/\` | image files |
| \`snapshots/\` | snapshots and their manifests |
| \`connections/\` | agents' settings as they were before \`memsvc connect\`, for \`memsvc disconnect\` |
| \`vault/\` | vault folders that are given as relative paths |
| \`logs/memsvc.log\` | the log, 5 files of 10 MiB |

Folders have mode 0700, files 0600.

## Config file

One \`KEY=VALUE\` per line, in UTF-8. Blank lines and lines that begin with \`#\` are ignored, and so is \`export \` in
front of a name. A value can be in single quotes, or in double quotes in which \`\\n\`, \`\\r\`, \`\\"\` and \`\\\\\` mean
a line feed, a carriage return, a quote and a backslash. Without quotes, it ends at a \`#\` that follows a blank.
Variables are not expanded. If a name occurs twice, the last value counts.

An empty value counts as unset. Booleans are true only as \`true\`, unless their row says otherwise. List items are
separated by commas. A value that does not parse or is out of range is an error (exit code 2) that names the setting
and where it came from; so is a file that is not UTF-8. A vendor's key that cannot be sent in a header counts as
unset. Names that begin with \`MEMSVC_\` and are not in this list are reported once in the log. The daemon reads its
settings once, when it starts.
`;

const groupNotes: Readonly<Partial<Record<SettingGroup, string>>> = {
  sharing: "Relative paths of vaults start from `vault/` in the memsvc home.",
  llm:
    "The first of openai, minimax, anthropic, gemini and openrouter whose key is set is used; for openai, the base " +
    "URL is enough. A key that is `changeme` or begins with `your-` or `your_` counts as unset. Search, " +
    "context, capture and remember never call a language model.",
  embedding:
    "No text is sent to a vendor unless MEMSVC_EMBEDDING_PROVIDER names it, even if its key is set. The keys are those " +
    "of the language models, and the two below.",
};

/** The Markdown text of `docs/config.md`: one section per group, one anchor per setting (its name in lower case). */
export function settingsReference(): string {
  const sections = Object.entries(settingGroups).map(([group, title]) => groupSection(group, title));
  return [introduction, ...sections, agentmemorySection()].join("\n");
}

function groupSection(group: string, title: string): string {
  const definitions: SettingDefinition[] = settingsTable.filter((definition) => definition.group === group);
  const note = Object.entries(groupNotes).find(([noted]) => noted === group)?.[1];
  return [
    `## ${title}\n`,
    ...(note === undefined ? [] : [`${note}\n`]),
    ...(definitions.every(needsRestart)
      ? []
      : ["Read by each command and hook, and by the stdio shim, when it starts.\n"]),
    "| Setting | Default | Values | Meaning |",
    "|---|---|---|---|",
    ...definitions.map(settingRow),
    "",
  ].join("\n");
}

function settingRow(definition: SettingDefinition): string {
  const anchor = `<a id="${definition.name.toLowerCase()}"></a>`;
  const flag = definition.flag === undefined ? "" : ` (flag \`${definition.flag}\`)`;
  const cells = [
    `${anchor}\`${definition.name}\``,
    defaultCell(definition),
    valuesCell(definition),
    `${definition.description}${flag}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function defaultCell(definition: SettingDefinition): string {
  const value = definition.default;
  if (value === undefined) return definition.defaultText ?? "unset";
  if (typeof value === "object") return value.length === 0 ? "empty" : `\`${value.join(",")}\``;
  return `\`${value}\``;
}

function valuesCell(definition: SettingDefinition): string {
  switch (definition.kind) {
    case "secret":
      return "secret, never shown";
    case "string":
      return definition.format === undefined ? "text" : valueFormats[definition.format].wanted;
    case "boolean":
      if (definition.unlessFalse) return "`false`; anything else is `true`";
      return definition.alsoTrue === undefined
        ? "`true`, `false`"
        : `\`true\`, \`${definition.alsoTrue}\`, \`false\``;
    case "integer":
      return `whole number, ${definition.min} to ${definition.max}`;
    case "number":
      return `number, ${definition.min} to ${definition.max}`;
    case "enum":
      return definition.values.map(code).join(", ");
    case "list":
      if (definition.values) return `list of ${definition.values.map(code).join(", ")}`;
      return definition.format === undefined
        ? "list"
        : `list; each item ${valueFormats[definition.format].wanted}`;
  }
}

function code(text: string): string {
  return `\`${text}\``;
}

function agentmemorySection(): string {
  return [
    "## Coming from agentmemory\n",
    "Hooks and plugins written for agentmemory work with this server if you set `MEMSVC_PREFIX_ALIASES=/agentmemory`",
    "here, and point their `AGENTMEMORY_URL` and `AGENTMEMORY_SECRET` to it. The config file of agentmemory is not",
    "read. These settings have another name here; all others that both programs have keep their names.\n",
    "| agentmemory | memsvc |",
    "|---|---|",
    ...Object.entries(agentmemoryNames).map(([theirs, ours]) => `| \`${theirs}\` | \`${ours}\` |`),
    "",
    "`OBSIDIAN_AUTO_EXPORT` is a switch; `MEMSVC_VAULT_AUTO_EXPORT` is the folder to write to.\n",
    "To move what agentmemory has stored, export it while agentmemory runs, and import the file:\n",
    "```sh",
    "curl http://localhost:3111/agentmemory/export > agentmemory.json",
    "memsvc import agentmemory.json",
    "```\n",
    'If its secret is set, curl needs `-H "Authorization: Bearer $AGENTMEMORY_SECRET"`. A store too large for one of its',
    "exports is moved in parts, each with an import: `export?maxSessions=100`, `export?maxSessions=100&offset=100`, and",
    "so on, until an export has no sessions. Memories fade here, so old ones may be deleted by the next sweep; the import",
    "warns of them, and `MEMSVC_RETENTION_THRESHOLD=0`, set before the daemon starts, keeps them.",
    "",
  ].join("\n");
}
