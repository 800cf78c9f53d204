/** SQL condition: the row is of one of the projects with the keys ?1 (JSON). */
export const ofProjects = "project_key IN (SELECT value FROM json_each(?1))";

/** The same, where null stands for all projects. */
export const ofProjectsOrAll = `(?1 IS NULL OR ${ofProjects})`;
