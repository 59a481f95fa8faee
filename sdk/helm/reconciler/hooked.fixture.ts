/** Charts with hooks, for the tests of hooks. */
import type { Test } from 'tap'
import type { TestOperator, TestOperatorOptions } from '../../../testing/index.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { functionChart } from '../chart/function-chart.js'
import { configMap, key } from './greetings.fixture.js'
import type { HelmControllerOptions } from './options/options.js'
import { start } from './reconciled.fixture.js'

export const jobs: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

export interface Hook {
  readonly events: string
  readonly policy?: string
  readonly weight?: string
}

export const annotationsOf = ({ events, policy, weight }: Hook) => ({
  'helm.sh/hook': events,
  ...(policy && { 'helm.sh/hook-delete-policy': policy }),
  ...(weight && { 'helm.sh/hook-weight': weight }),
})

export const account = (name: string, hook: Hook) =>
  ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, annotations: annotationsOf(hook) },
  }) as KubeObject

export const job = (name: string, hook: Hook, spec = {}) =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, annotations: annotationsOf(hook) },
    spec: {
      ...spec,
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } },
    },
  }) as KubeObject

/** A chart with a ConfigMap, and hooks. */
export const hooked = (...hooks: KubeObject[]) =>
  functionChart({ name: 'hooked', version: '1.0.0' }, ({ text }, { name }) => [
    configMap(name, { text: String(text) }),
    ...hooks,
  ])

export const startWith = (
  t: Test,
  hooks: KubeObject[],
  { options = {}, ...more }: TestOperatorOptions & { options?: Partial<HelmControllerOptions> } = {},
) => start(t, { chart: hooked(...hooks), ...options }, more)

export const end = ({ client }: TestOperator, name: string, type: 'Complete' | 'Failed') => {
  const time = '2026-01-01T00:00:00Z'
  const types = type === 'Complete' ? ['SuccessCriteriaMet', type] : ['FailureTarget', type]
  const conditions = types.map((type) => ({ type, status: 'True', lastTransitionTime: time }))
  const counted = type === 'Complete' ? { completionTime: time, succeeded: 1 } : { failed: 1 }
  const body = { status: { startTime: time, ...counted, conditions } }
  return client.patch(jobs, { ...key, name }, { type: 'merge', subresource: 'status', body })
}

export const before = { events: 'pre-install,pre-upgrade', policy: 'before-hook-creation,hook-succeeded' }
