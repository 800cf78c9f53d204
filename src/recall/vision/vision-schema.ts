/** Deletes the vector of an image whenever the image is deleted. */
export const visionSchemaSql: readonly string[] = [
  `CREATE TRIGGER images_delete_vector AFTER DELETE ON images BEGIN
  DELETE FROM image_vectors WHERE ref = old.ref;
END`,
];
