/** The version of this package, as package.json has it; written out so that a bundle needs no other file. */
export const version = '0.1.0'
