import * as z from 'zod'
import { groupOfApiVersion, isApiVersion } from '../../engine/kube/api-version.js'
import { ApiError } from '../../engine/kube/error.js'
import { pluralOf } from '../../operator/kind/define/plural.js'
import type { PolicyRule } from '../manager/policy-rule.js'
import type { ClusterMethod } from './messages.js'

/** The verbs that a call of the cluster needs, as in RBAC. */
const verbsOf: Readonly<Record<ClusterMethod, readonly string[]>> = {
  get: ['get'],
  list: ['list'],
  apply: ['create', 'patch'],
  delete: ['delete'],
  scaleDown: ['patch'],
  scaleUp: ['patch'],
  wait: ['get'],
}

/** The maximum number of objects in a call, because each is compared with all rules. */
const maxObjects = 1_000

const namespace = z.string().max(253).optional()
const reference = z.looseObject({
  apiVersion: z.string().max(317).refine(isApiVersion),
  kind: z.string().min(1).max(63),
  namespace,
  metadata: z.looseObject({ namespace }).optional(),
})
type Reference = z.infer<typeof reference>

/** One permission that a call needs. */
interface Need {
  readonly group: string
  readonly resource: string
  readonly verb: string
  readonly namespace: string
}

/**
 * Throws an `ApiError` 403 that gives the missing rule unless the rules cover a call; 400 if the objects of the call
 * cannot be read. Without rules, a program may do what the operator may.
 */
export function checkPermissions(
  program: string,
  { method, first }: { method: ClusterMethod; first: unknown },
  rules: readonly PolicyRule[] | undefined,
): void {
  const references = referencesOf(method, first)
  if (rules === undefined) return
  const missing = references
    .flatMap((one) => needsOf(method, one))
    .filter((one) => !rules.some((rule) => covers(rule, one)))
  const [need] = missing
  if (need) throw forbiddenError(program, need, verbsFor(need, missing))
}

/** The verbs that are missing for the same objects as those of one need. */
function verbsFor({ group, resource, namespace }: Need, missing: readonly Need[]): string[] {
  const needs = missing.filter(
    (need) => need.group === group && need.resource === resource && need.namespace === namespace,
  )
  return [...new Set(needs.map(({ verb }) => verb))]
}

function referencesOf(method: ClusterMethod, first: unknown): Reference[] {
  const objects: unknown[] = Array.isArray(first) ? first : [first]
  if (objects.length > maxObjects) throw tooManyError(method, objects.length)
  const { data } = z.array(reference).safeParse(objects)
  if (data) return data
  throw new ApiError({
    code: 400,
    reason: 'BadRequest',
    message: `cluster.${method}: each object needs a kind as text, and an apiVersion such as v1 or apps/v1`,
  })
}

const tooManyError = (method: ClusterMethod, count: number) =>
  new ApiError({
    code: 400,
    reason: 'BadRequest',
    message: `cluster.${method}: ${count} objects; pass at most ${maxObjects} at a time`,
  })

function needsOf(method: ClusterMethod, { apiVersion, kind, ...rest }: Reference): Need[] {
  const group = groupOfApiVersion(apiVersion)
  const namespaces = new Set([rest.namespace, rest.metadata?.namespace].filter((one) => one !== undefined))
  if (namespaces.size === 0) namespaces.add('')
  return [...namespaces].flatMap((namespace) =>
    verbsOf[method].map((verb) => ({ group, resource: pluralOf(kind), verb, namespace })),
  )
}

const matches = (allowed: string, wanted: string) => allowed === '*' || allowed === wanted

const covers = (rule: PolicyRule, need: Need): boolean =>
  matches(rule.group, need.group) &&
  matches(rule.resource, need.resource) &&
  rule.verbs.some((verb) => matches(verb, need.verb)) &&
  (rule.namespace === undefined || rule.namespace === need.namespace)

function forbiddenError(
  program: string,
  { group, resource, namespace: within }: Need,
  verbs: readonly string[],
): ApiError {
  const qualifiedResource = group === '' ? resource : `${resource}.${group}`
  const rule = [
    `group: '${group}'`,
    `resource: '${resource}'`,
    `verbs: [${verbs.map((verb) => `'${verb}'`).join(', ')}]`,
    ...(within === '' ? [] : [`namespace: '${within}'`]),
  ].join(', ')
  const where = within === '' ? '' : ` in namespace ${within}`
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${program} may not ${verbs.join(', ')} ${qualifiedResource}${where}: add { ${rule} } to permissions in its defineProgram`,
  })
}
