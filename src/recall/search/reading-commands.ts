import { idPrefixes, type RecordKind } from "../../store/ids.ts";

/**
 * The commands that show records which a search does not expand, by kind: the record itself where `<id>` is its last
 * word, else the list that contains it.
 */
const readingCommands: Readonly<Partial<Record<RecordKind, string>>> = {
  session: "session show <id>",
  semantic: "fact list --limit 1000",
  procedural: "procedure list --limit 1000",
  relation: "relation list",
  audit: "audit --limit 1000",
  snapshot: "snapshot list",
  insight: "insight list --limit 500",
  crystal: "crystal list --limit 200",
  graphNode: "graph query --start-node-id <id>",
  action: "action show <id>",
  routine: "routine list",
  routineRun: "routine status <id>",
  signal: "signal read <agentId>",
  thread: "signal read <agentId> --thread-id <id>",
  checkpoint: "checkpoint list",
  sentinel: "sentinel list",
  sketch: "sketch list",
  facet: "facet query",
  teamItem: "team feed",
  meshPeer: "mesh peers",
};

const commandsByPrefix = new Map<string, string>(
  Object.entries(idPrefixes).flatMap(([kind, prefix]) => {
    const command = Reflect.get(readingCommands, kind);
    return typeof command === "string" ? [[prefix, command]] : [];
  }),
);

/** Ids without one of these may be names that agents and scripts gave their sessions. */
const kindPrefixes = new Set<string>(Object.values(idPrefixes));

/** The words before the id of the command that shows just this record; undefined if there is none. */
export function ownCommand(id: string): string | undefined {
  return /^([\w ]+) <id>$/u.exec(commandFor(id) ?? "")?.[1];
}

/** A hint: how records that no search expands are read, or that they have to be searched for. */
export function wayToRead(ids: readonly string[]): string {
  const commands = new Set(ids.flatMap((id) => commandFor(id)?.replace("<id>", id) ?? []));
  if (commands.size > 0)
    return `read it with the command of its kind: ${[...commands].map((command) => `memsvc ${command}`).join(", ")}`;
  const search = "search for it: memsvc search <query>";
  const session = ids.find((id) => !kindPrefixes.has(prefixOf(id)));
  return session === undefined ? search : `${search}; or, if it is a session: memsvc session show ${session}`;
}

/** Agents name their sessions so. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

function commandFor(id: string): string | undefined {
  if (uuid.test(id)) return readingCommands.session;
  return commandsByPrefix.get(prefixOf(id));
}

function prefixOf(id: string): string {
  return id.split("_", 1)[0] ?? "";
}
