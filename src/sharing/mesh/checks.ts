import { type Check, findingOf } from "../../governance/diagnostics/check.ts";

/** What people should know of the exchange with peers. */
export const meshChecks: readonly Check[] = [
  {
    category: "mesh",
    name: "peer-error",
    hint: "try again, and see why: memsvc mesh sync <id>",
    find: (connection) =>
      findingOf(connection, "SELECT id FROM mesh_peers WHERE status = 'error'", [], (count) => ({
        status: "warn",
        message: `${count} with which the last exchange failed`,
      })),
  },
  {
    category: "mesh",
    name: "peer-never-synced",
    hint: "begin: memsvc mesh sync <id>",
    find: (connection) =>
      findingOf(connection, "SELECT id FROM mesh_peers WHERE last_sync_at IS NULL", [], (count) => ({
        status: "warn",
        message: `${count} with which nothing was exchanged yet`,
      })),
  },
];
