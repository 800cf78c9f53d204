import type { Embeddings } from "../../embedding/embeddings.ts";
import type { Ground } from "../../ground.ts";
import { countOutdated, enqueueReindex } from "../../index/documents/reindex.ts";
import { countStale, requeueGivenUp, requeueStale, selectGivenUp } from "../../index/vectors/vectors.ts";
import { type Check, findingOf } from "./check.ts";

/** Checks of the search index as a whole. */
export function indexChecks(ground: Ground, embeddings: Embeddings): Check[] {
  return [
    {
      category: "index",
      name: "stale-vectors",
      find: async ({ sql }) => {
        const { model } = embeddings;
        const count = model === undefined ? 0 : await countStale(sql, model.fingerprint);
        if (count === 0) return undefined;
        const message = `${count} records have vectors of another model, which no search looks at`;
        return { status: "warn", message, count };
      },
      heal: async (tx) => {
        const { model } = embeddings;
        const fixed = model === undefined ? 0 : await requeueStale(tx.sql, model.fingerprint);
        return { fixed, details: [`${fixed} records get new vectors in the background`] };
      },
    },
    {
      category: "index",
      name: "missing-vectors",
      find: async (connection) =>
        embeddings.model === undefined
          ? undefined
          : findingOf(connection, selectGivenUp, [], (count) => ({
              status: "warn",
              message: `no vectors for ${count} records, which are found only by words: the model rejected them, or it knows none of their words and another model is needed`,
            })),
      heal: async (tx) => {
        const fixed = embeddings.model === undefined ? 0 : await requeueGivenUp(tx.sql);
        return { fixed, details: [`${fixed} records are tried again in the background`] };
      },
    },
    {
      category: "index",
      name: "outdated-words",
      find: async ({ sql }) => {
        const count = await countOutdated(sql);
        if (count === 0) return undefined;
        const message = `${count} records were indexed by an older version, and some searches may miss them`;
        return { status: "warn", message, count };
      },
      heal: async (tx) => {
        const count = await countOutdated(tx.sql);
        await enqueueReindex(tx, ground);
        return { fixed: count, details: [`${count} records are being reindexed in the background`] };
      },
    },
  ];
}
