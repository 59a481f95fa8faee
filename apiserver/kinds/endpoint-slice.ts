import { isIPv4, isIPv6 } from 'node:net'
import { jsonEqual } from '../../sdk/kube/json.js'
import { duplicate, type FieldError, invalidValue, required } from '../validation/field-error.js'
import { labelName, subdomainName } from '../validation/names.js'
import { checkAddress, checkChoice, checkName, checkQualified } from '../validation/values.js'
import { type KindRules, type OpenObject, recordOf } from './kind-rules.js'
import { specialAddressErrors } from './service/validate.js'

interface Endpoint {
  readonly addresses?: readonly string[] | null
  readonly hostname?: string
  readonly nodeName?: string
}

interface Port {
  readonly name?: string
  readonly protocol?: string
  readonly appProtocol?: string
}

const TYPES = ['FQDN', 'IPv4', 'IPv6']

/** https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/ */
export const endpointSliceRules: KindRules = {
  metadataOnUpdate: 'new',
  generation: 'with labels',
  prepare(object) {
    // What is empty comes back from the store of a real server as nothing.
    for (const name of ['endpoints', 'ports'] as const) {
      if (Array.isArray(object[name]) && object[name].length === 0) object[name] = null
    }
    if (Array.isArray(object.endpoints)) object.endpoints = object.endpoints.map(withoutTopology)
  },
  warnings: typeWarnings,
  updateWarnings: typeWarnings,
  validate(object, old) {
    const { addressType } = object
    const isKept = old === undefined || addressType === old.addressType
    const kept = isKept ? [] : [invalidValue('addressType', addressType, 'field is immutable')]
    return [...sliceErrors(object, old), ...kept]
  },
}

/** Only versions before v1 had it. */
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
  const given: readonly Endpoint[] = Array.isArray(endpoints) ? endpoints : []
  const isOld = old !== undefined && jsonEqual(endpoints ?? null, old.endpoints ?? null)
  return [
    ...checkChoice('addressType', type, TYPES),
    ...portErrors(Array.isArray(ports) ? ports : []),
    ...(isOld ? [] : given.flatMap((endpoint, at) => endpointErrors(endpoint, type, `endpoints[${at}]`))),
  ]
}

function portErrors(ports: readonly Port[]): FieldError[] {
  const names = ports.map(({ name = '' }) => name)
  return ports.flatMap(({ name = '', protocol, appProtocol }, at) => [
    ...(name === '' ? [] : checkName(`ports[${at}].name`, name, labelName)),
    ...(names.indexOf(name) < at ? [duplicate(`ports[${at}].name`, name)] : []),
    ...checkChoice(`ports[${at}].protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ...(appProtocol === undefined ? [] : checkQualified(`ports[${at}].appProtocol`, appProtocol)),
  ])
}

function endpointErrors(
  { addresses, hostname, nodeName }: Endpoint,
  type: string,
  path: string,
): FieldError[] {
  const given = addresses ?? []
  return [
    ...(given.length === 0 ? [required(`${path}.addresses`, 'must contain at least 1 address')] : []),
    ...(type === 'FQDN' ? [] : given.flatMap((address, at) => addressErrors(address, type, { path, at }))),
    ...(nodeName === undefined ? [] : checkName(`${path}.nodeName`, nodeName, subdomainName)),
    ...(hostname === undefined ? [] : checkName(`${path}.hostname`, hostname, labelName)),
  ]
}

interface Place {
  readonly path: string
  readonly at: number
}

function addressErrors(address: string, type: string, { path, at }: Place): FieldError[] {
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const field = `${path}.addresses`
  const errors = checkAddress(`${field}[${at}]`, address)
  if (errors.length > 0) return errors
  const isOfType = type === 'IPv4' ? isIPv4(address) : isIPv6(address)
  return [
    ...(isOfType ? [] : [invalidValue(field, address, `must be an ${type} address`)]),
    ...specialAddressErrors(`${field}[${at}]`, address),
  ]
}
