import { isIP } from 'node:net'
import { recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue, required, unsupported } from '../validation/field-error.js'
import {
  checkLabelName,
  checkSubdomainName,
  checkWildcardName,
  portNameProblems,
} from '../validation/names.js'
import { checkName, checkPort, checkRequiredName } from '../validation/values.js'

interface Backend {
  readonly resource?: { readonly apiGroup?: string | null; readonly kind?: string; readonly name?: string }
  readonly service?: {
    readonly name?: string
    readonly port?: { readonly name?: string; readonly number?: number }
  }
}

interface Path {
  readonly path?: string
  readonly pathType?: string | null
  readonly backend?: Backend
}

interface IngressSpec {
  readonly ingressClassName?: string
  readonly defaultBackend?: Backend
  readonly rules?: readonly {
    readonly host?: string
    readonly http?: { readonly paths?: readonly Path[] | null }
  }[]
  readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[]
}

const classAnnotation = 'kubernetes.io/ingress.class'
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F']
const forbiddenSuffixes = ['/..', '/.']

const classWarning = `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`

/** https://kubernetes.io/docs/concepts/services-networking/ingress/ */
export const ingressRules: KindRules = {
  metadata: {
    generation: true,
  },
  validate({ spec, metadata }, old, subresource) {
    if (subresource === 'status') return []
    const ingressSpec: IngressSpec = recordOf(spec)
    const older = metadata.annotations?.[classAnnotation]
    const { ingressClassName = older } = ingressSpec
    const why = 'must match `ingressClassName` when both are specified'
    const isTold = old === undefined && older !== undefined && older !== ingressClassName
    const field = `annotations.${classAnnotation}`
    return [...specErrors(ingressSpec), ...(isTold ? [invalidValue(field, older, why)] : [])]
  },
  create: {
    warnings: ({ metadata }) => (metadata.annotations?.[classAnnotation] === undefined ? [] : [classWarning]),
  },
}

/** `ValidateIngressSpec` of Kubernetes v1.36.3. */
function specErrors({ rules = [], defaultBackend, tls = [], ingressClassName }: IngressSpec): FieldError[] {
  const why = 'either `defaultBackend` or `rules` must be specified'
  const isEmpty = rules.length === 0 && defaultBackend === undefined
  return [
    ...(isEmpty ? [invalidValue('spec', null, why)] : []),
    ...(defaultBackend === undefined ? [] : backendErrors(defaultBackend, 'spec.defaultBackend')),
    ...rules.flatMap(({ host = '', http }, index) => [
      ...hostErrors(host, `spec.rules[${index}].host`),
      ...(http === undefined ? [] : pathsErrors(http.paths ?? [], `spec.rules[${index}].http.paths`)),
    ]),
    ...tls.flatMap(({ hosts = [], secretName = '' }, position) => [
      ...hosts.flatMap((host, index) => nameErrors(host, `spec.tls[${position}].hosts[${index}]`)),
      ...(secretName === ''
        ? []
        : checkName(`spec.tls[${position}].secretName`, secretName, checkSubdomainName)),
    ]),
    ...(ingressClassName === undefined
      ? []
      : checkName('spec.ingressClassName', ingressClassName, checkSubdomainName)),
  ]
}

function hostErrors(host: string, field: string): FieldError[] {
  if (host === '') return []
  const why = 'must be a DNS name, not an IP address'
  return [...(isIP(host) === 0 ? [] : [invalidValue(field, host, why)]), ...nameErrors(host, field)]
}

function nameErrors(host: string, field: string): FieldError[] {
  return checkName(field, host, host.includes('*') ? checkWildcardName : checkSubdomainName)
}

function pathsErrors(paths: readonly Path[], field: string): FieldError[] {
  if (paths.length === 0) return [required(field, '')]
  return paths.flatMap((path, index) => pathErrors(path, `${field}[${index}]`))
}

function pathErrors({ path = '', pathType, backend = {} }: Path, pathField: string): FieldError[] {
  if (pathType === undefined || pathType === null) {
    return [required(`${pathField}.pathType`, 'pathType must be specified')]
  }
  if (!pathTypes.includes(pathType)) {
    const unknown = unsupported(`${pathField}.pathType`, JSON.stringify(pathType), pathTypes)
    return [unknown, ...backendErrors(backend, `${pathField}.backend`)]
  }
  const isFree = pathType === 'ImplementationSpecific'
  const isAbsolute = path.startsWith('/') || (isFree && path === '')
  const refuse = (why: string) => invalidValue(`${pathField}.path`, path, why)
  return [
    ...(isAbsolute ? [] : [refuse('must be an absolute path')]),
    ...(isFree
      ? []
      : forbiddenSequences
          .filter((sequence) => path.includes(sequence))
          .map((sequence) => refuse(`must not contain '${sequence}'`))),
    ...(isFree
      ? []
      : forbiddenSuffixes
          .filter((sequence) => path.endsWith(sequence))
          .map((sequence) => refuse(`cannot end with '${sequence}'`))),
    ...backendErrors(backend, `${pathField}.backend`),
  ]
}

function backendErrors({ resource, service }: Backend, path: string): FieldError[] {
  if (resource !== undefined && service !== undefined) {
    return [invalidValue(path, '', 'cannot set both resource and service backends')]
  }
  if (service !== undefined) return serviceErrors(service, path)
  if (resource === undefined) return [invalidValue(path, '', 'resource or service backend is required')]
  const apiGroup = resource.apiGroup ?? ''
  return [
    ...(apiGroup === '' ? [] : checkName(`${path}.resource.apiGroup`, apiGroup, checkSubdomainName)),
    ...(['kind', 'name'] as const).flatMap((name) =>
      (resource[name] ?? '') === '' ? [required(`${path}.resource.${name}`, '')] : [],
    ),
  ]
}

function serviceErrors(
  { name = '', port = {} }: NonNullable<Backend['service']>,
  path: string,
): FieldError[] {
  return [...checkRequiredName(`${path}.service.name`, name, checkLabelName), ...portErrors(port, path)]
}

function portErrors(port: { readonly name?: string; readonly number?: number }, path: string): FieldError[] {
  const { name = '', number = 0 } = port
  if (name !== '' && number !== 0) return [invalidValue(path, '', 'cannot set both port name & port number')]
  if (number !== 0) return checkPort(`${path}.service.port.number`, number)
  if (name === '') return [required(path, 'port name or number is required')]
  return portNameProblems(name).map((problem) => invalidValue(`${path}.service.port.name`, name, problem))
}
