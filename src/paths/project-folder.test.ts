import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedFolder } from "../../test/support/temporary-folder.ts";
import { linkTo, projectFolderOf, projectNameOf } from "./project-folder.ts";
import { repositoryTop } from "./repository-top.ts";

const root = sharedFolder();
beforeAll(() => {
  mkdirSync(join(root, "shop", ".git", "worktrees", "fix"), { recursive: true });
});

function folderIn(tree: string, dotGit?: string): string {
  const folder = join(root, tree, "src");
  mkdirSync(folder, { recursive: true });
  if (dotGit !== undefined) writeFileSync(join(root, tree, ".git"), `${dotGit}\n`);
  return folder;
}

test("a project is named after its repository's top folder, or else its own folder", () => {
  expect(projectNameOf(folderIn("shop"))).toBe("shop");
  expect(projectNameOf(folderIn("notes"))).toBe("src");
});

test("a project has the same name, however the path of its folder is written", () => {
  folderIn("shop");
  for (const way of ["shop/", "shop/src/..", "shop//src"])
    expect(projectNameOf(`${root}/${way}`), way).toBe("shop");
});

test("a linked worktree belongs to the project of the main one, wherever the two lie", () => {
  const linked = folderIn("trees/fix", `gitdir: ${join(root, "shop/.git/worktrees/fix")}`);
  expect(projectNameOf(linked)).toBe(join(root, "shop"));
  const within = folderIn("shop/.trees/fix", "gitdir: ../../.git/worktrees/fix");
  expect(projectNameOf(within)).toBe(join(root, "shop"));
});

test("worktrees of a bare repository belong to the folder whose .git names it, or to itself", () => {
  const bare = "[core]\n\tbare = true\n";
  for (const [name, config] of [
    ["hidden/.bare", "config"],
    ["store.git", "config.worktree"],
  ] as const) {
    mkdirSync(join(root, name, "worktrees", "fix"), { recursive: true });
    writeFileSync(join(root, name, config), bare);
  }
  writeFileSync(join(root, "hidden", ".git"), "gitdir: ./.bare\n");
  const inHidden = folderIn("hidden/fix", `gitdir: ${join(root, "hidden/.bare/worktrees/fix")}`);
  expect(projectNameOf(inHidden)).toBe(join(root, "hidden"));
  expect(projectFolderOf(join(root, "hidden"))).toBe(join(root, "hidden"));
  const linked = folderIn("store-fix", "gitdir: ../store.git/worktrees/fix");
  expect(projectFolderOf(linked)).toBe(join(root, "store.git"));
});

test("a folder with the name of its repository belongs to the repository like any other", () => {
  const inner = folderIn("shop/shop");
  expect(projectNameOf(inner)).toBe(join(root, "shop"));
  expect(projectNameOf(join(root, "shop"))).toBe("shop");
  expect(projectFolderOf(inner)).toBe(join(root, "shop"));
});

test("a repository reached through a symbolic link is the same project", () => {
  folderIn("shop");
  symlinkSync(join(root, "shop"), join(root, "link"));
  symlinkSync(join(root, "shop", "src"), join(root, "into"));
  for (const folder of ["link", "link/src", "into"].map((name) => join(root, name))) {
    expect(projectNameOf(folder), folder).toBe(join(root, "shop"));
    expect(projectFolderOf(folder), folder).toBe(join(root, "shop"));
  }
  expect(linkTo(join(root, "shop"), join(root, "link", "src"))).toBe(join(root, "link"));
  expect(linkTo(join(root, "shop"), join(root, "shop", "src"))).toBeUndefined();
});

test("a link in a repository to a folder elsewhere belongs to the repository", () => {
  folderIn("notes");
  folderIn("shop");
  symlinkSync(join(root, "notes"), join(root, "shop", "data"));
  expect(projectNameOf(join(root, "shop", "data"))).toBe("shop");
});

test("a submodule, and a worktree whose main one is gone, are projects of their own", () => {
  expect(projectNameOf(folderIn("shop/lib/tax", "gitdir: ../../.git/modules/tax"))).toBe("tax");
  expect(projectNameOf(folderIn("trees/left", `gitdir: ${join(root, "gone/.git/worktrees/left")}`))).toBe(
    "left",
  );
});

test("a linked worktree of a submodule belongs to the submodule", () => {
  const shared = join(root, "shop/.git/modules/cart");
  mkdirSync(join(shared, "worktrees", "fix"), { recursive: true });
  writeFileSync(join(shared, "config"), "[core]\n\tbare = false\n\tworktree = ../../../lib/cart\n");
  folderIn("shop/lib/cart", "gitdir: ../../.git/modules/cart");
  const linked = folderIn("trees/cart", `gitdir: ${join(shared, "worktrees/fix")}`);
  expect(projectFolderOf(linked)).toBe(join(root, "shop/lib/cart"));
});

test("a Windows folder is named by its last part, and has no repository here", () => {
  expect(projectNameOf("C:\\Users\\me\\shop")).toBe("shop");
  expect(projectNameOf("C:\\Users\\me\\shop\\")).toBe("shop");
  expect(repositoryTop("C:\\Users\\me\\shop")).toBeUndefined();
});

describe("in a repository of Jujutsu", () => {
  /** A folder of a workspace. Its `.jj/repo` is a folder in the first workspace, and names that folder in others. */
  function workspace(name: string, repo?: string): string {
    const folder = join(root, name, "src");
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(root, name, ".jj", ...(repo === undefined ? ["repo"] : [])), { recursive: true });
    if (repo !== undefined) writeFileSync(join(root, name, ".jj", "repo"), repo);
    return folder;
  }

  test("a project is named after the top folder, which need not be a repository of git", () => {
    expect(projectNameOf(workspace("plum"))).toBe("plum");
    expect(repositoryTop(join(root, "plum", "src"))).toBe(join(root, "plum"));
  });

  test("further workspaces belong to the project of the first one, wherever they lie", () => {
    workspace("plum");
    mkdirSync(join(root, "plum", ".git"), { recursive: true });
    const further = {
      beside: workspace("fix-plum", "../../plum/.jj/repo"),
      byFullPath: workspace("old-plum", join(root, "plum", ".jj", "repo")),
      within: workspace("plum/.spaces/fix", "../../../.jj/repo"),
    };
    for (const [place, folder] of Object.entries(further)) {
      expect(projectNameOf(folder), place).toBe(join(root, "plum"));
      expect(projectFolderOf(folder), place).toBe(join(root, "plum"));
    }
  });

  test("a workspace whose first one is gone, or whose file names no repository, is a project of its own", () => {
    expect(projectNameOf(workspace("lone", "../../gone/.jj/repo"))).toBe("lone");
    mkdirSync(join(root, "elsewhere"), { recursive: true });
    expect(projectNameOf(workspace("odd", "../../elsewhere"))).toBe("odd");
    expect(projectNameOf(workspace("blank", "\n"))).toBe("blank");
  });
});
