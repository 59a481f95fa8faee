/** Releases that helm reads, changes and hands over, on a real API server. Parts of real-programs.test.ts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { configMaps, deployments, pods, secrets } from '../../sdk/engine/kube/builtin.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const handed = releasedKind('Handed')
const at = (name: string) => ({ namespace: 'default', name })

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: handed\nversion: 1.2.3\nappVersion: "4.5"\n',
  'values.yaml': 'text: default\nother: default\n',
  'templates/NOTES.txt': 'Say {{ .Values.text }} as {{ .Release.Name }}.\n',
  'templates/objects.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data:
  text: {{ .Values.text | quote }}
  {{- if .Values.extra }}
  extra: {{ .Values.extra | quote }}
  {{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
        - name: a
          image: a.invalid/a
          {{- if .Values.extra }}
          env: [{name: EXTRA, value: {{ .Values.extra | quote }}}]
          {{- end }}
`,
  'templates/hooks.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-installed, annotations: {helm.sh/hook: post-install}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-tested, annotations: {helm.sh/hook: test}}
`,
}

/** The definition of the kind. */
export const handedDefinition = handed.definition

/** Registers the reconciler of the kind. Returns the folder of its chart. */
export async function registerHanded(t: Test, operator: Operator): Promise<string> {
  const folder = join(t.testdir({}), 'handed')
  mkdirSync(join(folder, 'templates'), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  operator.register(helmController({ resource: handed.kind, chart: await loadChart(folder) }))
  return folder
}

/** A helm program, the folder of the chart, and the name of the release. */
export interface Handover {
  readonly program: string
  readonly folder: string
  readonly name: string
  /** The flag of helm 3 to list releases of every status; helm 4 does so without. */
  readonly allFlag: readonly string[]
}

const recordsOf = ({ client }: RealControlPlane, name: string) =>
  new ReleaseStore(client, Date.now).revisions('default', name)
const foreign = async (plane: RealControlPlane, name: string) =>
  (await plane.told('ForeignRevision')).filter((one) => one.includes(` of ${name} `)).sort()

/** Every command of helm that reads works on a release, and `helm test` runs its hooks. */
export async function isReadByHelm(t: Test, plane: RealControlPlane, handover: Handover): Promise<void> {
  const { program, name } = handover
  const { client } = plane
  const helm = (...args: string[]) => plane.helm(program, 'default', ...args)
  const json = async (...args: string[]) => JSON.parse(await helm(...args, '-o', 'json'))
  await client.create(handed.kind, { metadata: at(name), spec: { text: 'one' } })
  await plane.reach('1 deployed', at(name))
  await client.patch(handed.kind, at(name), { type: 'merge', body: { spec: { text: 'two' } } })
  await plane.reach('2 deployed', at(name))
  const [, record] = await recordsOf(plane, name)

  const listed = (await json('list')).filter((one: { name: string }) => one.name === name)
  t.match(listed, [{ revision: '2', status: 'deployed', chart: 'handed-1.2.3', app_version: '4.5' }])
  t.match(await json('history', name), [
    { revision: 1, status: 'superseded', description: 'Install complete' },
    { revision: 2, status: 'deployed', description: 'Upgrade complete' },
  ])
  t.match(
    await helm('status', name),
    new RegExp(`STATUS: deployed\\nREVISION: 2[\\s\\S]*Say two as ${name}\\.`),
  )
  t.strictSame(await json('get', 'values', name), { text: 'two' }, 'the spec, no more')
  t.strictSame(await json('get', 'values', name, '--all'), { text: 'two', other: 'default' })
  t.equal((await helm('get', 'manifest', name)).trim(), record?.release.manifest.trim())
  const hooks = await helm('get', 'hooks', name)
  for (const one of ['installed', 'tested']) t.match(hooks, `name: ${name}-${one}`)
  t.match(await helm('get', 'notes', name), `Say two as ${name}.`)
  t.match(await json('get', 'metadata', name), {
    name,
    namespace: 'default',
    chart: 'handed',
    version: '1.2.3',
    appVersion: '4.5',
    revision: 2,
  })
  const all = await helm('get', 'all', name)
  for (const one of ['REVISION: 2', 'text: two', `name: ${name}-tested`, `Say two as ${name}.`])
    t.match(all, one)

  t.equal(await plane.get(configMaps, 'default', `${name}-tested`), undefined, 'hooks for tests do not run')
  t.match(await helm('test', name), /TEST SUITE:\s+\S+-tested[\s\S]*Phase:\s+Succeeded/)
  t.ok(await plane.get(configMaps, 'default', `${name}-tested`), 'helm runs them')
  await client.delete(configMaps, at(`${name}-tested`))
}

/** A change by a user with helm is reported, and changed back as a new revision. */
export async function isChangedByHelm(t: Test, plane: RealControlPlane, handover: Handover): Promise<void> {
  const { program, folder, name } = handover
  const { client } = plane
  const text = async () => (await client.get(configMaps, at(name))).data?.text
  // A test by helm makes no revision: the next one is that of the rollback.
  await plane.helm(program, 'default', 'rollback', name, '1')
  await plane.reach('4 deployed', at(name))
  t.equal(await text(), 'two')
  await plane.helm(program, 'default', 'upgrade', name, folder, '--set', 'text=three')
  await plane.reach('6 deployed', at(name))
  t.equal(await text(), 'two')
  const told = await foreign(plane, name)
  for (const sentence of [
    `revision 3 of ${name} is of another program: Rollback to 1`,
    `revision 5 of ${name} is of another program: Upgrade complete`,
  ])
    t.ok(told.includes(sentence), sentence)
  t.equal(told.length, 2)
  const { uid } = (await client.get(handed.kind, at(name))).metadata
  t.strictSame([...new Set((await recordsOf(plane, name)).map(({ owner }) => owner))], [uid])
}

/** A release that a user uninstalls is installed again; when its custom resource goes, nothing is left. */
export async function isUninstalledByHelm(
  t: Test,
  plane: RealControlPlane,
  handover: Handover,
): Promise<void> {
  const { program, name, allFlag } = handover
  const { client } = plane
  const deployed = async () => (await plane.condition(handed.kind, name, 'Deployed'))?.reason
  const firstUid = (await client.get(configMaps, at(name))).metadata.uid
  const isNew = async () =>
    ![undefined, firstUid].includes((await plane.get(configMaps, 'default', name))?.metadata.uid)
  await plane.helm(program, 'default', 'uninstall', name, '--keep-history')
  await plane.reach('7 deployed', at(name))
  t.strictSame((await plane.history('default', name)).slice(-2), ['6 uninstalled', '7 deployed'])
  await until(isNew)
  await until(async () => (await deployed()) === 'InstallSuccessful')
  await plane.helm(program, 'default', 'uninstall', name)
  await plane.reach('1 deployed', at(name))
  t.match(await plane.get(configMaps, 'default', name), { data: { text: 'two' } })

  await client.delete(handed.kind, at(name))
  await until(async () => (await plane.get(handed.kind, 'default', name)) === undefined)
  const listed = JSON.parse(await plane.helm(program, 'default', 'list', ...allFlag, '-o', 'json'))
  t.notOk(JSON.stringify(listed).includes(name), 'helm lists nothing')
  const { items } = await client.list(secrets, { namespace: 'default', labelSelector: `name=${name}` })
  t.strictSame(items, [], 'no record')
  t.strictSame(
    [await plane.get(configMaps, 'default', name), await plane.get(deployments, 'default', name)],
    [undefined, undefined],
    'no object',
  )
}

/** A release of helm is adopted while its Pods run on, and a field that is dropped later goes. */
export async function isAdopted(t: Test, plane: RealControlPlane, handover: Handover): Promise<void> {
  const { program, folder, name } = handover
  const { client } = plane
  const running = async () => {
    const { items } = await client.list(pods, { namespace: 'default', labelSelector: `app=${name}` })
    return items.map(({ metadata }) => metadata.uid)
  }
  const spec = { text: 'one', extra: 'more' }
  await plane.helm(program, 'default', 'install', name, folder, '--set', 'text=one,extra=more')
  await until(async () => (await running()).length === 1)
  const [before, podUids] = [await client.get(deployments, at(name)), await running()]
  const { uid } = (await client.create(handed.kind, { metadata: at(name), spec })).metadata
  await until(async () => (await recordsOf(plane, name))[0]?.owner === uid)
  await until(async () => (await plane.told('Adopted')).some((one) => one.includes(` ${name} `)))
  t.strictSame(await plane.history('default', name), ['1 deployed'], 'no revision is written')
  const after = await client.get(deployments, at(name))
  t.strictSame(
    [after.metadata.uid, after.metadata.generation, after.spec],
    [before.metadata.uid, before.metadata.generation, before.spec],
  )
  t.strictSame(await running(), podUids, 'its Pods run on')

  await client.patch(handed.kind, at(name), { type: 'merge', body: { spec: { extra: null } } })
  await plane.reach('2 deployed', at(name))
  t.strictSame((await client.get(configMaps, at(name))).data, { text: 'one' })
  const [container] = (await client.get(deployments, at(name))).spec?.template.spec?.containers ?? []
  t.equal(container?.env, undefined, 'a field that is dropped later is gone')
  await client.delete(handed.kind, at(name))
  await until(async () => (await plane.get(handed.kind, 'default', name)) === undefined)
  t.equal(await plane.get(deployments, 'default', name), undefined)
}
