import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { PlannedFile } from "./plan.ts";

/** What a planned write changes, as a unified diff. */
export function changesShown({ file, after }: PlannedFile): string {
  const [from, to] = [file.text, after].map((text) => (text === undefined ? "/dev/null" : file.path));
  return createTwoFilesPatch(
    from ?? "",
    to ?? "",
    file.text ?? "",
    after?.toString() ?? "",
    undefined,
    undefined,
    {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
    },
  );
}
