import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required, unsupported } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { isEmptySelector, isUsable, selectorErrors } from '../selector-errors.js'
import { immutableErrors } from './immutable.js'
import {
  checkAtMost100Percent,
  checkIntOrPercent,
  type IntOrPercent,
  numberOf,
  rollingUpdateInGo,
} from './int-or-percent.js'
import { countErrors, type StatusChecks } from './status-errors.js'
import {
  mismatchErrors,
  restartAndDeadlineErrors,
  templateErrors,
  type WorkloadSpec,
} from './template-errors.js'

interface Strategy {
  readonly type?: string
  readonly rollingUpdate?: { readonly maxUnavailable?: IntOrPercent; readonly maxSurge?: IntOrPercent }
}

interface DaemonSetSpec extends WorkloadSpec {
  readonly updateStrategy?: Strategy
  readonly minReadySeconds?: number
  readonly revisionHistoryLimit?: number
}

/** The annotation with the number of the template, for older clients. */
const templateGeneration = 'deprecated.daemonset.template.generation'

function countTemplate(object: OpenObject, generation: string): void {
  object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: generation }
}

const status: StatusChecks = {
  counts: [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ],
}

const warnings = workloadWarnings({ isInNames: false })

/** https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/ */
export const daemonSetRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
    generation: true,
  },
  read: {
    inViews(object) {
      const { [templateGeneration]: _generation, ...annotations } = object.metadata.annotations ?? {}
      const { annotations: _annotations, ...metadata } = object.metadata
      const isEmpty = Object.keys(annotations).length === 0
      return { ...object, metadata: isEmpty ? metadata : { ...metadata, annotations } }
    },
  },
  setDefaults(object) {
    if (object.metadata.annotations?.[templateGeneration] === undefined) countTemplate(object, '0')
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return countErrors(object, status)
    const spec: DaemonSetSpec = recordOf(object.spec)
    const changes = old === undefined ? [] : immutableErrors(spec, recordOf(old.spec), ['selector'])
    return [...changes, ...daemonSetErrors(spec)]
  },
  create: {
    ...warnings.create,
    prepare(object) {
      const givenGeneration = Number(object.metadata.annotations?.[templateGeneration] ?? 1)
      countTemplate(object, String(Math.max(givenGeneration || 1, 1)))
    },
  },
  update: {
    ...warnings.update,
    prepare(object, old) {
      const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0)
      const isSame = jsonEqual(fieldAt(object, 'spec', 'template'), fieldAt(old, 'spec', 'template'))
      countTemplate(object, String(isSame ? before : before + 1))
    },
  },
  status: {
    prepare(object, old) {
      countTemplate(object, old.metadata.annotations?.[templateGeneration] ?? '0')
    },
  },
}

/** `ValidateDaemonSetSpec` of Kubernetes v1.36.3. */
function daemonSetErrors(spec: DaemonSetSpec): FieldError[] {
  const { selector, template = {}, updateStrategy = {} } = spec
  const isEmpty = selector !== undefined && selector !== null && isEmptySelector(selector)
  const empty = 'empty selector is invalid for daemonset'
  return [
    ...selectorErrors(selector, 'spec.selector'),
    ...(isUsable(selector) ? mismatchErrors(spec) : []),
    ...(isEmpty ? [invalidValue('spec.selector', selector, empty)] : []),
    ...templateErrors(template, 'spec.template'),
    ...restartAndDeadlineErrors(template, 'DaemonSet'),
    ...checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...strategyErrors(updateStrategy, 'spec.updateStrategy'),
    ...checkNotNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
  ]
}

function strategyErrors({ type, rollingUpdate }: Strategy, path: string): FieldError[] {
  if (type === 'OnDelete') return []
  if (type === 'RollingUpdate') return rollingErrors(rollingUpdate ?? {}, `${path}.rollingUpdate`)
  const strategyText = JSON.stringify({ Type: type, RollingUpdate: rollingUpdateInGo(rollingUpdate) })
  return [unsupported(path, strategyText, ['RollingUpdate', 'OnDelete'])]
}

function rollingErrors(
  { maxUnavailable = 0, maxSurge = 0 }: NonNullable<Strategy['rollingUpdate']>,
  path: string,
): FieldError[] {
  const [unavailable, surge] = [`${path}.maxUnavailable`, `${path}.maxSurge`]
  const [unavailableCount, added] = [numberOf(maxUnavailable), numberOf(maxSurge)]
  return [
    ...checkIntOrPercent(unavailable, maxUnavailable),
    ...checkIntOrPercent(surge, maxSurge),
    ...checkAtMost100Percent(unavailable, maxUnavailable),
    ...checkAtMost100Percent(surge, maxSurge),
    ...(unavailableCount !== 0 && added !== 0
      ? [invalidValue(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(unavailableCount === 0 && added === 0
      ? [required(unavailable, 'cannot be 0 when maxSurge is 0')]
      : []),
  ]
}
