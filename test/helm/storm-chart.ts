import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { configMap } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { releasedKind } from './real-kinds.js'

export const stormy = releasedKind('Stormy')

/** The events that have hooks. */
export const stormEvents = [
  'pre-install',
  'post-install',
  'pre-upgrade',
  'post-upgrade',
  'pre-delete',
  'post-delete',
]

const rbac = 'rbac.authorization.k8s.io'

/** The objects of the hooks of one event: the Job runs as an account that is there for it alone. */
function hooksOf(release: string, event: string): KubeObject[] {
  const name = `${release}-${event}`
  const annotations = {
    'helm.sh/hook': event,
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  }
  const metadata = { name, annotations }
  const pod = {
    serviceAccountName: name,
    restartPolicy: 'Never',
    containers: [{ name: 'a', image: 'a.invalid/a' }],
  }
  const subject = { kind: 'ServiceAccount', name, namespace: 'default' }
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules: [] },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects: [subject],
    },
    { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { backoffLimit: 0, template: { spec: pod } } },
  ] as KubeObject[]
}

/** A chart with a Job for each event. */
export const stormChart = functionChart({ name: 'stormy', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text: String(text) }),
  ...stormEvents.flatMap((event) => hooksOf(name, event)),
])
