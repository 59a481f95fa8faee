import t from 'tap'
import * as z from 'zod'
import type { CnpgCluster } from '../../../sdk/cnpg/cluster/cluster.js'
import type { CnpgPlugin } from '../../../sdk/cnpg/cnpg-plugin.js'
import { PluginRuntime } from '../../../sdk/cnpg/plugin.js'
import { silentLogger } from '../../../sdk/engine/observe/logger.js'
import { systemClock as clock } from '../../../sdk/engine/time/clock.js'
import { InProcessCaller } from '../../../testing/cnpg/in-process-caller.js'
import { readClusters } from './sample-clusters.js'
import { SimulatedClusters } from './simulated-clusters.js'

const name = 'team.example.org'
const parameters = z.object({ team: z.string() })
type Plugin = CnpgPlugin<z.infer<typeof parameters>>

const cluster = (team = 'shop'): CnpgCluster => ({
  metadata: { name: 'db' },
  spec: { instances: 1, plugins: [{ name, parameters: { team } }] },
})

/** A process of the plugin, with its own hooks. */
function callerOf(register: (plugin: Plugin) => void): InProcessCaller {
  const options = { name, version: '0.1.0', parameters, logger: silentLogger, env: {}, args: [] }
  const plugin = new PluginRuntime({ ...options, trial: 'sampled' })
  register(plugin)
  return new InProcessCaller(plugin as unknown as PluginRuntime<never>)
}

/** Clusters with the plugin, and what is shown of them. */
function started(register: (plugin: Plugin) => void) {
  const shown: string[] = []
  const clusters = new SimulatedClusters({
    clock,
    report: {
      object: (about, { text, details = [] }) => shown.push(`${about} ${[text, ...details].join(' | ')}`),
    },
  })
  clusters.connect(callerOf(register))
  return { clusters, shown, said: () => shown.splice(0) }
}

const labelled =
  (image?: string) =>
  (plugin: Plugin): void => {
    plugin.pods({
      instance(ctx, pod) {
        pod.metadata.labels = { ...pod.metadata.labels, 'example.org/team': ctx.parameters.team }
        for (const container of pod.spec?.containers ?? []) if (image) container.image = image
      },
    })
  }

const healthy = 'Cluster default/db Cluster in healthy state'

void t.test('each answer is shown once, and what changes with another program or Cluster', async (t) => {
  const { clusters, said } = started(labelled())
  t.match(await clusters.apply(cluster()), { name: 'Cluster default/db', state: 'healthy' })
  t.strictSame(said(), ['Pod default/db-1 EVALUATE | add /metadata/labels/example.org~1team "shop"', healthy])
  await clusters.reconcile()
  t.strictSame(said(), [healthy])
  clusters.connect(callerOf(labelled('postgres:18')))
  await clusters.reconcile()
  t.match(said(), [
    /^Pod default\/db-1 EVALUATE \| add .*"shop" \| replace \/spec\/containers\/0\/image "postgres:18"$/,
    'Pod default/db-1 restarted, its containers differ',
    healthy,
  ])
  await clusters.apply(cluster('bank'))
  t.match(said(), [/"bank"/, healthy], 'labels are not compared')
  clusters.connect(callerOf(() => {}))
  t.match(await clusters.reconcile(), [{ state: 'healthy' }])
})

void t.test('a Pod that would restart forever is a failure', async (t) => {
  let count = 0
  const { clusters } = started((plugin) =>
    plugin.pods({
      instance(_ctx, pod) {
        for (const container of pod.spec?.containers ?? []) container.image = `postgres:${count++}`
      },
    }),
  )
  t.match(await clusters.apply(cluster()), {
    state: 'failed',
    text: 'Pod db-1 would restart at each reconciliation: its containers differ although nothing has changed',
  })
})

