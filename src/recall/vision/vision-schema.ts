/** An image that is deleted, in whatever way, leaves no vector behind. */
export const visionSchemaSql: readonly string[] = [
  `CREATE TRIGGER images_delete_vector AFTER DELETE ON images BEGIN
  DELETE FROM image_vectors WHERE ref = old.ref;
END`,
];
