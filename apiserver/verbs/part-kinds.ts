import type { ServedResource } from '../resources/served-resource.js'

/** The kind of a subresource as a resource, for parsing, validation, admission and output. */
function partKind(group: string, version: string, kind: string): ServedResource {
  const singular = kind.toLowerCase()
  const plural = `${singular}s`
  return {
    group,
    version,
    kind,
    plural,
    namespaced: true,
    singular,
    listKind: `${kind}List`,
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: [],
    storage: plural,
    rules: {},
  }
}

/** `/scale` of workloads and custom resources. */
export const scales = partKind('autoscaling', 'v1', 'Scale')
/** `pods/NAME/eviction`. */
export const evictions = partKind('policy', 'v1', 'Eviction')
/** `pods/NAME/binding`. */
export const bindings = partKind('', 'v1', 'Binding')
/** The options of `pods/NAME/exec`, `attach` and `portforward`. */
export const execOptions = partKind('', 'v1', 'PodExecOptions')
export const attachOptions = partKind('', 'v1', 'PodAttachOptions')
export const portForwardOptions = partKind('', 'v1', 'PodPortForwardOptions')
/** `serviceaccounts/NAME/token`. */
export const tokenRequests = partKind('authentication.k8s.io', 'v1', 'TokenRequest')
