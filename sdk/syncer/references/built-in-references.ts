import { persistentVolumes, pods, secrets, services } from '../../kube/builtin.js'
import type { KubeObject } from '../../kube/object.js'
import { formatResource, type Resource } from '../../kube/resource.js'
import { podReferences } from './pod-references.js'
import type { References } from './reference-rules.js'

/** The references of Kubernetes' own kinds, for those whose copies make sense. */
const known: Readonly<Record<string, References | 'plain'>> = {
  // Users choose the names of their members, so a name proves nothing about its meaning.
  configmaps: 'plain',
  secrets: 'plain',
  pods: podReferences('spec'),
  services: { 'spec.selector': 'label-map' },
  endpoints: {
    'subsets[*].addresses[*].nodeName': 'plain',
    'subsets[*].addresses[*].targetRef.name': { to: pods, namespace: 'namespace' },
    'subsets[*].notReadyAddresses[*].nodeName': 'plain',
    'subsets[*].notReadyAddresses[*].targetRef.name': { to: pods, namespace: 'namespace' },
  },
  serviceaccounts: { 'imagePullSecrets[*].name': secrets, 'secrets[*].name': secrets },
  persistentvolumeclaims: {
    'spec.volumeName': persistentVolumes,
    'spec.dataSource': 'refused',
    'spec.dataSourceRef': 'refused',
    'spec.selector': 'refused',
  },
  'ingresses.networking.k8s.io': {
    'spec.tls[*].secretName': secrets,
    'spec.defaultBackend.service.name': services,
    'spec.defaultBackend.resource': 'refused',
    'spec.rules[*].http.paths[*].backend.service.name': services,
    'spec.rules[*].http.paths[*].backend.resource': 'refused',
  },
  'networkpolicies.networking.k8s.io': {
    'spec.podSelector': 'label-selector',
    'spec.ingress[*].from[*].podSelector': 'label-selector',
    'spec.ingress[*].from[*].namespaceSelector': 'refused',
    'spec.egress[*].to[*].podSelector': 'label-selector',
    'spec.egress[*].to[*].namespaceSelector': 'refused',
  },
  // It would scale whatever bears the name on the host, such as the vcluster itself.
  'horizontalpodautoscalers.autoscaling': { 'spec.scaleTargetRef': 'refused' },
  'poddisruptionbudgets.policy': { 'spec.selector': 'label-selector' },
}

/** The rules of a built-in kind; none for any other. */
export function builtInReferences<T extends KubeObject>(resource: Resource<T>): References | 'plain' {
  return known[formatResource(resource)] ?? {}
}
