import t from 'tap'
import { z } from 'zod'
import { HookError } from '../../sdk/cnpg/index.js'
import { testCnpgOperator } from './test-operator.js'
import { testCnpgPlugin } from './test-plugin.js'

const options = { name: 'hello.example.org', version: '0.1.0' }
const cluster = (parameters: Record<string, string> = {}) => ({
  metadata: { name: 'db' },
  spec: { instances: 2, plugins: [{ name: options.name, parameters }] },
})

void t.test('a changed parameter restarts the Pods once', async (t) => {
  const plugin = testCnpgPlugin({ ...options, parameters: z.object({ image: z.string().default('a:1') }) })
  plugin.pods({
    instance(ctx, pod) {
      for (const container of pod.spec?.containers ?? []) container.image = ctx.parameters.image
    },
  })
  const operator = await testCnpgOperator(plugin)
  await operator.create(cluster())
  await operator.change(({ spec }) => {
    for (const entry of spec.plugins ?? []) entry.parameters = { image: 'a:2' }
  })
  await operator.reconcile()
  t.same(operator.rollouts, [
    { pod: 'db-1', part: 'containers' },
    { pod: 'db-2', part: 'containers' },
  ])
})

void t.test('failures and their texts', async (t) => {
  const plugin = testCnpgPlugin(options)
  let isFailing = true
  plugin.pods({
    instance() {
      if (isFailing) throw new HookError('parameter vault must name a Secret')
    },
  })
  const operator = await testCnpgOperator(plugin)
  t.match(await operator.create(cluster()), {
    phase: /an error while interacting with plugins/,
    phaseReason: /code = FailedPrecondition desc = parameter vault must name a Secret$/,
  })
  t.same(operator.pods, [])
  isFailing = false
  t.match(await operator.reconcile(), { phase: 'Cluster in healthy state' })
  t.equal(operator.pods.length, 2)
  await operator.change(({ spec }) => spec.plugins?.push({ name: 'other.example.org' }))
  t.match(operator.cluster?.status, {
    phase: /unknown plugin/,
    phaseReason: /Unknown plugin: 'other.example.org'/,
  })
})

void t.test('hooks before and after a reconciliation', async (t) => {
  const plugin = testCnpgPlugin(options)
  let isWaiting = true
  const calls: string[] = []
  plugin.cluster({
    preReconcile: (ctx) => (isWaiting ? ctx.requeue(30, 'waits for the vault') : undefined),
    postReconcile: (ctx) => ctx.stop('is handled elsewhere'),
    status() {
      calls.push('status')
      return { ready: true }
    },
  })
  plugin.objects(
    { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true },
    {
      create(_ctx, { metadata }) {
        calls.push(metadata.name ?? '')
      },
    },
  )
  const operator = await testCnpgOperator(plugin)
  t.match(await operator.create(cluster()), { requeueAfterSeconds: 30 })
  t.same(operator.pods, [], 'preReconcile runs before instances are made')
  isWaiting = false
  t.match(await operator.reconcile(), { phase: 'Cluster in healthy state', requeueAfterSeconds: undefined })
  t.equal(operator.pods.length, 2)
  t.same(calls, ['db-r', 'db-ro', 'db-rw'], 'a stop in postReconcile leaves out the status')
})

void t.test('a plugin that a Cluster does not name is not asked', async (t) => {
  const plugin = testCnpgPlugin(options)
  plugin.cluster({
    preReconcile() {
      throw new Error('asked')
    },
  })
  const operator = await testCnpgOperator(plugin)
  const off = { name: options.name, enabled: false }
  t.match(await operator.create({ metadata: { name: 'db' }, spec: { plugins: [off] } }), {
    phaseReason: undefined,
  })
})
