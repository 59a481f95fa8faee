/**
 * Cases that pass on a kube-apiserver and fail on the embedded server, as `group: name`, each with the
 * behaviour of the embedded server. The runner fails if one of them passes; then remove it from this list.
 */
export const knownDifferences: Readonly<Record<string, string>> = {}