void t.test('failures, refusals and delays are shown in the words of the operator', async (t) => {
  let isReady = false
  const { clusters, said } = started((plugin) =>
    plugin.cluster({
      validateCreate() {},
      preReconcile(ctx) {
        if (ctx.parameters.team === 'bank') throw new Error('secret')
        return isReady ? undefined : ctx.requeue(30, 'waits')
      },
    }),
  )
  const refused = await clusters.apply({ ...cluster(), spec: { plugins: [{ name }] } })
  t.match(refused, { state: 'refused', text: /^refused: spec\.plugins\.0\.parameters\.team: / })
  t.match(await clusters.apply(cluster()), {
    state: 'waiting',
    text: 'stopped by the plugin; the operator reconciles again after 30 s',
    againSeconds: 30,
  })
  isReady = true
  t.match(await clusters.reconcile(), [{ state: 'healthy' }])
  t.match(await clusters.apply(cluster('bank')), {
    state: 'failed',
    text: /^Cluster cannot proceed .* plugins: rpc error: .*; the operator reconciles again after 15 s$/,
  })
  t.notMatch(said().join(), 'secret')
  const elsewhere = await clusters.apply({ ...cluster(), spec: { plugins: [{ name: 'hello.example.org' }] } })
  t.match(elsewhere, {
    state: 'failed',
    text: /: Unknown plugin: 'hello\.example\.org'\. .* by the operator; the plugin here is team\.example\.org: name it in spec\.plugins of the Cluster; the operator/,
  })
})

void t.test('Clusters are read from samples/, from samples.yaml, or from what the user names', async (t) => {
  const yaml = (name: string) =>
    `apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: { name: ${name} }\nspec: { instances: 1 }\n`
  const folder = t.testdir({
    both: {
      'samples.yaml': yaml('file'),
      samples: { 'b.yml': yaml('b'), 'a.yaml': `${yaml('a')}---\n${yaml('a2')}` },
    },
    one: { 'samples.yaml': yaml('file') },
    none: { 'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n' },
    later: { samples: { 'a.yaml': yaml('a'), 'b.yaml': yaml('b').replace('/v1', '/v2') } },
    slip: { 'samples.yaml': yaml('x').replace('instances', 'instanes') },
    entry: { 'samples.yaml': yaml('x').replace('instances: 1', 'plugins: [{ name: a, enabeld: true }]') },
    newer: { 'samples.yaml': yaml('x').replace('instances: 1', 'quorumRules: {}') },
    bare: { 'samples.yaml': yaml('x').replace('spec: { instances: 1 }', '') },
  })
  const names = async (part: string, given?: string) =>
    (await readClusters({ folder: `${folder}/${part}`, samples: given, pluginName: name })).map(
      ({ metadata }) => metadata.name,
    )
  t.strictSame(await names('both'), ['a', 'a2', 'b'])
  t.strictSame(await names('one'), ['file'])
  t.strictSame(await names('none'), ['sample'])
  t.strictSame(await names('one', `${folder}/both/samples/b.yml`), ['b'])
  t.strictSame(await names('none', `${folder}/both/samples`), ['a', 'a2', 'b'])
  const invalid = (message: RegExp) => ({ code: 'INVALID_MANIFEST', message })
  await t.rejects(
    names('none', `${folder}/none/map.yaml`),
    invalid(/has no Cluster: add an object of apiVersion/),
  )
  await t.rejects(names('none', `${folder}/missing`), invalid(/does not exist/))
  await t.rejects(
    names('later'),
    invalid(
      /^Cluster b in .*\/later\/samples has the apiVersion postgresql\.cnpg\.io\/v2; write postgresql\.cnpg\.io\/v1$/,
    ),
  )
  await t.rejects(names('bare'), invalid(/Cluster x in .* has no spec/))
  const slip = /^Cluster x in samples\.yaml has the unknown field spec\.instanes; did you mean instances\?$/
  await t.rejects(names('slip'), invalid(slip))
  await t.rejects(names('entry'), invalid(/spec\.plugins\[0\]\.enabeld; did you mean enabled\?$/))
  t.strictSame(await names('newer'), ['x'], 'a field of a newer CloudNativePG')
})
