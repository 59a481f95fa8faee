import { configMaps, secrets, services } from '../../../engine/kube/builtin.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { References, TypedReference } from './reference-rules.js'

const gateways: Resource = {
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'Gateway',
  plural: 'gateways',
  namespaced: true,
}

/**
 * A reference to another namespace needs a ReferenceGrant or the consent of a listener, which the host could not check:
 * there all copies are in one namespace.
 */
const sameNamespace = { namespace: 'namespace', onlyOwnNamespace: true } as const

// The kinds that fields of the Gateway API may name.
const parents: TypedReference = { toOneOf: [gateways, services], ...sameNamespace }
const backends: TypedReference = { toOneOf: [services], ...sameNamespace }
const certificates: TypedReference = { toOneOf: [secrets], ...sameNamespace }
const authorities: TypedReference = { toOneOf: [configMaps, secrets], ...sameNamespace }

/** The references of the filters at a path. Extensions are objects of kinds that only an implementation knows. */
const filterReferences = (path: string): References => ({
  [`${path}.extensionRef`]: 'refused',
  [`${path}.requestMirror.backendRef.name`]: backends,
  [`${path}.externalAuth.backendRef.name`]: backends,
})

const routes: References = {
  'spec.parentRefs[*].name': parents,
  'spec.rules[*].backendRefs[*].name': backends,
  // With any other value, a route is attached to the default Gateways of the host.
  'spec.useDefaultGateways': { values: ['None'] },
  'status.parents[*].parentRef.name': parents,
}

const routesWithFilters: References = {
  ...routes,
  ...filterReferences('spec.rules[*].filters[*]'),
  ...filterReferences('spec.rules[*].backendRefs[*].filters[*]'),
}

/**
 * The references of the kinds of the Gateway API, as vcluster translates them
 * (`pkg/controllers/resources/gatewayroutes` @ vcluster v0.36.1), except references to other namespaces.
 */
export const gatewayReferences: Readonly<Record<string, References>> = {
  'httproutes.gateway.networking.k8s.io': routesWithFilters,
  'grpcroutes.gateway.networking.k8s.io': routesWithFilters,
  'tlsroutes.gateway.networking.k8s.io': routes,
  'tcproutes.gateway.networking.k8s.io': routes,
  'udproutes.gateway.networking.k8s.io': routes,
  'gateways.gateway.networking.k8s.io': {
    'spec.listeners[*].tls.certificateRefs[*].name': certificates,
    // With any other value, routes of other tenants could be attached.
    'spec.listeners[*].allowedRoutes.namespaces.from': { values: ['Same'] },
    'spec.listeners[*].allowedRoutes.namespaces.selector': 'refused',
    'spec.allowedListeners.namespaces.from': { values: ['None', 'Same'] },
    'spec.allowedListeners.namespaces.selector': 'refused',
    'spec.tls.backend.clientCertificateRef.name': certificates,
    'spec.tls.frontend.default.validation.caCertificateRefs[*].name': authorities,
    'spec.tls.frontend.perPort[*].tls.validation.caCertificateRefs[*].name': authorities,
    // These parameters can change the Pods of the Gateway, which run on the host.
    'spec.infrastructure.parametersRef': 'refused',
  },
  'backendtlspolicies.gateway.networking.k8s.io': {
    'spec.targetRefs[*].name': { toOneOf: [services] },
    'spec.validation.caCertificateRefs[*].name': { toOneOf: [configMaps, secrets] },
    'status.ancestors[*].ancestorRef.name': parents,
  },
  // A copy would let objects of another namespace of the host name the copies of this one.
  'referencegrants.gateway.networking.k8s.io': { 'spec.from': 'refused' },
}
