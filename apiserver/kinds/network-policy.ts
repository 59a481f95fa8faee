import { recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { checkOptionalChoice, checkPort, checkPortOrName, portProblem } from '../validation/values.js'
import { cidrErrors } from './cidr-errors.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'

interface Port {
  readonly protocol?: string
  readonly port?: number | string
  readonly endPort?: number
}

interface Peer {
  readonly podSelector?: LabelSelector
  readonly namespaceSelector?: LabelSelector
  readonly ipBlock?: { readonly cidr?: string; readonly except?: readonly string[] }
}

interface NetworkPolicySpec {
  readonly podSelector?: LabelSelector
  readonly ingress?: readonly { readonly ports?: readonly Port[]; readonly from?: readonly Peer[] }[]
  readonly egress?: readonly { readonly ports?: readonly Port[]; readonly to?: readonly Peer[] }[]
  readonly policyTypes?: readonly string[]
}

const knownPolicyTypes = ['Ingress', 'Egress']

/** https://kubernetes.io/docs/concepts/services-networking/network-policies/ */
export const networkPolicyRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
    generation: true,
  },
  validate: ({ spec }) => specErrors(recordOf(spec)),
}

/** `ValidateNetworkPolicySpec` of Kubernetes v1.36.3. */
function specErrors({
  podSelector,
  ingress = [],
  egress = [],
  policyTypes = [],
}: NetworkPolicySpec): FieldError[] {
  return [
    ...selectorErrors(podSelector, 'spec.podSelector'),
    ...ingress.flatMap(({ ports, from }, index) =>
      ruleErrors({ ports, peers: from, name: 'from' }, `spec.ingress[${index}]`),
    ),
    ...egress.flatMap(({ ports, to }, index) =>
      ruleErrors({ ports, peers: to, name: 'to' }, `spec.egress[${index}]`),
    ),
    ...typeErrors(policyTypes, 'spec.policyTypes'),
  ]
}

interface Rule {
  readonly ports: readonly Port[] | undefined
  readonly peers: readonly Peer[] | undefined
  readonly name: string
}

function ruleErrors({ ports = [], peers = [], name }: Rule, path: string): FieldError[] {
  return [
    ...ports.flatMap((port, index) => portErrors(port, `${path}.ports[${index}]`)),
    ...peers.flatMap((peer, index) => peerErrors(peer, `${path}.${name}[${index}]`)),
  ]
}

function portErrors({ protocol, port, endPort }: Port, path: string): FieldError[] {
  const errors = checkOptionalChoice(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP'])
  const refuse = (why: string) =>
    endPort === undefined
      ? []
      : [invalidValue(`${path}.endPort`, endPort, `may not be specified when \`port\` is ${why}`)]
  if (port === undefined) return [...errors, ...refuse('not specified')]
  if (typeof port === 'string') {
    return [...errors, ...refuse('non-numeric'), ...checkPortOrName(`${path}.port`, port)]
  }
  return [...errors, ...checkPort(`${path}.port`, port), ...endErrors(port, endPort, `${path}.endPort`)]
}

function endErrors(port: number, endPort: number | undefined, field: string): FieldError[] {
  if (endPort === undefined) return []
  const problem = portProblem(endPort)
  return [
    ...(endPort < port ? [invalidValue(field, port, 'must be greater than or equal to `port`')] : []),
    ...(problem === undefined ? [] : [invalidValue(field, endPort, problem)]),
  ]
}

function peerErrors({ podSelector, namespaceSelector, ipBlock }: Peer, path: string): FieldError[] {
  const isSelected = podSelector !== undefined || namespaceSelector !== undefined
  if (!isSelected && ipBlock === undefined) return [required(path, 'must specify a peer')]
  const both = 'may not specify both ipBlock and another peer'
  return [
    ...(podSelector === undefined ? [] : selectorErrors(podSelector, `${path}.podSelector`)),
    ...(namespaceSelector === undefined
      ? []
      : selectorErrors(namespaceSelector, `${path}.namespaceSelector`)),
    ...(ipBlock === undefined ? [] : cidrErrors(ipBlock, `${path}.ipBlock`)),
    ...(isSelected && ipBlock !== undefined ? [forbiddenValue(path, both)] : []),
  ]
}

function typeErrors(types: readonly string[], field: string): FieldError[] {
  if (types.length > knownPolicyTypes.length)
    return [invalidValue(field, types, 'may not specify more than two policyTypes')]
  return types.flatMap((type, index) =>
    knownPolicyTypes.includes(type)
      ? []
      : [unsupported(`${field}[${index}]`, JSON.stringify(type), knownPolicyTypes)],
  )
}
