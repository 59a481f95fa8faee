import { existsSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createClient } from '../sdk/engine/client/create-client.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { DevRun, isAlive, root } from './dev-run.js'
import { spreadOperator } from './spread-operator.js'
import { until } from './until.js'
import { isWholeRun } from './whole-run.js'

t.setTimeout(600_000)

void t.test(
  'dev runs an operator with its kinds and samples, and keeps the objects when the source changes',
  async (t) => {
    const folder = join(t.testdir(), 'memcached')
    await cp(join(root, 'examples/memcached'), folder, { recursive: true })
    const dev = new DevRun(['dev', folder, '--dir', join(t.testdirName, 'dev')])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(/^inspect +http:\/\/127\.0\.0\.1:\d+\/inspector\/$/)
    const [, pid] = await dev.line(/^operator +memcached started, process (\d+)/)
    await dev.line(/^MemcachedBackup default\/daily {2}created/)
    await dev.line(/^MemcachedBackup default\/daily {2}updated {2}Available=True DeploymentReady/)
    const why = new DevRun(['why', 'memcachedbackup', 'daily', '--dir', join(t.testdirName, 'dev')])
    t.strictSame(await why.ended, { code: 0, signal: null })
    t.match(why.lines[0], /^(in sync|pending) +MemcachedBackup default\/daily /)
    t.ok(
      why.lines.some((line) => /^owns +Deployment default\/daily/.test(line)),
      why.lines.join('\n'),
    )
    t.notOk(
      why.lines.some((line) => /^events +could not be read/.test(line)),
      'dev reads the Events that the operator may not list',
    )
    const source = join(folder, 'backup-controller.ts')
    await writeFile(source, (await readFile(source, 'utf8')).replace("'DeploymentReady'", "'NodesReady'"))
    await dev.line(/^operator +.*backup-controller\.ts changed, restarting/)
    const restarted = dev.lines.length
    const isShown = (pattern: RegExp) => dev.lines.slice(restarted).some((line) => pattern.test(line))
    await until(
      () =>
        isShown(/^operator +ready in \d+ ms$/) &&
        isShown(/^MemcachedBackup default\/daily {2}updated {2}Available=True NodesReady/),
    )
    t.equal(dev.lines.filter((line) => /created/.test(line)).length, 2, 'the objects were kept')
    t.notOk(isAlive(Number(pid)))
    dev.signal('SIGINT')
    t.equal((await dev.ended).code, 0)
  },
)

void t.test('with --once dev ends when the samples are handled', async (t) => {
  const dev = new DevRun(['dev', 'examples/bucket', '--dir', t.testdir(), '--once'])
  await dev.line(/^Bucket default\/photos {2}updated {2}Ready=True/)
  await dev.line(/^1 of 1 samples handled$/)
  t.equal((await dev.ended).code, 0)
})

const neverReady = `
import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const spec = z.object({})
const caches = defineKind({ group: 'cache.my.domain', version: 'v1', kind: 'Cache', spec, conditions: ['Ready'] })
const operator = createOperator({ name: 'slow' })
operator.register(controller(caches, { reconcile: (ctx) => ctx.condition('Ready', false, 'Waiting') }))
await operator.start()
`

void t.test('dev --once fails if it is stopped before the samples are handled', async (t) => {
  const sample = 'apiVersion: cache.my.domain/v1\nkind: Cache\nmetadata: { name: one }\nspec: {}\n'
  const folder = t.testdir({
    slow: { 'main.ts': neverReady, 'samples.yaml': sample },
    idle: { 'main.ts': 'setInterval(() => {}, 1000)' },
  })
  for (const [program, line, signal] of [
    ['slow', /^Cache default\/one {2}updated {2}Ready=False/, 'SIGTERM'],
    ['idle', /^dev +waiting for .*main\.ts to call start\(\)$/, 'SIGINT'],
  ] as const) {
    const dev = new DevRun(['dev', join(folder, program), '--dir', join(folder, 'dev'), '--once'])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(line)
    dev.signal(signal)
    t.strictSame(await dev.ended, { code: 1, signal: null })
    t.match(dev.errors, [
      'vcluster-plugin: --once was stopped before all samples were handled; run it again to its end',
    ])
  }
})

