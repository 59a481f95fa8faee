/** Definitions in `crds/` of a chart, on a real API server. Parts of real-programs.test.ts, with one control plane. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Test } from 'tap'
import {
  type CustomResourceDefinition,
  configMaps,
  customResourceDefinitions,
} from '../../sdk/engine/kube/builtin.js'
import type { FileChart } from '../../sdk/helm/chart/chart.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const defining = releasedKind('Defining')
const renewing = releasedKind('Renewing')
/** The kind that `crds/` defines, and one that has its short name first. */
const gadget = releasedKind('Gadget')
const holder = releasedKind('Holder')
/** A kind whose chart has a policy of the API server in `crds/`. */
const guarding = releasedKind('Guarding')
const at = (name: string) => ({ namespace: 'default', name })
const gadgets = { namespace: '', name: `${gadget.kind.plural}.${gadget.kind.group}` }

const withShortName = ({ kind, definition }: typeof gadget): CustomResourceDefinition => ({
  ...definition,
  spec: { ...definition.spec, names: { kind: kind.kind, plural: kind.plural, shortNames: ['gg'] } },
})

/** The definitions of the kinds with a reconciler. */
export const definingDefinitions = [defining, renewing, guarding].map(({ definition }) => definition)

/** Registers reconcilers of a chart with `crds/`. No period looks at their releases. */
export async function registerDefining(t: Test, operator: Operator): Promise<void> {
  const folder = t.testdir({})
  const chart = await chartIn(join(folder, 'gadgets'), {
    template: 'apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: {{ .Release.Name }}}\n',
    crds: JSON.stringify(withShortName(gadget)),
  })
  const guards = await chartIn(join(folder, 'guards'), {
    template: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n',
    crds: policy,
  })
  operator.register(helmController({ resource: defining.kind, chart, reconcilePeriodMs: 0 }))
  operator.register(helmController({ resource: renewing.kind, chart, reconcilePeriodMs: 0, crds: 'upgrade' }))
  operator.register(helmController({ resource: guarding.kind, chart: guards, reconcilePeriodMs: 0 }))
}

/** A chart with one template and one file in `crds/`. */
async function chartIn(
  folder: string,
  { template, crds }: { readonly template: string; readonly crds: string },
): Promise<FileChart> {
  for (const path of ['templates', 'crds']) mkdirSync(join(folder, path), { recursive: true })
  const metadata = `apiVersion: v2\nname: ${basename(folder)}\nversion: 1.0.0\n`
  writeFileSync(join(folder, 'Chart.yaml'), metadata)
  writeFileSync(join(folder, 'templates/a.yaml'), template)
  writeFileSync(join(folder, 'crds/a.yaml'), crds)
  return loadChart(folder)
}

/** Refuses ConfigMaps of one name. */
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guards.example.com}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "object.metadata.name != 'refused-by-guards'", message: the policy of guards}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guards.example.com}
spec: {policyName: guards.example.com, validationActions: [Deny]}
`

/**
 * Objects wait until the definition of their kind is established; a second release leaves it as it is, and it stays.
 */
export async function waitsForDefinition(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const live = () => client.get(customResourceDefinitions, gadgets)
  const waits = async () => (await plane.condition(defining.kind, 'first', 'Progressing'))?.message ?? ''
  await client.create(customResourceDefinitions, withShortName(holder))
  await until(async () => Array.isArray((await client.list(holder.kind)).items))
  await client.create(defining.kind, { metadata: at('first'), spec: {} })
  await until(
    async () => (await waits()) === `waits for the definition ${gadgets.name} in crds/ to be served`,
  )
  t.strictSame(await plane.history('default', 'first'), [], 'nothing but the definition is written')
  const conditions = (await live()).status?.conditions ?? []
  t.match(
    conditions.filter(({ type }) => type === 'NamesAccepted'),
    [{ status: 'False', reason: 'ShortNamesConflict' }],
  )
  await client.delete(customResourceDefinitions, { namespace: '', name: `${holder.kind.plural}.example.com` })
  await plane.reach('1 deployed', at('first'))
  t.ok(await plane.get(gadget.kind, 'default', 'first'))
  t.strictSame(await plane.told('InstallFailed'), [], 'no attempt failed meanwhile')

  const body = { metadata: { labels: { by: 'hand' } } }
  const { resourceVersion } = (
    await client.patch(customResourceDefinitions, gadgets, { type: 'merge', body })
  ).metadata
  await client.create(defining.kind, { metadata: at('second'), spec: {} })
  await plane.reach('1 deployed', at('second'))
  for (const name of ['first', 'second']) {
    await client.delete(defining.kind, at(name))
    await until(async () => (await plane.get(defining.kind, 'default', name)) === undefined)
    t.equal(await plane.get(gadget.kind, 'default', name), undefined)
  }
  t.equal((await live()).metadata.resourceVersion, resourceVersion, 'it is as it was left')
}

/** With `crds: 'upgrade'`, a definition that differs from the chart's is applied. */
export async function renewsDefinition(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const { spec } = await client.get(customResourceDefinitions, gadgets)
  const versions = spec.versions.map((one) => ({ ...one, schema: { openAPIV3Schema: { type: 'object' } } }))
  const changed = await client.patch(customResourceDefinitions, gadgets, {
    type: 'merge',
    body: { spec: { versions } },
  })
  await client.create(renewing.kind, { metadata: at('renewed'), spec: {} })
  await plane.reach('1 deployed', at('renewed'))
  const live = await client.get(customResourceDefinitions, gadgets)
  t.strictSame(live.spec.versions[0]?.schema, spec.versions[0]?.schema, 'the schema of the chart is back')
  t.not(live.metadata.resourceVersion, changed.metadata.resourceVersion)
  t.match(live.metadata.labels, { by: 'hand' })
  await client.delete(renewing.kind, at('renewed'))
  await until(async () => (await plane.get(renewing.kind, 'default', 'renewed')) === undefined)
  t.equal((await client.get(customResourceDefinitions, gadgets)).metadata.uid, live.metadata.uid, 'it stays')
}

/** A policy of the API server in `crds/` is created before the objects, acts, and stays, as with helm. */
export async function installsPolicy(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  for (const name of ['guarded', 'again']) {
    await client.create(guarding.kind, { metadata: at(name), spec: {} })
    await plane.reach('1 deployed', at(name))
    t.ok(await plane.get(configMaps, 'default', name))
  }
  const created = () =>
    client.create(configMaps, { metadata: at('refused-by-guards') }, { dryRun: true }).then(
      () => 'created',
      (error: Error) => error.message,
    )
  await until(async () => /the policy of guards/.test(await created()))
  t.strictSame(await plane.told('InstallFailed'), [])
  for (const name of ['guarded', 'again']) {
    await client.delete(guarding.kind, at(name))
    await until(async () => (await plane.get(guarding.kind, 'default', name)) === undefined)
  }
  t.match(await created(), 'the policy of guards')
}
