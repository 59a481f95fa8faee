import { recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { conditionsErrors } from '../validation/conditions.js'
import { type FieldError, invalidValue, unsupported } from '../validation/field-error.js'
import { checkPathSegmentName } from '../validation/names.js'
import { checkNotNegative } from '../validation/values.js'
import { type LabelSelector, selectorErrors } from './selector-errors.js'
import { checkAtMost100Percent, checkIntOrPercent, type IntOrPercent } from './workloads/int-or-percent.js'

const policies = ['AlwaysAllow', 'IfHealthyBudget']

interface BudgetSpec {
  readonly minAvailable?: IntOrPercent
  readonly maxUnavailable?: IntOrPercent
  readonly selector?: LabelSelector
  readonly unhealthyPodEvictionPolicy?: string
}

/** https://kubernetes.io/docs/tasks/run-application/configure-pdb/ */
export const podDisruptionBudgetRules: KindRules = {
  metadata: {
    name: checkPathSegmentName,
    repeatedOnUpdate: 'none',
    checksFinalizers: false,
    generation: true,
  },
  validate: ({ spec, status }, _old, subresource) =>
    subresource === 'status' ? statusErrors(recordOf(status)) : specErrors(recordOf(spec)),
  update: {
    needsVersion: true,
  },
}

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']

/** `ValidatePodDisruptionBudgetStatusUpdate` of Kubernetes v1.36.3. */
function statusErrors(status: Readonly<Record<string, unknown>>): FieldError[] {
  return [
    ...conditionsErrors('status.conditions', status.conditions),
    ...counts.flatMap((name) => checkNotNegative(`status.${name}`, Number(status[name] ?? 0))),
  ]
}

/** `ValidatePodDisruptionBudgetSpec` of Kubernetes v1.36.3. */
function specErrors(spec: BudgetSpec): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  const isTwice = minAvailable !== undefined && maxUnavailable !== undefined
  return [
    ...(isTwice
      ? [invalidValue('spec', specInGo(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...partErrors('spec.minAvailable', minAvailable),
    ...partErrors('spec.maxUnavailable', maxUnavailable),
    ...selectorErrors(selector, 'spec.selector'),
    ...(policy === undefined || policies.includes(policy)
      ? []
      : [unsupported('spec.unhealthyPodEvictionPolicy', JSON.stringify(policy), policies)]),
  ]
}

/** The spec in the format of Go's own type. */
function specInGo(spec: BudgetSpec): object {
  const { minAvailable, selector = null, maxUnavailable, unhealthyPodEvictionPolicy: policy = null } = spec
  return {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: policy,
  }
}

function partErrors(field: string, amount: IntOrPercent | undefined): FieldError[] {
  return amount === undefined
    ? []
    : [...checkIntOrPercent(field, amount), ...checkAtMost100Percent(field, amount)]
}
