import { type Check, findingOf } from "../../governance/diagnostics/check.ts";

/** What people should know of the exchange with peers. */
export const meshChecks: readonly Check[] = [
  {
    category: "mesh",
    name: "peer-error",
    find: (connection) =>
      findingOf(connection, "SELECT id FROM mesh_peers WHERE status = 'error'", [], (count) => ({
        status: "warn",
        message: `${count} peers with which the last exchange failed`,
      })),
  },
  {
    category: "mesh",
    name: "peer-never-synced",
    find: (connection) =>
      findingOf(connection, "SELECT id FROM mesh_peers WHERE last_sync_at IS NULL", [], (count) => ({
        status: "warn",
        message: `${count} peers with which nothing was exchanged yet`,
      })),
  },
];
