/** The version of this package, as package.json has it; written out so that a bundle needs no other file. */
export const version = '0.1.0'

/** The range of the versions with the same interfaces as this one, such as `>=0.1.0 <1`. */
export const compatibleVersions = `>=${version} <${Number.parseInt(version, 10) + 1}`
