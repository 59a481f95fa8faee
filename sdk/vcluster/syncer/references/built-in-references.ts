import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  secrets,
  services,
} from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import { gatewayReferences } from './gateway-references.js'
import { podReferences } from './pod-references.js'
import type { References } from './reference-rules.js'

const snapshotResource = (kind: string, plural: string, namespaced: boolean): Resource => ({
  group: 'snapshot.storage.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced,
})
const volumeSnapshots = snapshotResource('VolumeSnapshot', 'volumesnapshots', true)
const volumeSnapshotContents = snapshotResource('VolumeSnapshotContent', 'volumesnapshotcontents', false)

/** The references of the kinds of Kubernetes and of the Gateway API whose copies make sense. */
const referencesOfKinds: Readonly<Record<string, References | 'plain'>> = {
  // Users choose the names of their members, so a name proves nothing about its meaning.
  configmaps: 'plain',
  secrets: 'plain',
  pods: podReferences('spec'),
  services: { 'spec.selector': 'label-map' },
  'endpointslices.discovery.k8s.io': {
    // By this label a slice belongs to a Service.
    'metadata.labels."kubernetes.io/service-name"': services,
    'endpoints[*].nodeName': 'plain',
    'endpoints[*].targetRef.name': { to: pods, namespace: 'namespace' },
  },
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
  persistentvolumes: {
    'spec.claimRef.name': { to: persistentVolumeClaims, namespace: 'namespace' },
    ...Object.fromEntries(
      ['controllerPublish', 'nodeStage', 'nodePublish', 'controllerExpand', 'nodeExpand'].map((step) => [
        `spec.csi.${step}SecretRef.name`,
        { to: secrets, namespace: 'namespace' },
      ]),
    ),
    'spec.local': 'refused',
  },
  'volumesnapshots.snapshot.storage.k8s.io': {
    'spec.source.persistentVolumeClaimName': persistentVolumeClaims,
    'spec.source.volumeSnapshotContentName': volumeSnapshotContents,
  },
  'volumesnapshotcontents.snapshot.storage.k8s.io': {
    'spec.volumeSnapshotRef.name': { to: volumeSnapshots, namespace: 'namespace' },
  },
  'ingresses.networking.k8s.io': {
    ...Object.fromEntries(
      ['auth-secret', 'auth-tls-secret', 'proxy-ssl-secret'].map((name) => [
        `metadata.annotations."nginx.ingress.kubernetes.io/${name}"`,
        { to: secrets, qualified: true },
      ]),
    ),
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
  // A copy would scale any object with that name on the host, such as the vcluster itself.
  'horizontalpodautoscalers.autoscaling': { 'spec.scaleTargetRef': 'refused' },
  'poddisruptionbudgets.policy': { 'spec.selector': 'label-selector' },
  ...gatewayReferences,
}

/** The rules of a built-in kind; no rules for other kinds. */
export function builtInReferences<T extends KubeObject>(resource: Resource<T>): References | 'plain' {
  return referencesOfKinds[formatResource(resource)] ?? {}
}

/** The annotations of built-in kinds that controllers of one cluster write only for that cluster. */
const oneSidedAnnotations: Readonly<Record<string, readonly string[]>> = {
  // A copied annotation would keep the host from making EndpointSlices.
  endpoints: ['control-plane.alpha.kubernetes.io/leader'],
  'ingresses.networking.k8s.io': ['field.cattle.io/publicEndpoints'],
  persistentvolumeclaims: [
    'pv.kubernetes.io/bind-completed',
    'pv.kubernetes.io/bound-by-controller',
    'volume.beta.kubernetes.io/storage-provisioner',
  ],
  services: ['field.cattle.io/publicEndpoints'],
}

/** The annotations of a built-in kind that are neither copied nor removed. */
export function builtInExcludedAnnotations(resource: Resource): readonly string[] {
  return oneSidedAnnotations[formatResource(resource)] ?? []
}
