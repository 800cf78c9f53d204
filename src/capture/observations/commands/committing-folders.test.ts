import { join } from "node:path";
import { expect, test } from "vitest";
import { homeOfUser } from "../../../system/home-of-user.ts";
import { committingFolders } from "./committing-folders.ts";

const cwd = "/srv/app";
const home = homeOfUser();

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
