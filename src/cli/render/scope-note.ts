/** What to know about a record that belongs to no project: each of them is told of it. */
export function scopeNote({ project }: { readonly project?: string | undefined }): string[] {
  return project === undefined
    ? ["applies in every project; --project . limits it to the one of this folder"]
    : [];
}
