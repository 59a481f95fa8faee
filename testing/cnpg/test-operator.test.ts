import t from 'tap'
import * as z from 'zod'
import { HookError } from '../../sdk/cnpg/index.js'
import { services } from '../../sdk/engine/kube/builtin.js'
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

void t.test('a plugin that goes on does not hide the hooks of the next', async (t) => {
  const called: string[] = []
  const plugins = ['a.example.org', 'b.example.org'].map((name) =>
    testCnpgPlugin({ ...options, name }).cluster({ preReconcile: () => void called.push(name) }),
  )
  const operator = await testCnpgOperator(plugins)
  await operator.create({
    metadata: { name: 'db' },
    spec: { plugins: [{ name: 'a.example.org' }, { name: 'b.example.org' }] },
  })
  t.same(called, ['a.example.org', 'b.example.org'])
})

void t.test('a plugin that a Cluster does not name is not called', async (t) => {
  const plugin = testCnpgPlugin(options)
  plugin.cluster({
    preReconcile() {
      throw new Error('called')
    },
  })
  const operator = await testCnpgOperator(plugin)
  const off = { name: options.name, enabled: false }
  t.match(await operator.create({ metadata: { name: 'db' }, spec: { plugins: [off] } }), {
    phaseReason: undefined,
  })
})

void t.test('parameters that do not fit are refused, also by a plugin without a hook for that', async (t) => {
  const make = (name: string) =>
    testCnpgPlugin({ name, version: '1', parameters: z.object({ size: z.coerce.number().max(3) }) })
  const operator = await testCnpgOperator([make('a.example.org'), make('b.example.org')])
  const entry = (name: string, size: string, enabled = true) => ({ name, enabled, parameters: { size } })
  const create = (...plugins: ReturnType<typeof entry>[]) =>
    operator.create({ metadata: { name: 'db' }, spec: { plugins } })
  const refusal =
    /^Cluster db is refused: spec\.plugins\.1\.parameters\.size: Invalid value: "4": must be at most 3$/
  await t.rejects(create(entry('a.example.org', '1'), entry('b.example.org', '4')), { message: refusal })
  t.match(
    await create(entry('a.example.org', '1'), entry('b.example.org', '4', false)),
    { phase: 'Cluster in healthy state' },
    'a plugin that is not enabled is not called',
  )
  const change = operator.change(({ spec }) => spec.plugins?.splice(0, 1, entry('a.example.org', '5')))
  await t.rejects(change, { message: /spec\.plugins\.0\.parameters\.size/ })
})

void t.test('a plugin that a Cluster names later is validated as for a new Cluster', async (t) => {
  const validated: string[] = []
  const plugin = testCnpgPlugin(options).cluster({
    validateCreate: () => void validated.push('create'),
    validateChange: () => void validated.push('change'),
  })
  const operator = await testCnpgOperator(plugin)
  await operator.create({ metadata: { name: 'db' }, spec: {} })
  const use = (enabled?: boolean) =>
    operator.change(({ spec }) => {
      spec.plugins = [{ name: options.name, ...(enabled !== undefined && { enabled }) }]
    })
  for (const enabled of [undefined, true, false, true]) await use(enabled)
  t.same(validated, ['create', 'change', 'create'])
})

void t.test('several plugins: in alphabetical order, each on the output of the one before', async (t) => {
  const make = (name: string) => {
    const plugin = testCnpgPlugin({ name, version: '1' })
    plugin.pods({
      instance(_ctx, { metadata }) {
        const { order = '' } = metadata.labels ?? {}
        if (!order.includes(name)) metadata.labels = { ...metadata.labels, order: `${order} ${name}`.trim() }
      },
    })
    plugin.cluster({ status: () => ({ by: name }) })
    return plugin
  }
  const operator = await testCnpgOperator([
    make('b.example.org'),
    make('c.example.org'),
    make('a.example.org'),
  ])
  const plugins = ['c', 'b', 'a'].map((letter) => ({
    name: `${letter}.example.org`,
    enabled: letter !== 'c',
  }))
  await operator.create({ metadata: { name: 'db' }, spec: { plugins } })
  t.equal(operator.pods[0]?.metadata.labels?.order, 'a.example.org b.example.org')
  t.match(operator.cluster?.status?.pluginStatus, [
    { name: 'a.example.org', status: '{"by":"a.example.org"}' },
    { name: 'b.example.org', status: '{"by":"b.example.org"}' },
  ])
})

void t.test('a hook that fails for a Pod that runs is only logged, and fails for a new Pod', async (t) => {
  const plugin = testCnpgPlugin(options)
  let isFailing = false
  plugin.pods({
    instance() {
      if (isFailing) throw new HookError('the vault is sealed')
    },
  })
  const operator = await testCnpgOperator(plugin)
  await operator.create({
    metadata: { name: 'db' },
    spec: { instances: 1, plugins: [{ name: options.name }] },
  })
  isFailing = true
  t.match(await operator.reconcile(), { phase: 'Cluster in healthy state' })
  t.match(operator.logged, [/^while checking if pod needs rollout: .*the vault is sealed$/])
  const grown = await operator.change(({ spec }) => {
    spec.instances = 2
  })
  t.match(grown, { phaseReason: /the vault is sealed$/, requeueAfterSeconds: 15 })
})

void t.test('one object and one verb', async (t) => {
  const plugin = testCnpgPlugin(options)
  plugin.objects(services, {
    delete(_ctx, { metadata }) {
      metadata.annotations = { ...metadata.annotations, by: 'hello' }
    },
  })
  const operator = await testCnpgOperator(plugin)
  await operator.create(cluster())
  const service = { apiVersion: 'v1', kind: 'Service' as const, metadata: { name: 'db-rw' } }
  t.same((await operator.hook('DELETE', service)).metadata, { name: 'db-rw', annotations: { by: 'hello' } })
  t.same((await operator.hook('CREATE', service)).metadata, { name: 'db-rw' })
})
