/** What was stored by a request is let go with the image; links of observations outlive it. */
export const imageSchemaSql: readonly string[] = [
  `CREATE TRIGGER images_delete_pins AFTER DELETE ON images BEGIN
  DELETE FROM image_pins WHERE ref = old.ref;
END`,
];
