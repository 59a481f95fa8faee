import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { plainOptions } from '../../engine/manager/plain-options.js'
import type { DefaultContext, FieldProblem, ValidateContext } from '../kind/define/admission.js'
import type { Kind, KindVersions } from '../kind/define/kind.js'

/** An operation that an admission webhook can be called for. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE'

/** Options of {@link admission}. */
export interface AdmissionOptions<T extends KubeObject> {
  /** Fills in fields; it must be idempotent. Default: `default` of the kind. */
  default?(ctx: DefaultContext, object: T): T
  /**
   * Returns every problem of an object; for DELETE `object` is the one to be deleted. Default: `validate` of
   * the kind.
   */
  validate?(ctx: ValidateContext, object: T, old?: T): readonly FieldProblem[]
  /**
   * The operations that `validate` is called for; default CREATE and UPDATE. With DELETE, objects cannot be deleted
   * while the operator is down.
   */
  operations?: readonly AdmissionOperation[]
  /**
   * The API server's action while the operator is down; default `Fail` for kinds of your own, `Ignore` for
   * others.
   */
  failurePolicy?: 'Fail' | 'Ignore'
}

/** The result of the function may be spread into its options. */
const optionTypes: OptionTypes<AdmissionOptions<KubeObject> & { resource: unknown }> = {
  resource: 'any',
  default: 'any',
  validate: 'any',
  operations: 'any',
  failurePolicy: 'any',
}

/** A kind that `defineKind` made, of any type. */
export interface WebhookKind<T extends KubeObject = KubeObject> extends Resource<T> {
  readonly schemas: Kind['schemas']
  readonly options: Pick<AdmissionOptions<T>, 'default' | 'validate'> & {
    readonly spec: Kind['options']['spec']
    readonly versions?: KindVersions
  }
}

/** A kind with its admission webhooks. */
export interface Admission<T extends KubeObject = KubeObject> extends AdmissionOptions<T> {
  readonly resource: Resource<T>
}

/**
 * The groups of Kubernetes itself that must not depend on an operator, with the resources that must not; `*` for all.
 */
const refused: Readonly<Record<string, readonly string[]>> = {
  'coordination.k8s.io': ['leases'],
  'authentication.k8s.io': ['*'],
  'authorization.k8s.io': ['*'],
  'admissionregistration.k8s.io': ['*'],
}

/**
 * Declares admission webhooks for a kind that you did not define, or for your own kind with further options besides its
 * `default` and `validate`.
 *
 * @example
 * ```ts
 * const limits = admission(configMaps, {
 *   validate: (ctx, map) => (map.data?.size ? [] : [{ path: 'data.size', message: 'is required' }]),
 * })
 * const operator = createOperator({ name: 'limits', webhooks: { kinds: [limits] } })
 * ```
 */
export function admission<T extends KubeObject>(
  resource: Resource<T>,
  options: AdmissionOptions<T> = {},
): Admission<T> {
  checkOptions('admission', options, optionTypes)
  checkMayIntercept(resource)
  return { ...handlersOf(resource), ...plainOptions(options, optionTypes), resource }
}

/** Throws `PluginError` `INVALID_WEBHOOK` for a resource that the API server or the operator itself needs to work. */
export function checkMayIntercept(resource: Pick<Resource, 'group' | 'plural'>): void {
  const { group, plural } = resource
  const isWild = group === '*' || plural === '*'
  const resources = Object.hasOwn(refused, group) ? refused[group] : undefined
  if (!isWild && !resources?.includes('*') && !resources?.includes(plural)) return
  const message = isWild
    ? `a webhook for ${formatResource(resource)} could block the cluster: name the kinds that it is for`
    : `a webhook for ${formatResource(resource)} could block the API server and this operator: leave it out`
  throw new PluginError('INVALID_WEBHOOK', message)
}

/** Whether a resource is a kind that `defineKind` made. */
export function isDefinedKind<T extends KubeObject>(resource: Resource<T>): resource is WebhookKind<T> {
  return 'schemas' in resource && 'options' in resource
}

function handlersOf<T extends KubeObject>(resource: Resource<T>): AdmissionOptions<T> {
  if (!isDefinedKind(resource)) return {}
  const { options } = resource
  const { default: fill, validate } = options
  return {
    ...(fill && { default: fill.bind(options) }),
    ...(validate && { validate: validate.bind(options) }),
  }
}

/** A kind, or a kind with its admission webhooks, as the latter. */
export function asAdmission(given: Resource | Admission): Admission {
  return 'resource' in given ? given : admission(given)
}
