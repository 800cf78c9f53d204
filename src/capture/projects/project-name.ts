import { isAbsolute, lastSegment, withDriveFirst, withSmallDrive } from "../../paths/path-text.ts";

/** A project named by the path of its folder, or by a bare name. */
export type ProjectForm =
  | { readonly kind: "path"; readonly path: string }
  | { readonly kind: "name"; readonly name: string };

/** A name, and the folder that it stands for. */
export interface Alias {
  readonly name: string;
  readonly path: string;
}

export interface ProjectNaming {
  readonly form: ProjectForm;
  /** The alias that follows from the naming. */
  readonly alias: Alias | undefined;
}

/**
 * Interprets a project's name, with the working folder that came with it, if any. `userHome` expands `~/`.
 */
export function projectNaming(project: string, cwd: string | undefined, userHome: string): ProjectNaming {
  const named = normalise(project, userHome);
  if (isAbsolute(named))
    return { form: { kind: "path", path: named }, alias: { name: lastSegment(named), path: named } };
  const folder = cwd === undefined ? undefined : ancestorNamed(normalise(cwd, userHome), named);
  if (folder === undefined) return { form: { kind: "name", name: named }, alias: undefined };
  return { form: { kind: "path", path: folder }, alias: { name: named, path: folder } };
}

function normalise(text: string, userHome: string): string {
  let path = text
    .normalize("NFC")
    .trim()
    .replaceAll("\\", "/")
    .replace(/\/{2,}/gu, "/");
  if (path.startsWith("~/")) path = `${userHome.replace(/\/+$/u, "")}${path.slice(1)}`;
  if (path.length > 1) path = path.replace(/\/$/u, "");
  return withSmallDrive(withDriveFirst(path));
}

/** The nearest of the folder and its ancestors whose last segment is the name. */
function ancestorNamed(folder: string, name: string): string | undefined {
  for (
    let current = folder;
    current !== "";
    current = current.slice(0, Math.max(0, current.lastIndexOf("/")))
  ) {
    if (lastSegment(current) === name) return current;
  }
  return undefined;
}
