/**
 * The member of a status with the fields that the version of an object cannot hold. The status subresource protects it
 * as it protects these fields: who may not write the status cannot set them in any version. Its name is reserved in the
 * status of every kind, because a later release of a definition may add it.
 */
export const unconvertedField = 'unconverted'
