/**
 * SQL expression for the id of the oldest version of a row's memory. Rows that have the same are versions of one
 * memory, also where two stores each made a version after the same one.
 */
export const oldestVersion = "coalesce(json_extract(supersedes, '$[#-1]'), id)";