const hasEngine = existsSync('sdk/helm/render/engine/helm.wasm.br') || Boolean(process.env.HELM_ENGINE)
const skip = !hasEngine && "there is no template engine: run 'npm run helm-engine'"

void t.test(
  'dev runs a program with releases of charts: its definitions, its permissions, its samples, and changes of its charts',
  { skip },
  async (t) => {
    t.testdir({})
    for (const example of ['memcached', 'memcached-helm'])
      await cp(join(root, 'examples', example), join(t.testdirName, example), { recursive: true })
    const folder = join(t.testdirName, 'memcached-helm')
    const dev = new DevRun(['dev', folder, '--dir', join(t.testdirName, 'dev')])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(/^StatefulSet default\/sessions {2}created/)
    await dev.line(
      /^Memcached default\/sessions {2}updated {2}Initialized=True .*Deployed=True .*Ready=True Running/,
    )
    const template = join(folder, 'charts/memcached/templates/disruption-budget.yaml')
    const text = await readFile(template, 'utf8')
    await writeFile(template, text.replace('name: {{ .Release.Name }}', 'name: {{ .Release.Name }}-new'))
    await dev.line(/^operator +.*disruption-budget\.yaml changed, restarting/)
    await dev.line(/^PodDisruptionBudget default\/sessions-new {2}created/)
    dev.signal('SIGINT')
    t.equal((await dev.ended).code, 0)
  },
)

const guarded = `
import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const caches = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Cache',
  spec: z.object({ size: z.int().optional() }),
  conditions: ['Ready'],
  default: (_ctx, cache) => ({ ...cache, spec: { size: 3, ...cache.spec } }),
  validate: (_ctx, { spec }) =>
    (spec.size ?? 0) > 10 ? [{ path: 'spec.size', message: 'is above the limit' }] : [],
})
const operator = createOperator({ name: 'guarded', webhooks: { kinds: [caches], CERTIFICATE } })
operator.register(controller(caches, { reconcile: (ctx) => ctx.condition('Ready', true, 'Done') }))
await operator.start()
`
const sample = `
apiVersion: cache.my.domain/v1
kind: Cache
metadata: { name: small, namespace: default }
spec: {}
`

/** The certificates of an operator in a cluster. At each change the first, which dev has to replace. */
const certificates = ["certificate: { folder: '/nowhere' }", "certificate: 'selfSigned'"]
for (const certificate of certificates.slice(0, isWholeRun ? 2 : 1))
  void t.test(`dev calls the webhooks of an operator with ${certificate}`, async (t) => {
    const main = guarded.replace('CERTIFICATE', certificate)
    const folder = t.testdir({ 'main.ts': main, 'samples.yaml': sample })
    const dev = new DevRun(['dev', folder, '--dir', join(folder, 'dev')])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(/^Cache default\/small {2}updated {2}Ready=True/)
    const kubeconfig = await loadKubeconfig({ file: join(folder, 'dev', 'main.kubeconfig') })
    const transport = createTransport({ kubeconfig })
    t.teardown(() => transport.close())
    const client = createClient({ transport })
    const caches = {
      group: 'cache.my.domain',
      version: 'v1',
      kind: 'Cache',
      plural: 'caches',
      namespaced: true,
    }
    t.match(await client.get(caches, { namespace: 'default', name: 'small' }), { spec: { size: 3 } })
    const cache = (size: number) => ({ metadata: { namespace: 'default', name: `c${size}` }, spec: { size } })
    await t.rejects(client.create(caches, cache(11)), /is above the limit/)
    await writeFile(join(folder, 'main.ts'), main.replace('> 10', '> 20'))
    await dev.line(/^operator +.*main\.ts changed, restarting/)
    await until(async () => Boolean(await client.create(caches, cache(12))))
    await t.rejects(client.create(caches, cache(21)), /is above the limit/)
    dev.signal('SIGINT')
    t.equal((await dev.ended).code, 0)
  })

