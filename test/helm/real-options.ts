/**
 * Options of releases whose effect a real API server, its controllers and helm decide. Parts of real.test.ts, with one
 * control plane.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { configMaps, deployments, namespaces } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { apiVersionOf, type Resource } from '../../sdk/engine/kube/resource.js'
import { annotationNames } from '../../sdk/helm/annotations/annotation-reader.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { chart, configMap } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { LiveObjects } from '../../sdk/helm/reconciler/objects/live-objects.js'
import type { ReleaseObject } from '../../sdk/helm/reconciler/objects/release-object.js'
import type { HelmControllerOptions } from '../../sdk/helm/reconciler/options/options.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const scaled = releasedKind('Scaled')
const placed = releasedKind('Placed')
const held = releasedKind('Held')
const stuck = releasedKind('Stuck')
const forced = releasedKind('Forced')
/** A kind without a reconciler. */
const unreconciled = releasedKind('Unreconciled')
const at = (name: string) => ({ namespace: 'default', name })
const edit = (spec: object) => ({ type: 'merge', body: { spec } }) as const

const web = functionChart({ name: 'web', version: '1.0.0' }, ({ replicas = 1, text, app }, { name }) => [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations: { text: String(text) } },
    spec: {
      replicas,
      selector: { matchLabels: { app: app ?? name } },
      template: {
        metadata: { labels: { app: app ?? name } },
        spec: { containers: [{ name: 'a', image: 'a.invalid/a' }] },
      },
    },
  } as KubeObject,
])
const clinging = functionChart({ name: 'clinging', version: '1.0.0' }, (_, { name }) => {
  const object = configMap(name, {})
  return [{ ...object, metadata: { ...object.metadata, finalizers: ['example.com/never'] } }]
})

const reconcilers: readonly HelmControllerOptions[] = [
  {
    resource: scaled.kind,
    chart: web,
    ignoreDrift: [{ kind: 'Deployment.apps', paths: ['spec.replicas'] }],
  },
  { resource: placed.kind, chart, targetNamespace: 'apps', createNamespace: true },
  { resource: held.kind, chart, onForeignRevision: 'hold' },
  { resource: forced.kind, chart: web },
  { resource: stuck.kind, chart: clinging, annotations: annotationNames, uninstallTimeoutMs: 200 },
]

/** The definitions of the kinds. */
export const optionDefinitions = [scaled, placed, held, stuck, forced, unreconciled].map(
  ({ definition }) => definition,
)

/** Registers the reconcilers of the kinds. */
export function registerOptions(operator: Operator): void {
  for (const options of reconcilers) operator.register(helmController(options))
}

