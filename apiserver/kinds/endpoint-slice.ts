import { isIPv4 } from 'node:net'
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { labelValueProblems } from '../../sdk/engine/kube/label-syntax.js'
import { isIPv6 } from '../base/is-ipv6.js'
import { type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../validation/names.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkAddress, checkChoice, checkName, checkQualified } from '../validation/values.js'
import { specialAddressErrors } from './service/validate.js'

/** The zones and nodes that should use an endpoint. */
interface Hints {
  readonly forZones?: readonly { readonly name?: string }[]
  readonly forNodes?: readonly { readonly name?: string }[]
}

interface Endpoint {
  readonly addresses?: readonly string[] | null
  readonly hostname?: string
  readonly nodeName?: string
  readonly hints?: Hints
}

interface Port {
  readonly name?: string
  readonly protocol?: string
  readonly appProtocol?: string
}

const types = ['FQDN', 'IPv4', 'IPv6']

/** https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/ */
export const endpointSliceRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'new',
    generation: 'with labels',
  },
  validate(object, old) {
    const { addressType } = object
    const isKept = old === undefined || addressType === old.addressType
    const changeErrors = isKept ? [] : [invalidValue('addressType', addressType, 'field is immutable')]
    return [...sliceErrors(object, old), ...changeErrors]
  },
  canonicalize(object) {
    // A real server stores protobuf, which cannot distinguish an empty list from a missing one.
    for (const name of ['endpoints', 'ports'] as const) {
      if (Array.isArray(object[name]) && object[name].length === 0) object[name] = null
    }
    if (Array.isArray(object.endpoints)) object.endpoints = object.endpoints.map(withoutTopology)
  },
  create: {
    warnings: typeWarnings,
  },
  update: {
    warnings: typeWarnings,
  },
}

/** `deprecatedTopology` is a field of versions before v1, which the server does not serve. */
function withoutTopology(endpoint: unknown): object {
  const { deprecatedTopology: _topology, ...rest } = recordOf(endpoint)
  return rest
}

function typeWarnings({ addressType }: OpenObject): string[] {
  return addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []
}

/** `ValidateEndpointSlice` of Kubernetes v1.36.3. */
function sliceErrors(
  { addressType, ports, endpoints }: OpenObject,
  old: OpenObject | undefined,
): FieldError[] {
  const type = String(addressType ?? '')
  const endpointList: readonly Endpoint[] = Array.isArray(endpoints) ? endpoints : []
  const areEndpointsUnchanged = old !== undefined && jsonEqual(endpoints ?? null, old.endpoints ?? null)
  return [
    ...checkChoice('addressType', type, types),
    ...portErrors(Array.isArray(ports) ? ports : []),
    ...(areEndpointsUnchanged
      ? []
      : endpointList.flatMap((endpoint, index) => endpointErrors(endpoint, type, `endpoints[${index}]`))),
  ]
}

function portErrors(ports: readonly Port[]): FieldError[] {
  const repeated = repeatedIndexes(ports.map(({ name = '' }) => name))
  return ports.flatMap(({ name = '', protocol, appProtocol }, index) => [
    ...(name === '' ? [] : checkName(`ports[${index}].name`, name, checkLabelName)),
    ...(repeated.has(index) ? [duplicate(`ports[${index}].name`, name)] : []),
    ...checkChoice(`ports[${index}].protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ...(appProtocol === undefined ? [] : checkQualified(`ports[${index}].appProtocol`, appProtocol)),
  ])
}

function endpointErrors(
  { addresses, hostname, nodeName, hints = {} }: Endpoint,
  type: string,
  path: string,
): FieldError[] {
  const addressList = addresses ?? []
  return [
    ...(addressList.length === 0 ? [required(`${path}.addresses`, 'must contain at least 1 address')] : []),
    ...(type === 'FQDN'
      ? []
      : addressList.flatMap((address, index) => addressErrors(address, type, { path, index }))),
    ...(nodeName === undefined ? [] : checkName(`${path}.nodeName`, nodeName, checkSubdomainName)),
    ...(hostname === undefined ? [] : checkName(`${path}.hostname`, hostname, checkLabelName)),
    ...hintErrors(hints, `${path}.hints`),
  ]
}

const maxHints = 8

function hintErrors({ forZones = [], forNodes = [] }: Hints, path: string): FieldError[] {
  if (forZones.length > maxHints) return [tooMany(`${path}.forZones`, forZones.length, maxHints)]
  const zones = namedErrors(forZones, `${path}.forZones`, (field, name) =>
    labelValueProblems(name).map((problem) => invalidValue(field, name, problem)),
  )
  if (forNodes.length > maxHints) return [...zones, tooMany(`${path}.forNodes`, forNodes.length, maxHints)]
  const check = (field: string, name: string) => checkName(field, name, checkSubdomainName)
  return [...zones, ...namedErrors(forNodes, `${path}.forNodes`, check)]
}

function namedErrors(
  hints: readonly { readonly name?: string }[],
  path: string,
  check: (field: string, name: string) => FieldError[],
): FieldError[] {
  const names = hints.map(({ name = '' }) => name)
  const repeated = repeatedIndexes(names)
  return names.flatMap((name, index) => [
    ...(repeated.has(index) ? [duplicate(`${path}[${index}].name`, name)] : []),
    ...check(`${path}[${index}].name`, name),
  ])
}

interface EndpointAddress {
  readonly path: string
  readonly index: number
}

function addressErrors(address: string, type: string, { path, index }: EndpointAddress): FieldError[] {
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const field = `${path}.addresses`
  const errors = checkAddress(`${field}[${index}]`, address)
  if (errors.length > 0) return errors
  const isOfType = type === 'IPv4' ? isIPv4(address) : isIPv6(address)
  return [
    ...(isOfType ? [] : [invalidValue(field, address, `must be an ${type} address`)]),
    ...specialAddressErrors(`${field}[${index}]`, address),
  ]
}
