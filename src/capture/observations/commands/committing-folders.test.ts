import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { homeOfUser } from "../../../system/home-of-user.ts";
import { committingFolders } from "./committing-folders.ts";

const cwd = "/srv/app";
const home = homeOfUser();

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ["cd ~/shop && git commit -qm x", join(home, "shop")],
  ["cd ~ && git commit -qm x", home],
  ['cd "$HOME/shop" && git commit -qm x', join(home, "shop")],
  [`cd "\${HOME}/shop" && git commit -qm x`, join(home, "shop")],
  ["git -C ~/shop commit -qm x", join(home, "shop")],
  ['cd lib && cd "$PWD/core" && git commit -qm x', "/srv/app/lib/core"],
  ["cd $CLAUDE_PROJECT_DIR/api && git commit -qm x", "/srv/app/api"],
])("%s may commit in %s", (command, folder) => {
  expect([...committingFolders(command, cwd)]).toEqual([folder, cwd]);
});

test.each(["cd '~/shop'", "cd a~/shop", "cd $SHOP"])("%s leads to no folder of the user", (step) => {
  expect([...committingFolders(`${step} && git commit -qm x`, cwd)]).not.toContain(join(home, "shop"));
});

test("a folder on Windows is found by variables of the shell, and as Git Bash writes it", () => {
  const foldersOf = (step: string) => [...committingFolders(`${step} && git commit -qm x`, "C:\\code\\shop")];
  for (const step of ["cd $CLAUDE_PROJECT_DIR/api", 'cd "$PWD/api"'])
    expect(foldersOf(step)).toContainEqual(expect.stringMatching(/C:\/code\/shop\/api$/u));
  vi.stubGlobal("process", Object.setPrototypeOf({ platform: "win32" }, process));
  expect(foldersOf("cd /c/code/other")).toContainEqual(expect.stringMatching(/c:\/code\/other$/u));
});
