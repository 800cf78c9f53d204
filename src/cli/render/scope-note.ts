/** A note for a record without a project: it is shown in every project. */
export function scopeNote({ project }: { readonly project?: string | undefined }): string[] {
  return project === undefined
    ? ["applies in every project; --project . limits it to the one of this folder"]
    : [];
}
