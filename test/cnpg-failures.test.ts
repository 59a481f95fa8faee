// Hooks of CNPG-I plugins that fail: what the operator reads, by its own client.
import t from 'tap'
import { HookError, type ObjectHook } from '../sdk/cnpg/index.js'
import type { PluginRuntime } from '../sdk/cnpg/plugin.js'
import type { Pod } from '../sdk/engine/kube/builtin.js'
import { VirtualClock } from '../testing/index.js'
import { noClient } from './cnpg-process.js'
import { cluster, name, pod, served } from './cnpg-served.js'

const skip = noClient

/** The error of `CREATE` of a Pod for each hook. */
const failing: readonly (readonly [title: string, create: ObjectHook<Pod>['create'], text: string])[] = [
  [
    'an error for the owner of the Cluster is shown',
    () => {
      throw new HookError('parameter vault must name a Secret', { code: 'INVALID_ARGUMENT' })
    },
    'code = InvalidArgument desc = parameter vault must name a Secret',
  ],
  [
    'the message of any other error is not',
    () => {
      throw new TypeError('token s3cr3t is wrong')
    },
    `code = Internal desc = plugin ${name} failed in OperatorLifecycle/LifecycleHook (TypeError); the log of the plugin has the message`,
  ],
  [
    'nor is what is thrown without being an error',
    () => Promise.reject('s3cr3t' as unknown as Error),
    `plugin ${name} failed in OperatorLifecycle/LifecycleHook (string); the log of the plugin has the message`,
  ],
  [
    'another name',
    (_ctx, draft) => ({ ...draft, metadata: { ...draft.metadata, name: 'db-2' } }),
    'Pod default/db-1: the hook must not change metadata.name',
  ],
  [
    'another kind',
    (_ctx, draft) => ({ ...draft, kind: 'Job' }) as unknown as Pod,
    'Pod default/db-1: the hook must not change kind',
  ],
  [
    'another namespace',
    (_ctx, draft) => ({ ...draft, metadata: { ...draft.metadata, namespace: 'other' } }),
    'Pod default/db-1: the hook must not change metadata.namespace',
  ],
]

void t.test('the operator reads a sentence about a hook that fails', { skip }, async (t) => {
  let create: ObjectHook<Pod>['create']
  const client = await served(t, {}, (plugin: PluginRuntime) =>
    plugin.pods({ create: (ctx, draft) => create?.(ctx, draft) }),
  )
  for (const [title, hook, text] of failing) {
    create = hook
    const { error = '' } = await client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object: pod })
    t.ok(error.includes(text), title, { error })
    t.notMatch(error, 's3cr3t')
  }
  create = () => {}
  t.notOk((await client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object: pod })).error)
})

void t.test('a hook that hangs is ended before the operator gives up', { skip }, async (t) => {
  const clock = new VirtualClock()
  const calls: AbortSignal[] = []
  let called = () => {}
  const begun = new Promise<void>((resolve) => {
    called = resolve
  })
  const client = await served(t, { clock }, (plugin: PluginRuntime) =>
    plugin.pods({
      create({ signal }) {
        calls.push(signal)
        called()
        return new Promise(() => {})
      },
    }),
  )
  const asked = client.ask('lifecycle', { verb: 'CREATE', cluster: cluster(), object: pod })
  await begun
  await clock.advance(25_000)
  const late = `code = DeadlineExceeded desc = plugin ${name} did not answer /cnpgi.operator_lifecycle.v1.OperatorLifecycle/LifecycleHook within 25 s; pass ctx.signal to calls that wait`
  t.match((await asked).error, late)
  t.ok(calls[0]?.aborted, 'the signal of the hook aborts')
  t.notOk((await client.ask('probe')).error, 'others do not wait for it')
})
