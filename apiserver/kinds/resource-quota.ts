import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { parseQuantity } from '../schema/quantity.js'
import { type FieldError, invalidValue } from '../validation/field-error.js'
import { type QuotaScopes, scopeErrors } from './quota-scope-errors.js'
import { isIntegerResource, quotaResourceErrors } from './resource-names.js'

interface QuotaSpec extends QuotaScopes {
  readonly hard?: Readonly<Record<string, string>>
}

const nanosPerUnit = 1_000_000_000n

/** https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
export const resourceQuotaRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
  },
  validate({ spec, status }, old, subresource) {
    const { hard, used } = recordOf(status)
    if (subresource === 'status')
      return [...amountErrors('status.hard', hard), ...amountErrors('status.used', used)]
    const requested: QuotaSpec = recordOf(spec)
    const errors = [
      ...amountErrors('spec.hard', requested.hard),
      ...scopeErrors(requested, Object.keys(requested.hard ?? {})),
    ]
    return old === undefined ? errors : [...errors, ...changeErrors(requested, recordOf(old.spec))]
  },
  delete: {
    returnsObject: true,
  },
}

function amountErrors(path: string, amounts: unknown): FieldError[] {
  return Object.entries(recordOf(amounts)).flatMap(([name, text]) => {
    const field = `${path}[${name}]`
    const { nano } = parseQuantity(String(text))
    return [
      ...quotaResourceErrors(name, field),
      ...(nano < 0n ? [invalidValue(field, text, 'must be greater than or equal to 0')] : []),
      ...(isIntegerResource(name) && nano % nanosPerUnit !== 0n
        ? [invalidValue(field, text, 'must be an integer')]
        : []),
    ]
  })
}

/** Scopes may only change their order. */
function changeErrors({ scopes = [] }: QuotaScopes, { scopes: old = [] }: QuotaScopes): FieldError[] {
  const sorted = (each: readonly string[]) => [...new Set(each)].sort()
  if (jsonEqual(sorted(scopes), sorted(old))) return []
  return [invalidValue('spec.scopes', scopes.length === 0 ? null : scopes, 'field is immutable')]
}
