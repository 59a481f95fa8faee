/** The errors of fields of a pod that its containers read, by their environment or from a file. */
import { recordOf, textAt } from '../base/object.js'
import { parseQuantity } from '../schema/quantity.js'
import { type FieldError, invalidValue, required, unsupported } from '../validation/field-error.js'
import { checkQualified } from '../validation/values.js'

/** The place of a reference, and the use of its value. */
export interface Downward {
  /** The path of the reference. */
  readonly path: string
  /** Whether the field is written to a file of a volume; otherwise it sets an environment variable. */
  readonly isFile: boolean
}

/** The fields of variables. */
const variables = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
const files = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]
/** The fields that exist, but are not for every use. */
const knownFields = [...variables, ...files, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']
const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]

/** The errors of a reference to a field; `validateObjectFieldSelector` of Kubernetes v1.36.3. */
export function fieldPathErrors(reference: object, { path, isFile }: Downward): FieldError[] {
  const [version, name] = [textAt(reference, 'apiVersion'), textAt(reference, 'fieldPath')]
  const field = `${path}.fieldPath`
  const refuse = (why: string) => [invalidValue(field, name, `error converting fieldPath: ${why}`)]
  if (name === '') return [required(field, '')]
  if (version !== '' && version !== 'v1') return refuse(`unsupported pod version: ${version}`)
  const start = name.indexOf("['")
  if (start > 0 && name.endsWith("']") && start + 2 <= name.length - 2) {
    const [map, key] = [name.slice(0, start), name.slice(start + 2, -2)]
    if (!/^metadata\.(?:labels|annotations)$/.test(map))
      return refuse(`field label does not support subscript: ${name}`)
    return checkQualified(path, map === 'metadata.labels' ? key : key.toLowerCase())
  }
  const currentName = name === 'spec.host' ? 'spec.nodeName' : name
  if (!knownFields.includes(currentName)) return refuse(`field label not supported: ${name}`)
  const allowed = isFile ? files : variables
  return allowed.includes(currentName) ? [] : [unsupported(field, JSON.stringify(currentName), allowed)]
}

/** The errors of a reference to a request or limit; `validateContainerResourceFieldSelector`. */
export function resourceFieldErrors(reference: object, { path, isFile }: Downward): FieldError[] {
  const [container, resource] = [textAt(reference, 'containerName'), textAt(reference, 'resource')]
  return [
    ...(isFile && container === ''
      ? [required(`${path}.containerName`, '')]
      : resourceErrors(resource, `${path}.resource`)),
    ...divisorErrors(resource, recordOf(reference).divisor, `${path}.divisor`),
  ]
}

const hugePages = /^(?:limits|requests)\.hugepages-/

function resourceErrors(resource: string, field: string): FieldError[] {
  if (resource === '') return [required(field, '')]
  if (resources.includes(resource) || hugePages.test(resource)) return []
  return [unsupported(field, JSON.stringify(resource), resources)]
}

const cpu = ['1m', '1']
const bytes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']
/** The resources by the end of their names, with their units. */
const unitsByResource: readonly [resource: RegExp, units: readonly string[], shownName: string][] = [
  [/^\w+\.cpu$/, cpu, 'cpu'],
  [/^\w+\.memory$/, bytes, 'memory'],
  [/^\w+\.ephemeral-storage$/, bytes, 'local ephemeral storage'],
  [hugePages, bytes, 'hugepages'],
]

function divisorErrors(resource: string, divisor: unknown, field: string): FieldError[] {
  if (divisor === undefined || parseQuantity(String(divisor)).nano === 0n) return []
  const [, units = [], shownName = ''] = unitsByResource.find(([names]) => names.test(resource)) ?? []
  if (units.length === 0 || units.includes(String(divisor))) return []
  const listed = units === cpu ? '1m and 1' : units.join(', ')
  return [
    invalidValue(
      field,
      resource,
      `only divisor's values ${listed} are supported with the ${shownName} resource`,
    ),
  ]
}
