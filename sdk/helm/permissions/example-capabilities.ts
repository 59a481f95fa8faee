import type { Capabilities } from '../render/renderer.js'

/**
 * The capabilities for rendering without a cluster: it serves the stable versions of Kubernetes and no custom kinds.
 */
export const exampleCapabilities: Capabilities = {
  kubeVersion: 'v1.36.0',
  apiVersions: [
    ...['v1', 'apps/v1', 'batch/v1', 'autoscaling/v1', 'autoscaling/v2', 'policy/v1', 'events.k8s.io/v1'],
    ...['admissionregistration.k8s.io/v1', 'apiextensions.k8s.io/v1', 'apiregistration.k8s.io/v1'],
    ...['certificates.k8s.io/v1', 'coordination.k8s.io/v1', 'discovery.k8s.io/v1', 'networking.k8s.io/v1'],
    ...['node.k8s.io/v1', 'rbac.authorization.k8s.io/v1', 'resource.k8s.io/v1', 'scheduling.k8s.io/v1'],
    ...['flowcontrol.apiserver.k8s.io/v1', 'storage.k8s.io/v1'],
  ],
}
