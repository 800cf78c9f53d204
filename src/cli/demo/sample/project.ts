/** The project of the story, and where its developer works on it. */
export const sampleProject = { name: "parcel-tracker", cwd: "/home/dana/parcel-tracker" } as const;

/** The home folder in which Claude Code keeps the transcripts. */
export const sampleHome = "/home/dana";
