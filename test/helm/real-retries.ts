/** Releases that go on when something else than their objects changes. Parts of real-faults.test.ts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
  secrets,
} from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { chart, configMap, definition, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import type { HelmControllerOptions } from '../../sdk/helm/reconciler/options/options.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const blocked = releasedKind('Blocked')
const looking = releasedKind('Looking')
const custom = releasedKind('Custom')
const unserved = releasedKind('Unserved')
const unfit = releasedKind('Unfit')
const at = (name: string) => ({ namespace: 'default', name })

const things: Resource = { ...kind, kind: 'Thing', plural: 'things' }
const ofThings: CustomResourceDefinition = {
  ...definition,
  metadata: { name: 'things.example.com' },
  spec: { ...definition.spec, names: { kind: 'Thing', plural: 'things' } },
}
const thingChart = functionChart({ name: 'custom', version: '1.0.0' }, (_, { name }) => [
  configMap(name, {}),
  { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } },
])

/** Its ConfigMap has the type of its value. */
const typedChart = functionChart({ name: 'typed', version: '1.0.0' }, ({ text }, { name }) => [
  configMap(name, { text }),
])

const lookingFiles = {
  'Chart.yaml': 'apiVersion: v2\nname: looking\nversion: 1.0.0\n',
  'templates/a.yaml': `{{- $needed := lookup "v1" "ConfigMap" .Release.Namespace "needed" }}
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {seen: {{ required "needed has no text" ($needed.data).text }}}
`,
}

const lookingForFiles = {
  'Chart.yaml': 'apiVersion: v2\nname: unserved\nversion: 1.0.0\n',
  'templates/a.yaml': `{{- $found := lookup "example.org/v1" "Late" .Release.Namespace "any" }}
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {found: {{ $found | toJson | quote }}}
`,
}

/** The definitions of the kinds. */
export const retryDefinitions = [blocked, looking, custom, unserved, unfit].map(
  ({ definition }) => definition,
)

/** The reconcilers of the kinds. None has a period: nothing comes back by itself. */
export async function retryReconcilers(t: Test): Promise<readonly HelmControllerOptions[]> {
  const home = t.testdir({})
  const chartOf = (name: string, files: Readonly<Record<string, string>>) => {
    mkdirSync(join(home, name, 'templates'), { recursive: true })
    for (const [path, text] of Object.entries(files)) writeFileSync(join(home, name, path), text)
    return loadChart(join(home, name))
  }
  const still = { reconcilePeriodMs: 0 }
  return [
    { resource: blocked.kind, chart, ...still },
    {
      resource: looking.kind,
      chart: await chartOf('looking', lookingFiles),
      permissionValues: false,
      ...still,
    },
    {
      resource: unserved.kind,
      chart: await chartOf('unserved', lookingForFiles),
      permissionValues: false,
      ...still,
    },
    { resource: custom.kind, chart: thingChart, ...still },
    { resource: unfit.kind, chart: typedChart, ...still },
  ]
}

/** An object, and then a Secret, in the way of a release. */
export async function waitsForForeign(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('blocked')
  const reason = async () => (await plane.condition(blocked.kind, 'blocked', 'Irreconcilable'))?.message ?? ''
  const record = at('sh.helm.release.v1.blocked.v1')
  await client.create(configMaps, { metadata: key })
  await client.create(secrets, { metadata: record })
  await client.create(blocked.kind, { metadata: key, spec: { text: 'one' } })
  await until(async () => (await reason()).includes('ConfigMap default/blocked'))
  await client.delete(configMaps, key)
  await until(async () => (await reason()).includes('type Opaque'))
  await client.delete(secrets, record)
  await plane.reach('1 deployed', key)
  t.match(await plane.get(configMaps, 'default', 'blocked'), { data: { text: 'one' } })
}

/** A field of a type that no API server takes. */
export async function restsForField(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('unfit')
  await client.create(unfit.kind, { metadata: key, spec: { text: 7 } })
  const failed = async () => plane.condition(unfit.kind, 'unfit', 'ReleaseFailed')
  await until(async () => (await failed())?.status === 'True')
  const message =
    'ConfigMap default/unfit (v1): cannot be applied: data.text must be a string; correct it in the values or the chart'
  t.match(await failed(), { reason: 'InstallError', message })
  await client.patch(unfit.kind, key, { type: 'merge', body: { spec: { text: 'one' } } })
  await plane.reach('2 deployed', key)
}

/** A template that fails for what `lookup` reads. */
export async function waitsForLookup(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('looking')
  const isFailed = async () =>
    (await plane.condition(looking.kind, 'looking', 'Irreconcilable'))?.reason === 'RenderError'
  await client.create(looking.kind, { metadata: key })
  await until(isFailed)
  await client.create(configMaps, { metadata: at('needed') })
  await client.patch(configMaps, at('needed'), { type: 'merge', body: { data: { text: 'here' } } })
  await plane.reach('1 deployed', key)
  t.match(await plane.get(configMaps, 'default', 'looking'), { data: { seen: 'here' } })
}

/** A template that looks up a kind before its definition is there. */
export async function waitsForLookedUpKind(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('unserved')
  const problem = () => plane.condition(unserved.kind, 'unserved', 'Irreconcilable')
  await client.create(unserved.kind, { metadata: key })
  await until(async () => (await problem())?.reason === 'RenderError')
  t.match(await problem(), { message: /lookup of Late: the cluster does not serve example\.org\/v1/ })
  await client.create(customResourceDefinitions, {
    ...ofThings,
    metadata: { name: 'lates.example.org' },
    spec: { ...ofThings.spec, group: 'example.org', names: { kind: 'Late', plural: 'lates' } },
  })
  await plane.reach('1 deployed', key)
  t.match(await plane.get(configMaps, 'default', 'unserved'), { data: { found: '{}' } })
}

/** A definition that is deleted and created again. */
export async function waitsForDeletedKind(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = at('custom')
  const failure = () => plane.condition(custom.kind, 'custom', 'ReleaseFailed')
  await client.create(customResourceDefinitions, ofThings)
  await client.create(custom.kind, { metadata: key })
  await plane.reach('1 deployed', key)
  await client.delete(customResourceDefinitions, { namespace: '', name: 'things.example.com' })
  await until(
    async () => (await plane.get(customResourceDefinitions, '', 'things.example.com')) === undefined,
  )
  await client.delete(configMaps, key)
  // A run may have failed before, while the definition was being deleted.
  const isUnserved = /the cluster does not serve Thing of example.com\/v1, the kind of custom;/
  await until(async () => isUnserved.test((await failure())?.message ?? ''))
  t.equal((await failure())?.status, 'True')
  await client.create(customResourceDefinitions, ofThings)
  await until(async () => (await plane.get(things, 'default', 'custom')) !== undefined)
  await until(async () => (await failure())?.status === 'False')
}
