import { parseApiVersion } from '../base/api-version.js'
import { formatTime } from '../base/clock.js'
import { type OpenObject, recordOf, textAt } from '../base/object.js'
import { type CheckedTypes, typeChecker } from '../custom/cel/type-check.js'
import { applyFields } from '../fields/apply-fields.js'
import { FieldSet } from '../fields/field-set.js'
import { type ManagedFields, readManagedFields, writeManagedFields } from '../fields/managed-fields.js'
import { resourceType } from '../fields/resource-type.js'
import { trackedType } from '../fields/tracked-type.js'
import { type ServedResource, withKind } from '../resources/served-resource.js'
import { structuralSchemaOf } from '../schema/built-in-schema.js'
import { structOf } from '../schema/schema.js'
import type { Schema } from '../schema/structural-schema.js'
import type { ServerParts } from '../server/context.js'

/** The storage of the policies whose types are checked. */
export const checkedPolicies = 'validatingadmissionpolicies.admissionregistration.k8s.io'
const manager = 'validatingadmissionpolicy-status'
/** The maximum number of kinds to check. */
const maxKinds = 10

interface PolicySpec {
  readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string }
  readonly matchConstraints?: { readonly resourceRules?: readonly ResourceRule[] }
  readonly validations?: readonly { readonly expression?: string; readonly messageExpression?: string }[]
}

interface ResourceRule {
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
}

interface ExpressionWarning {
  readonly fieldRef: string
  readonly warning: string
}

/**
 * Checks the expressions of a new or changed policy against the schemas of the kinds that it matches, and writes the
 * result into its status, as the controller of kube-controller-manager does.
 */
export function checkPolicyTypes(server: ServerParts, key: string): void {
  const entry = server.store.collection(checkedPolicies).get(key)
  const resource = server.registry.find('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies')
  if (entry === undefined || resource === undefined) return
  const policy = entry.object as OpenObject
  const { generation = 0, deletionTimestamp } = policy.metadata
  const { observedGeneration = 0 } = recordOf(policy.status)
  if (deletionTimestamp !== undefined || generation <= Number(observedGeneration)) return
  const expressionWarnings = warningsOf(server, recordOf(policy.spec))
  const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings }
  const status = { ...recordOf(policy.status), observedGeneration: generation, typeChecking }
  const managedFields = writeManagedFields(ownersOf(server, resource, { policy, status }))
  const metadata = { ...policy.metadata, ...(managedFields && { managedFields }) }
  const checked: OpenObject = { ...policy, metadata, status }
  server.store.put(checkedPolicies, key, checked)
}

function ownersOf(
  { clock }: ServerParts,
  resource: ServedResource,
  { policy, status }: { readonly policy: OpenObject; readonly status: Readonly<Record<string, unknown>> },
): ManagedFields {
  const { observedGeneration, typeChecking } = status
  return applyFields({
    type: trackedType(resource),
    whole: resourceType(resource),
    live: withKind(policy, resource),
    desired: { status: { observedGeneration, typeChecking } },
    managed: readManagedFields(policy.metadata.managedFields) ?? new Map(),
    manager: {
      manager,
      operation: 'Apply',
      apiVersion: 'admissionregistration.k8s.io/v1',
      subresource: 'status',
    },
    now: formatTime(clock.date()),
    ignored: new FieldSet(),
  }).managed
}

function warningsOf(server: ServerParts, spec: PolicySpec): ExpressionWarning[] {
  const params = paramsOf(server, spec)
  const checks = kindsOf(server, spec).flatMap((resource) => {
    const object = schemaOf(resource)
    return object === undefined ? [] : [{ resource, check: typeChecker({ object, params }) }]
  })
  return [...expressionsOf(spec)].flatMap(({ fieldRef, expression }) => {
    // The authorizer does not exist here; see docs/embedded-apiserver.md.
    if (expression === '' || /\bauthorizer\b/.test(expression)) return []
    const problems = checks.flatMap(({ resource, check }) => {
      const problem = check(expression)
      return problem === undefined ? [] : [`${nameOf(resource)}: ${problem}\n`]
    })
    return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join('\n') }]
  })
}

function* expressionsOf({ validations = [] }: PolicySpec) {
  for (const [index, { expression = '', messageExpression = '' }] of validations.entries()) {
    const path = `spec.validations[${index}]`
    yield { fieldRef: `${path}.expression`, expression }
    yield { fieldRef: `${path}.messageExpression`, expression: messageExpression }
  }
}

/** The name of a kind as Go prints it. */
const nameOf = ({ group, version, kind }: ServedResource) => `${group}/${version}, Kind=${kind}`

/** The matched kinds, sorted; rules with wildcards and subresources are not checked. */
function kindsOf({ registry }: ServerParts, { matchConstraints }: PolicySpec): ServedResource[] {
  const byName = new Map<string, ServedResource>()
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue
    for (const group of apiGroups) {
      for (const version of apiVersions) {
        for (const plural of resources.filter((name) => !/[*/]/.test(name))) {
          const resource = registry.find(group, version, plural)
          if (resource !== undefined) byName.set(nameOf(resource), resource)
        }
      }
    }
  }
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, resource]) => resource)
    .slice(0, maxKinds)
}

function paramsOf({ registry }: ServerParts, { paramKind }: PolicySpec): CheckedTypes['params'] {
  if (paramKind === undefined) return undefined
  const { group, version } = parseApiVersion(textAt(paramKind, 'apiVersion'))
  const resource = registry.findKind(group, version, textAt(paramKind, 'kind'))
  return (resource && schemaOf(resource)) ?? 'unknown'
}

function schemaOf(resource: ServedResource): Schema | undefined {
  if (resource.custom !== undefined) return resource.custom.schema
  const struct = structOf(resource)
  return struct && structuralSchemaOf(struct)
}
