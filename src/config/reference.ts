import { agentmemoryNames } from "./agentmemory-names.ts";
import { type SettingDefinition, type SettingGroup, settingGroups } from "./setting.ts";
import { needsRestart, settingsTable } from "./settings-table.ts";
import { valueFormats } from "./value-formats.ts";

const introduction = `# Settings

Each setting is looked for in four places, and the first that has it wins:

1. a flag of the command line, where the setting has one
2. the environment
3. the config file, \`.env\` in the home folder
4. the default

\`memsvc config list\` shows every value and where it came from, \`memsvc config get\` one of them,
\`memsvc config set\` writes one into the config file, \`memsvc config unset\` takes it out again, and
\`memsvc config path\` says where that file is.

## Home folder

Everything that memsvc keeps lies in one folder: \`--home <dir>\`, else \`MEMSVC_HOME\`, else \`~/.memsvc\`.
\`MEMSVC_HOME\` is an absolute path (\`~/\` in front is understood) and is read from the environment only.

| Path in it | Content |
|---|---|
| \`.env\` | the config file |
| \`memsvc.db\`, \`memsvc.db-wal\`, \`memsvc.db-shm\` | the database: rows, index, vectors, jobs |
| \`memsvc.lock\` | process id, port and address of the running daemon, when it started, and the folder's number |
| \`memsvc.start.json\` | the flags that it was started with, for the next start, until it is stopped |
| \`memsvc.stop\` | on Windows, where there are no signals, for a second: asks the daemon to stop |
| \`memsvc.unanswered\` | the address of a daemon that let a hook wait in vain, which for a minute is not asked, or until it goes on |
| \`vectors.cache\` | a copy of the vectors, for a faster start; may be deleted at any time |
| \`models/<name>/\` | local embedding models |
| \`images/\` | image files |
| \`snapshots/\` | snapshots and their manifests |
| \`connections/\` | agents' settings as they were before \`memsvc connect\`, for \`memsvc disconnect\` |
| \`vault/\` | place of vault folders that are given as relative paths |
| \`logs/memsvc.log\` | the log, 5 files of 10 MiB |

Folders have mode 0700, files 0600.

## Config file

One \`KEY=VALUE\` per line, in UTF-8. Blank lines and lines that begin with \`#\` do not count, nor does \`export \` in
front of a name. A value may stand in single quotes, or in double quotes in which \`\\n\`, \`\\r\`, \`\\"\` and \`\\\\\` mean
a line feed, a carriage return, a quote and a backslash. Without quotes it ends at a \`#\` that follows a blank.
Variables are not expanded. Of a name that is there twice, the last one counts.

An empty value is no value. Booleans are true only as \`true\`, where their row says nothing else. Lists have commas
between their items. A value that does not parse or is out of range is an error (exit code 2) that names the setting
and the place it came from, and so is a file that is not UTF-8. A vendor's key that no header can carry counts as
unset. Names that begin with \`MEMSVC_\` and are not in this list give one line in the log. The daemon reads its
settings once, when it starts.
`;

const groupNotes: Readonly<Partial<Record<SettingGroup, string>>> = {
  sharing: "Relative folders of vaults lie in `vault/` of the home folder.",
  llm:
    "The first of openai, minimax, anthropic, gemini and openrouter that has its key is used; openai also when only " +
    "its base URL is set. A key that is `changeme` or begins with `your-` or `your_` counts as unset. Search, " +
    "context, capture and remember never call a language model.",
  embedding:
    "A vendor's key alone never sends text out: MEMSVC_EMBEDDING_PROVIDER has to name the vendor. The vendors' keys " +
    "are those of the language models, and the two below.",
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
      : ["Read by each command and hook as it starts, and by the stdio shim when its agent starts it.\n"]),
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
    "Hooks and plugins that were written for agentmemory work with `MEMSVC_PREFIX_ALIASES=/agentmemory` here, and",
    "with their own `AGENTMEMORY_URL` and `AGENTMEMORY_SECRET` pointing to this server. Its config file is not read;",
    "these settings do the same under another name, and all others that both programs have keep theirs.\n",
    "| There | Here |",
    "|---|---|",
    ...Object.entries(agentmemoryNames).map(([theirs, ours]) => `| \`${theirs}\` | \`${ours}\` |`),
    "",
    "`OBSIDIAN_AUTO_EXPORT` is a switch there; here the setting is the folder to write to.",
    "",
  ].join("\n");
}
