import type { PolicyRule } from '../access/rbac/policy-rule.js'

/** A ClusterRole that exists from the start. */
export interface BootstrapRole {
  readonly name: string
  /** The role that includes the rules of this one: `admin`, `edit` or `view`. */
  readonly aggregatesTo?: string
  /** The aggregation label of the roles that this role includes: `admin`, `edit` or `view`. */
  readonly aggregates?: string
  readonly rules?: readonly PolicyRule[]
}

const read = 'get list watch'
const write = 'create delete deletecollection patch update'
const all = 'create delete deletecollection get list patch update watch'

const words = (text: string) => text.split(' ')

/** A rule for resources. Each text contains words separated by spaces; `core` is the group without a name. */
function resourceRule(groups: string, resources: string, verbs: string): PolicyRule {
  const apiGroups = words(groups).map((group) => (group === 'core' ? '' : group))
  return { verbs: words(verbs), apiGroups, resources: words(resources) }
}

function urlRule(verbs: string, urls: string): PolicyRule {
  return { verbs: words(verbs), nonResourceURLs: words(urls) }
}

/**
 * The default roles that users and clients refer to, as kube-apiserver v1.36 makes them. Those of components
 * that do not run here, such as the scheduler and the controllers, are left out. See
 * https://kubernetes.io/docs/reference/access-authn-authz/rbac/#default-roles-and-role-bindings
 */
export const bootstrapRoles: readonly BootstrapRole[] = [
  {
    name: 'cluster-admin',
    rules: [resourceRule('*', '*', '*'), urlRule('*', '*')],
  },
  {
    name: 'admin',
    aggregates: 'admin',
  },
  {
    name: 'edit',
    aggregatesTo: 'admin',
    aggregates: 'edit',
  },
  {
    name: 'view',
    aggregatesTo: 'edit',
    aggregates: 'view',
  },
  {
    name: 'system:aggregate-to-admin',
    aggregatesTo: 'admin',
    rules: [
      resourceRule('authorization.k8s.io', 'localsubjectaccessreviews', 'create'),
      resourceRule('rbac.authorization.k8s.io', 'rolebindings roles', all),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    aggregatesTo: 'edit',
    rules: [
      resourceRule('core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy', read),
      resourceRule('core', 'serviceaccounts', 'impersonate'),
      resourceRule('core', 'pods pods/attach pods/exec pods/portforward pods/proxy', write),
      resourceRule('core', 'pods/eviction', 'create'),
      resourceRule(
        'core',
        'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        write,
      ),
      resourceRule('core', 'serviceaccounts/token', 'create'),
      resourceRule('core events.k8s.io', 'events', write),
      resourceRule(
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
        write,
      ),
      resourceRule('autoscaling', 'horizontalpodautoscalers', write),
      resourceRule('batch', 'cronjobs jobs', write),
      resourceRule(
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
        write,
      ),
      resourceRule('policy', 'poddisruptionbudgets', write),
      resourceRule('networking.k8s.io', 'ingresses networkpolicies', write),
      resourceRule('coordination.k8s.io', 'leases', all),
      resourceRule('resource.k8s.io', 'resourceclaims resourceclaimtemplates', write),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    aggregatesTo: 'view',
    rules: [
      resourceRule(
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
        read,
      ),
      resourceRule(
        'core',
        'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        read,
      ),
      resourceRule('core', 'namespaces', read),
      resourceRule('core events.k8s.io', 'events', read),
      resourceRule('discovery.k8s.io', 'endpointslices', read),
      resourceRule(
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
        read,
      ),
      resourceRule('autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status', read),
      resourceRule('batch', 'cronjobs cronjobs/status jobs jobs/status', read),
      resourceRule(
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
        read,
      ),
      resourceRule('policy', 'poddisruptionbudgets poddisruptionbudgets/status', read),
      resourceRule('networking.k8s.io', 'ingresses ingresses/status networkpolicies', read),
      resourceRule('resource.k8s.io', 'resourceclaims resourceclaims/status resourceclaimtemplates', read),
    ],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      resourceRule('authentication.k8s.io', 'tokenreviews', 'create'),
      resourceRule('authorization.k8s.io', 'subjectaccessreviews', 'create'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      resourceRule('authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews', 'create'),
      resourceRule('authentication.k8s.io', 'selfsubjectreviews', 'create'),
    ],
  },
  {
    name: 'system:discovery',
    rules: [
      urlRule(
        'get',
        '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
      ),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [
      urlRule(
        'get',
        '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz',
      ),
      resourceRule('core', 'nodes/metrics', 'get'),
    ],
  },
  {
    name: 'system:public-info-viewer',
    rules: [urlRule('get', '/healthz /livez /readyz /version /version/')],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      urlRule(
        'get',
        '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
      ),
    ],
  },
]

/** The groups of each default binding, which has the name of its default role. */
export const bootstrapBindings: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:monitoring': ['system:monitoring'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:service-account-issuer-discovery': ['system:serviceaccounts'],
}
