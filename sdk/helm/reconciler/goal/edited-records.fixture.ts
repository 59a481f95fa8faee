// The fixture of tests of edited records: a chart with objects in and outside of the namespace of its release.
import type { Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps, namespaces } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { annotationNames, defaultAnnotations } from '../../annotations/annotation-reader.js'
import { functionChart } from '../../chart/function-chart.js'
import { byNumber } from '../../release/history.js'
import type { Release } from '../../release/release.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import type { HelmControllerOptions } from '../options/options.js'
import { edit, start, statusOf } from '../reconciled.fixture.js'
import { digestsIn, type RevisionDigest } from '../run/recorded-digests.js'

const clusterRoles: Resource<KubeObject & { rules?: unknown[] }> = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
}
export const roleRules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]

/** Whether the chart can be rendered. */
export const rendering = { works: true }

/** The parts of a version of the chart outside of the namespace: rules of a ClusterRole, and the text of a hook. */
interface Outside {
  readonly rules?: readonly object[]
  readonly bye?: string
}

/** A ConfigMap, a ClusterRole with the version of the chart, and a hook in another namespace. */
export const chartOf = (version: string, { rules = roleRules, bye = 'bye' }: Outside = {}) =>
  functionChart({ name: 'wide', version }, ({ text = 'a', immutable }, { name }) => {
    if (!rendering.works) throw new Error('the chart is broken')
    const hook = configMap('farewell', { text: bye }, { 'helm.sh/hook': 'pre-delete' })
    const metadata = { name: 'reader', labels: { 'helm.sh/chart': `wide-${version}` } }
    return [
      { ...configMap(name, { text: String(text) }), ...(immutable ? { immutable } : {}) },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata,
        rules,
      } as KubeObject,
      { ...hook, metadata: { ...hook.metadata, namespace: 'other' } },
    ]
  })

const annotations = { ...defaultAnnotations, rollbackTo: annotationNames.rollbackTo }

export async function started(t: Test, options: Partial<HelmControllerOptions> = {}, before?: TestOperator) {
  rendering.works = true
  const servers = before && { servers: { main: before.server } }
  const test = await start(t, { chart: chartOf('1.0.0'), annotations, ...options }, servers)
  if (!before) await test.client.create(namespaces, { metadata: { name: 'other' } })
  return test
}

/** Changes a record, as a user who may write Secrets can. */
export async function forge({ client }: TestOperator, version: number, change: (release: Release) => object) {
  const store = new ReleaseStore(client, Date.now)
  const records = byNumber(await store.revisions('default', 'hello'))
  const record = records.find(({ release }) => release.version === version)
  if (!record) throw new Error(`there is no revision ${version}`)
  await store.update({ ...record, release: { ...record.release, ...change(record.release) } })
}

export const farewell = async ({ client }: TestOperator) => {
  const { items } = await client.list(configMaps, { namespace: 'other' })
  return items.find(({ metadata }) => metadata.name === 'farewell')?.data?.text
}
export const rulesOf = async ({ client }: TestOperator) => {
  const { items } = await client.list(clusterRoles)
  return items.find(({ metadata }) => metadata.name === 'reader')?.rules
}
export const hookWith = (text: string) => (release: Release) => ({
  hooks: release.hooks.map((hook) => ({ ...hook, manifest: hook.manifest.replace(/bye/, text) })),
})

export const digestsOf = async (test: TestOperator) => digestsIn((await statusOf(test)) ?? {})
export const digestedRevisions = async (test: TestOperator) =>
  (await digestsOf(test)).map(({ revision }) => revision)
export const setStatus = ({ client }: TestOperator, status: object) =>
  client.patch(greetings, key, { type: 'merge', subresource: 'status', body: { status } })
export const setDigests = (test: TestOperator, revisionDigests: readonly RevisionDigest[]) =>
  setStatus(test, { revisionDigests })

/** Asks for a rollback to a revision; null asks for none. */
export const rollBackTo = (test: TestOperator, to: number | null) =>
  edit(test, {
    metadata: { annotations: { [annotationNames.rollbackTo ?? '']: to === null ? null : String(to) } },
  })
