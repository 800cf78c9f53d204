import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listProjects, moveProject, separateProject } from "../../src/capture/projects/operations.ts";
import { startSession } from "../../src/capture/sessions/operations.ts";
import { forgetProject } from "../../src/governance/deletion/operations.ts";
import { listMemories, remember } from "../../src/knowledge/memories/operations.ts";
import { smartSearch } from "../../src/recall/search/operations.ts";
import { forEachTest } from "../support/for-each-test.ts";
import { openTestHttp } from "../support/http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const http = forEachTest(openTestHttp);

/** A repository, and one more working tree of it as `git worktree add` makes it. */
function repository(): { readonly main: string; readonly copy: string } {
  const folder = temporaryFolder();
  const [main, copy] = [join(folder, "shop"), join(folder, "shop-fix")];
  const ofCopy = join(main, ".git", "worktrees", "shop-fix");
  mkdirSync(ofCopy, { recursive: true });
  mkdirSync(copy);
  writeFileSync(join(copy, ".git"), `gitdir: ${ofCopy}\n`);
  return { main, copy };
}

async function contentsOf(project: string): Promise<string[]> {
  const { body } = await http.reply(listMemories, { project });
  return (body.memories as { content: string }[]).map(({ content }) => content).sort();
}

describe("the folder of one more working tree of a repository", () => {
  test("stands for the project of the main one, whichever a request names", async () => {
    const { main, copy } = repository();
    await http.ok(remember, { content: "Carts expire after a day", project: copy });
    await http.ok(remember, { content: "Prices are kept in cents", project: main });
    const both = ["Carts expire after a day", "Prices are kept in cents"];
    for (const project of [main, copy, "shop", "shop-fix"]) expect(await contentsOf(project)).toEqual(both);
    const start = { sessionId: "s", project: "shop", cwd: main };
    expect((await http.ok(startSession, start)).context).toContain("Carts expire after a day");
    const { results } = await http.ok(smartSearch, { query: "carts expire", project: main });
    expect(results).toHaveLength(1);
    expect((await http.ok(listProjects, {})).projects.map(({ project }) => project)).toEqual([main]);
  });

  test("does not take a repository inside of it along", async () => {
    const { main, copy } = repository();
    const own = join(copy, "vendor");
    await http.ok(remember, { content: "Carts expire after a day", project: main });
    mkdirSync(join(own, ".git"), { recursive: true });
    await http.ok(remember, { content: "The vendor pins versions", project: own });
    expect(await contentsOf(main)).toEqual(["Carts expire after a day"]);
    expect(await contentsOf(own)).toEqual(["The vendor pins versions"]);
  });

  test("is never forgotten, moved or separated in place of the main one", async () => {
    const { main, copy } = repository();
    await http.ok(remember, { content: "Carts expire after a day", project: copy });
    for (const [operation, input] of [
      [forgetProject, { project: copy }],
      [moveProject, { from: copy, to: `${copy}-2` }],
      [separateProject, { folder: copy }],
    ] as const) {
      expect((await http.reply(operation, input)).status).toBe(404);
    }
    expect(await contentsOf(main)).toEqual(["Carts expire after a day"]);
  });
});
