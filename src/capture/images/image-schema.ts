/** Pins are deleted with their image; links of observations stay. */
export const imageSchemaSql: readonly string[] = [
  `CREATE TRIGGER images_delete_pins AFTER DELETE ON images BEGIN
  DELETE FROM image_pins WHERE ref = old.ref;
END`,
];
