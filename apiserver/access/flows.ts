import type { Identity } from '../base/identity.js'
import type { UserInfo } from '../request/request.js'
import { type Attributes, isPath } from './attributes.js'

/** A FlowSchema with its PriorityLevelConfiguration. */
interface Flow {
  readonly schema: string
  readonly level: string
  matches(attributes: Attributes): boolean
}

const isUser =
  (...names: readonly string[]) =>
  ({ user }: Attributes) =>
    names.includes(user.name)
const isIn =
  (group: string) =>
  ({ user }: Attributes) =>
    user.groups.includes(group)

const isNode = isIn('system:nodes')
const isSystemAccount = isIn('system:serviceaccounts:kube-system')
const isControlPlane = isUser('system:kube-controller-manager', 'system:kube-scheduler')
const probes = ['/healthz', '/readyz', '/livez']
const electionVerbs = ['get', 'create', 'update']

/**
 * The flows that every cluster has; the first match counts. See `pkg/apis/flowcontrol/bootstrap/default.go` of
 * k8s.io/apiserver v0.36.3.
 */
const flows: readonly Flow[] = [
  { schema: 'exempt', level: 'exempt', matches: isIn('system:masters') },
  { schema: 'probes', level: 'exempt', matches: isProbe },
  { schema: 'system-leader-election', level: 'leader-election', matches: isElection },
  {
    schema: 'system-node-high',
    level: 'node-high',
    matches: (attributes) => isNode(attributes) && isOfNodes(attributes),
  },
  { schema: 'system-nodes', level: 'system', matches: isNode },
  {
    schema: 'kube-controller-manager',
    level: 'workload-high',
    matches: isUser('system:kube-controller-manager'),
  },
  { schema: 'kube-scheduler', level: 'workload-high', matches: isUser('system:kube-scheduler') },
  { schema: 'kube-system-service-accounts', level: 'workload-high', matches: isSystemAccount },
  { schema: 'service-accounts', level: 'workload-low', matches: isIn('system:serviceaccounts') },
]
const usual = { schema: 'global-default', level: 'global-default' }

function isProbe(attributes: Attributes): boolean {
  return isPath(attributes) && attributes.verb === 'get' && probes.includes(attributes.path)
}

function isElection(attributes: Attributes): boolean {
  const mayBe = isControlPlane(attributes) || isSystemAccount(attributes)
  return mayBe && isLease(attributes) && electionVerbs.includes(attributes.verb)
}

function isLease(attributes: Attributes): boolean {
  return !isPath(attributes) && attributes.group === 'coordination.k8s.io' && attributes.resource === 'leases'
}

function isOfNodes(attributes: Attributes): boolean {
  if (isPath(attributes) || isLease(attributes)) return isLease(attributes)
  const { group, resource, subresource } = attributes
  return group === '' && resource === 'nodes' && ['', 'status'].includes(subresource)
}

/** The names of the FlowSchema and of the priority level of a request. */
export function flowOf(attributes: Attributes): { readonly schema: string; readonly level: string } {
  return flows.find(({ matches }) => matches(attributes)) ?? usual
}

/** A caller without credentials, if anonymous requests are allowed. */
const anonymousUser: UserInfo = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/**
 * Sets the headers of API priority and fairness. Requests are not queued here. The headers name the flow that
 * a kube-apiserver would choose, by UIDs that are stable while the server runs.
 */
export class Flows {
  readonly #identity: Identity
  readonly #uids = new Map<string, string>()

  constructor(identity: Identity) {
    this.#identity = identity
  }

  /** The headers that name the request: the caller's own `Audit-Id`, or a new one. */
  auditHeaders(requestedId: string | undefined): Record<string, string> {
    return { 'audit-id': requestedId || this.#identity.uid() }
  }

  /**
   * The headers that name the flow of a request; for a request without a user, that of an anonymous read of
   * `path`.
   */
  flowHeaders(attributes: Attributes | undefined, path: string): Record<string, string> {
    const { schema, level } = flowOf(attributes ?? { user: anonymousUser, verb: 'get', path })
    return {
      'x-kubernetes-pf-flowschema-uid': this.#uidOf(`schema ${schema}`),
      'x-kubernetes-pf-prioritylevel-uid': this.#uidOf(`level ${level}`),
    }
  }

  #uidOf(name: string): string {
    const uid = this.#uids.get(name) ?? this.#identity.uid()
    this.#uids.set(name, uid)
    return uid
  }
}
