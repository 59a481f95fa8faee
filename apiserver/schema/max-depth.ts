/**
 * The maximum number of structs inside each other. Only the schemas of definitions nest without an end. A
 * kube-apiserver takes deeper ones, and some of them end its process.
 */
export const maxStructDepth = 1000
/** The text for a struct that is deeper. */
export const tooDeep = 'exceeded max depth'