const versioned = `
import { controller, createOperator, defineKind } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

const caches = defineKind({
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Cache',
  spec: z.object({ size: z.int() }),
  status: z.object({ size: z.int().optional() }),
  conditions: ['Ready'],
  versions: {
    v1alpha1: {
      spec: z.object({ items: z.int() }),
      toHub: ({ items }) => ({ size: items }),
      fromHub: ({ size }) => ({ items: size }),
    },
  },
})
const pools = defineKind({
  group: 'cache.my.domain',
  version: 'v1alpha2',
  kind: 'Pool',
  spec: z.object({ size: z.int() }),
  conditions: ['Ready'],
})
const operator = createOperator({ name: 'versioned', webhooks: { kinds: [caches], certificate: 'selfSigned' } })
operator.register(
  controller(caches, {
    reconcile(ctx, { spec }) {
      ctx.status.size = spec.size
      ctx.condition('Ready', true, 'Size' + spec.size)
    },
  }),
  controller(pools, { reconcile: (ctx) => ctx.condition('Ready', true, 'Done') }),
)
await operator.start()
`
const versionedSamples = `
apiVersion: cache.my.domain/v1
kind: Cache
metadata: { name: new }
spec: { size: 3 }
---
apiVersion: cache.my.domain/v1alpha1
kind: Cache
metadata: { name: old }
spec: { items: 4 }
---
apiVersion: cache.my.domain/v1alpha2
kind: Pool
metadata: { name: many }
spec: { size: 5 }
`

void t.test('samples may be written in each version that is served', async (t) => {
  const folder = t.testdir({ 'main.ts': versioned, 'samples.yaml': versionedSamples })
  const dev = new DevRun(['dev', folder, '--dir', join(folder, 'dev'), '--once'])
  t.teardown(() => dev.signal('SIGKILL'))
  await dev.line(/^3 of 3 samples handled$/)
  for (const shown of [
    /^Cache default\/new .*Ready=True Size3/,
    /^Cache default\/old .*Ready=True Size4/,
    /^Pool default\/many /,
  ])
    t.ok(
      dev.lines.some((line) => shown.test(line)),
      String(shown),
    )
  t.equal((await dev.ended).code, 0)
})

void t.test('a sample of a version that is not served is an error that names the served ones', async (t) => {
  const samples = versionedSamples.replace('/v1alpha1', '/v2')
  const folder = t.testdir({ 'main.ts': versioned, 'samples.yaml': samples })
  const dev = new DevRun(['dev', folder, '--dir', join(folder, 'dev'), '--once'])
  t.teardown(() => dev.signal('SIGKILL'))
  t.not((await dev.ended).code, 0)
  t.match(
    [...dev.lines, ...dev.errors].join('\n'),
    /the main cluster does not serve cache\.my\.domain\/v2 Cache, the kind of old; it serves v1, v1alpha1/,
  )
})

void t.test('dev says what an operator cannot use', async (t) => {
  const dev = new DevRun(['dev', 'examples/bucket', '--dir', t.testdir(), '--context', 'kind-kind'])
  t.equal((await dev.ended).code, 2)
  t.match(dev.errors.join('\n'), /runs an operator on an embedded cluster; remove --kubeconfig and --context/)
})

void t.test('dev says what it waits for if a program does not call start', async (t) => {
  const folder = t.testdir({ 'main.ts': 'setInterval(() => {}, 1000)' })
  const dev = new DevRun(['dev', folder, '--dir', join(folder, 'dir')])
  t.teardown(() => dev.signal('SIGKILL'))
  t.ok(await dev.line(/^dev +waiting for .*main\.ts to call start\(\)$/))
  dev.signal('SIGINT')
  t.match(await dev.ended, { code: 0 })
})

void t.test(
  'dev runs an operator of several clusters, each with its kinds, samples and permissions',
  async (t) => {
    const folder = t.testdir(spreadOperator())
    const dev = new DevRun(['dev', folder, '--dir', join(folder, 'dev'), '--once'])
    t.teardown(() => dev.signal('SIGKILL'))
    await dev.line(/^2 of 2 samples handled$/)
    t.equal((await dev.ended).code, 0)
    const isShown = (pattern: RegExp) =>
      t.ok(
        dev.lines.some((line) => pattern.test(line)),
        String(pattern),
      )
    isShown(/^cluster +https?:.*main\.kubeconfig$/)
    isShown(/^cluster +https?:.*edge\.kubeconfig$/)
    isShown(/^edge {2}ConfigMap default\/of-one {2}created/)
    isShown(/^main {2}Shop default\/one {2}updated {2}Ready=True/)
    isShown(/^edge {2}Node default\/one {2}updated {2}Ready=True/)
  },
)
