import { isIP } from 'node:net'
import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { checkAddress, checkChoice, checkName, checkPort, checkQualified } from '../../validation/values.js'
import { specialAddressErrors } from '../service/validate.js'

interface Address {
  readonly ip?: string
  readonly hostname?: string
  readonly nodeName?: string
}

interface Port {
  readonly name?: string
  readonly port?: number
  readonly protocol?: string
  readonly appProtocol?: string
}

interface Subset {
  readonly addresses?: readonly Address[]
  readonly notReadyAddresses?: readonly Address[]
  readonly ports?: readonly Port[]
}

/** https://kubernetes.io/docs/concepts/services-networking/service/#endpoints */
export const endpointsRules: KindRules = {
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  validate({ subsets }, old) {
    const isKept = old !== undefined && jsonEqual(subsets ?? null, old.subsets ?? null)
    return isKept || !Array.isArray(subsets) ? [] : subsetErrors(subsets)
  },
  update: {
    allowsCreate: true,
  },
}

/** `validateEndpointSubsets` of Kubernetes v1.36.3. */
function subsetErrors(subsets: readonly Subset[]): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses: notReady = [], ports = [] }, position) => {
    const path = `subsets[${position}]`
    const isEmpty = addresses.length + notReady.length === 0
    return [
      ...(isEmpty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...addresses.flatMap((each, index) => addressErrors(each, `${path}.addresses[${index}]`)),
      ...notReady.flatMap((each, index) => addressErrors(each, `${path}.notReadyAddresses[${index}]`)),
      ...ports.flatMap((each, index) => portErrors(each, ports.length > 1, `${path}.ports[${index}]`)),
    ]
  })
}

function addressErrors({ ip = '', hostname = '', nodeName }: Address, path: string): FieldError[] {
  const isAddress = isIP(ip) !== 0
  return [
    ...checkAddress(`${path}.ip`, ip),
    ...(hostname === '' ? [] : checkName(`${path}.hostname`, hostname, checkLabelName)),
    ...(nodeName === undefined ? [] : checkName(`${path}.nodeName`, nodeName, checkSubdomainName)),
    ...(isAddress
      ? specialAddressErrors(`${path}.ip`, ip)
      : [invalidValue(`${path}.ip`, ip, 'must be a valid IP address')]),
  ]
}

function portErrors(
  { name = '', port = 0, protocol, appProtocol }: Port,
  isNamed: boolean,
  path: string,
): FieldError[] {
  const unnamed = isNamed ? [required(`${path}.name`, '')] : []
  return [
    ...(name === '' ? unnamed : checkName(`${path}.name`, name, checkLabelName)),
    ...checkPort(`${path}.port`, port),
    ...checkChoice(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ...(appProtocol === undefined ? [] : checkQualified(`${path}.appProtocol`, appProtocol)),
  ]
}
