/** The namespaces of the objects that a Workspace or a Module may name. */
export type NamespaceScope = 'same-namespace' | 'all-namespaces'