/** An autoscaler decides the replicas of a Deployment. */
export async function leavesReplicas(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('scaled')
  const live = () => client.get(deployments, key)
  await client.create(scaled.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  // As an autoscaler does it.
  const scale = { type: 'merge', subresource: 'scale', body: { spec: { replicas: 5 } } } as const
  await client.patch<KubeObject>(deployments, key, scale)
  await client.patch(scaled.kind, key, edit({ text: 'two' }))
  await plane.reach('2 deployed', key)
  t.match(await live(), { metadata: { annotations: { text: 'two' } }, spec: { replicas: 5 } })
  await client.patch(deployments, key, {
    type: 'merge',
    body: { metadata: { annotations: { text: 'by hand' } } },
  })
  await until(async () => (await live()).metadata.annotations?.text === 'two')
  t.match(await live(), { spec: { replicas: 5 } }, 'the drift of another field is put right')
  await client.patch(scaled.kind, key, edit({ replicas: 2 }))
  await plane.reach('3 deployed', key)
  t.match(await live(), { spec: { replicas: 2 } }, 'an upgrade that changes the field wins')
  await client.delete(scaled.kind, key)
  await until(async () => (await plane.get(scaled.kind, 'default', 'scaled')) === undefined)
}

/** The namespace of a release is made, again if it is deleted. */
export async function makesNamespace(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const release = { namespace: 'apps', name: 'placed' }
  const namespaceUid = async () => (await plane.get(namespaces, '', 'apps'))?.metadata.uid
  await client.create(placed.kind, { metadata: at('placed'), spec: { text: 'one' } })
  await plane.reach('1 deployed', release)
  t.match(await plane.get(configMaps, 'apps', 'placed'), { data: { text: 'one' } })
  const first = await namespaceUid()
  await client.delete(namespaces, { namespace: '', name: 'apps' })
  await until(async () => ![undefined, first].includes(await namespaceUid()))
  await plane.reach('1 deployed', release)
  t.match(await plane.get(configMaps, 'apps', 'placed'), { data: { text: 'one' } }, 'it is installed again')
  await client.delete(placed.kind, at('placed'))
  await until(async () => (await plane.get(placed.kind, 'default', 'placed')) === undefined)
  t.equal(await plane.get(configMaps, 'apps', 'placed'), undefined)
  t.match(await plane.get(namespaces, '', 'apps'), { status: { phase: 'Active' } }, 'the namespace stays')
}

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text }}}
`

/** A helm program, and its flag to overwrite fields of others. */
export interface Helm {
  readonly program: string
  /** The name of the release. */
  readonly name: string
  readonly force: readonly string[]
}

/** A change by helm is left until the spec changes. */
export async function leavesRevision(
  t: Test,
  plane: RealControlPlane,
  { program, name, force }: Helm,
): Promise<void> {
  const { client } = plane
  const key = at(name)
  const folder = join(t.testdir({}), 'greeter')
  mkdirSync(join(folder, 'templates'), { recursive: true })
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: greeter\nversion: 1.1.0\n')
  writeFileSync(join(folder, 'templates/a.yaml'), template)
  const isPaused = async () => (await plane.condition(held.kind, name, 'Paused'))?.status === 'True'
  const text = async () => (await client.get(configMaps, key)).data?.text
  await client.create(held.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  await plane.helm(program, 'default', 'upgrade', name, folder, '--set', 'text=helm')
  await until(isPaused)
  t.equal(await text(), 'helm')
  await client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'by hand' } } })
  await client.patch(held.kind, key, { type: 'merge', body: { metadata: { labels: { any: 'thing' } } } })
  await plane.helm(program, 'default', 'rollback', name, '2', ...force)
  await until(async () =>
    (await plane.told('ForeignRevision')).some((one) => one.startsWith(`revision 3 of ${name} `)),
  )
  t.equal(await text(), 'helm', 'helm decides meanwhile')
  t.strictSame(await plane.history('default', name), ['1 superseded', '2 superseded', '3 deployed'])
  await client.patch(held.kind, key, edit({ text: 'two' }))
  await plane.reach('4 deployed', key)
  await until(async () => !(await isPaused()))
  t.equal(await text(), 'two')
  await client.delete(held.kind, key)
  await until(async () => (await plane.get(held.kind, 'default', name)) === undefined)
}

/** The annotation `upgrade-force` replaces a Deployment whose selector cannot be changed. */
export async function replacesSelector(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('forced')
  const live = () => client.get(deployments, key)
  await client.create(forced.kind, { metadata: key, spec: { text: 'one', app: 'a' } })
  await plane.reach('1 deployed', key)
  const first = await live()
  await client.patch(forced.kind, key, edit({ app: 'b' }))
  await plane.reach('3 deployed', key)
  await until(
    async () => (await plane.condition(forced.kind, 'forced', 'ReleaseFailed'))?.reason === 'RolledBack',
  )
  t.match(await plane.condition(forced.kind, 'forced', 'ReleaseFailed'), {
    message: /Deployment default\/forced .*spec\.selector.*field is immutable/,
  })
  t.equal((await live()).metadata.uid, first.metadata.uid, 'without the annotation it stays')
  const annotations = { [annotationNames.upgradeForce]: 'true' }
  await client.patch(forced.kind, key, {
    type: 'merge',
    body: { metadata: { annotations }, spec: { app: 'c' } },
  })
  await plane.reach('4 deployed', key)
  const replaced = await live()
  t.not(replaced.metadata.uid, first.metadata.uid, 'it is another one')
  t.match(replaced, { spec: { selector: { matchLabels: { app: 'c' } } } })
  t.match(await plane.told('Replaced'), [/^Deployment default\/forced was deleted, to be made again/])
  await client.delete(forced.kind, key)
  await until(async () => (await plane.get(forced.kind, 'default', 'forced')) === undefined)
}

/** A custom resource goes whose release cannot go. */
export async function abandons(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('stuck')
  const annotations = { [annotationNames.uninstallWait]: 'true' }
  await client.create(stuck.kind, { metadata: { ...key, annotations }, spec: {} })
  await plane.reach('1 deployed', key)
  await client.delete(stuck.kind, key)
  await until(
    async () => (await plane.condition(stuck.kind, 'stuck', 'ReleaseFailed'))?.reason === 'UninstallError',
  )
  t.match(
    (await plane.condition(stuck.kind, 'stuck', 'ReleaseFailed'))?.message,
    /ConfigMap.*stuck.*finalizers/,
  )
  const body = { metadata: { annotations: { [annotationNames.abandon]: 'true' } } }
  await client.patch(stuck.kind, key, { type: 'merge', body })
  await until(async () => (await plane.get(stuck.kind, 'default', 'stuck')) === undefined)
  t.match(await plane.told('Abandoned'), [/the release stuck in default is given up/])
  t.ok((await client.get(configMaps, key)).metadata.deletionTimestamp, 'its object is left')
  await client.patch(configMaps, key, { type: 'merge', body: { metadata: { finalizers: null } } })
}

/** A namespace goes with a custom resource and its release. */
export async function goesWithNamespace(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = { namespace: 'doomed', name: 'held' }
  await client.create(namespaces, { metadata: { name: 'doomed' } })
  await client.create(held.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  await client.delete(namespaces, { namespace: '', name: 'doomed' })
  await until(async () => (await plane.get(namespaces, '', 'doomed')) === undefined)
  t.equal(await plane.get(held.kind, 'doomed', 'held'), undefined)
}

/** An object that somebody creates or replaces after a release looked at it is not applied. */
export async function leavesForeign(t: Test, { client }: RealControlPlane): Promise<void> {
  const live = new LiveObjects(client, AbortSignal.timeout(60_000))
  for (const resource of [configMaps, unreconciled.kind] as Resource[]) {
    const made: ReleaseObject = {
      resource,
      key: at('raced'),
      object: {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        metadata: { ...at('raced'), labels: { by: 'release' } },
      },
    }
    const labels = async () => (await client.get(resource, made.key)).metadata.labels
    await live.readAll([made])
    await client.create(resource, { metadata: at('raced') })
    await t.rejects(live.apply(made), { code: 409, reason: 'Conflict' })
    t.equal(await labels(), undefined, 'one that was absent')
    await live.readAll([made])
    await client.delete(resource, made.key)
    await client.create(resource, { metadata: at('raced') })
    await t.rejects(live.apply(made), { code: 409, reason: 'Conflict' })
    t.equal(await labels(), undefined, 'one that was another')
    await live.readAll([made])
    await live.apply(made)
    t.match(await labels(), { by: 'release' }, 'one that is as it was found')
    await client.delete(resource, made.key)
    await live.readAll([made])
    await live.apply(made)
    t.match(await labels(), { by: 'release' }, 'one that is absent still')
    await client.delete(resource, made.key)
  }
}
