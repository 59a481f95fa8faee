// Finalizers, namespaces that end, effects and definitions of an operator, on a real API server with the controllers of
// a control plane.
import { Subject } from 'rxjs'
import t from 'tap'
import * as z from 'zod'
import type { CustomResourceDefinition } from '../sdk/engine/kube/builtin.js'
import { configMaps, customResourceDefinitions, events, namespaces } from '../sdk/engine/kube/builtin.js'
import { isConflict, isInvalid } from '../sdk/engine/kube/error.js'
import type { Key } from '../sdk/engine/kube/key.js'
import type { Transport } from '../sdk/engine/transport/transport.js'
import {
  type Backup,
  backup,
  backupDefinition,
  backups,
  memcached,
  key as other,
} from '../sdk/operator/backups.fixture.js'
import { optional } from '../sdk/operator/controller/owned.js'
import { generationChanged } from '../sdk/operator/controller/predicate.js'
import { byLabel, watch } from '../sdk/operator/controller/watch.js'
import { defineKind } from '../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { openBackups } from './real/open-backups.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const merge = (body: object) => ({ type: 'merge', body }) as const
const named = (name: string, namespace = other.namespace): Key => ({ namespace, name })
const backupAt = (metadata: object, size = 1): Backup => ({ ...backup(size), metadata })
const ours = 'cache.my.domain/backups'

/** The definition with another schema of its objects. */
function withSchema(
  change: (properties: { spec: object; status: Status }) => void,
): CustomResourceDefinition {
  const definition = structuredClone(backupDefinition)
  for (const { schema = {} } of definition.spec.versions)
    change((schema.openAPIV3Schema as { properties: { spec: object; status: Status } }).properties)
  return definition
}
type Status = { properties: Record<string, unknown> }

/** The kind of a program that need not be installed. */
const monitors = defineKind({
  group: 'monitoring.my.domain',
  version: 'v1',
  kind: 'Monitor',
  spec: z.object({ of: z.string() }),
})

/** The same transport; what its watches say waits half a second while `isLate`. */
function lagging(inner: Transport, isLate: () => boolean): Transport {
  return {
    request: (request) => inner.request(request),
    stream: async (request) => {
      const stream = await inner.stream(request)
      return { ...stream, chunks: late(stream.chunks, isLate) }
    },
    close: () => inner.close(),
  }
}

async function* late<T>(chunks: AsyncIterable<T>, isLate: () => boolean): AsyncIterable<T> {
  for await (const chunk of chunks) {
    if (isLate()) await new Promise((resolve) => setTimeout(resolve, 500))
    yield chunk
  }
}

void t.test('the life of objects on a real control plane', { skip, timeout: 600_000 }, async (t) => {
  const { client, get, gone, start } = await openBackups(t)
  const { name: definitionName = '' } = backupDefinition.metadata
  const install = ({ spec }: CustomResourceDefinition) =>
    client.patch(customResourceDefinitions, named(definitionName, ''), {
      type: 'json',
      body: [{ op: 'replace', path: '/spec/versions', value: spec.versions }],
    })
  const conditionOf = async (at: Key, type: string) =>
    (await get(backups, at))?.status?.conditions?.find((one) => one.type === type)

  await t.test(
    'a finalize that fails is reported, and then only its own finalizer goes, whatever others do',
    async (t) => {
      const at = named('finalized')
      const theirs = Array.from({ length: 20 }, (_, n) => `a.b/${n}`)
      let isAway = true
      let runs = 0
      const operator = await start({
        reconcile: () => {},
        finalize: () => {
          runs++
          if (isAway) throw new Error('the cloud is away')
        },
      })
      await client.create(backups, backupAt({ ...at, finalizers: ['a.b/stay', ...theirs] }))
      await until(async () => (await client.get(backups, at)).metadata.finalizers?.includes(ours) === true)
      await client.delete(backups, at)
      await until(() => runs >= 10)
      await until(async () => {
        const { items } = await client.list(events, { namespace: 'default' })
        return items.some(({ message = '' }) => message.includes('failed 10 times in a row'))
      })
      t.match(await conditionOf(at, 'Finalized'), { status: 'False', reason: 'FinalizeFailed' })
      isAway = false
      // The next run begins within a minute, or at once after a change.
      await Promise.all(theirs.map((finalizer) => removed(at, finalizer)))
      await until(async () => String((await client.get(backups, at)).metadata.finalizers) === 'a.b/stay')
      const last = runs
      await client.patch(backups, at, merge({ metadata: { labels: { still: 'here' } } }))
      await operator.quiet()
      t.equal(runs, last, 'nothing runs any more')
      await removed(at, 'a.b/stay')
      await gone(backups, at)
      await operator.stop()
    },
  )

  await t.test(
    'a run that begins between the removal of the finalizer and its event finalizes nothing again',
    async (t) => {
      const at = named('removed')
      const runs: string[] = []
      const triggers$ = new Subject<Key>()
      let isRemoved = false
      const operator = await start(
        {
          triggers$,
          reconcile: () => {},
          finalize: (_ctx, { metadata }) => void runs.push(`finalize ${metadata.name}`),
          deleted: (_ctx, { name }) => void runs.push(`deleted ${name}`),
        },
        {
          wrap: (inner) => ({
            ...lagging(inner, () => isRemoved),
            request: async (request) => {
              const isRemoval = request.method === 'PATCH' && `${request.body}`.includes('"op":"remove"')
              isRemoved ||= isRemoval
              const answer = await inner.request(request)
              // The next run does not wait for the watch.
              if (isRemoval) setTimeout(() => triggers$.next(at), 1)
              return answer
            },
          }),
        },
      )
      await client.create(backups, backupAt(at))
      await until(async () => (await client.get(backups, at)).metadata.finalizers?.includes(ours) === true)
      await client.delete(backups, at)
      await gone(backups, at)
      await until(() => runs.includes('deleted removed'))
      await operator.quiet()
      t.same(runs, ['finalize removed', 'deleted removed'])
      await operator.stop()
    },
  )

  /** Removes a finalizer of another program, as often as it takes. */
  async function removed(at: Key, finalizer: string): Promise<void> {
    await until(
      async () => {
        const { finalizers = [], resourceVersion } = (await client.get(backups, at)).metadata
        const metadata = { resourceVersion, finalizers: finalizers.filter((one) => one !== finalizer) }
        return client.patch(backups, at, merge({ metadata })).then(
          () => true,
          (error: unknown) => !isConflict(error) && Promise.reject(error),
        )
      },
      { everyMs: 1 },
    )
  }

  await t.test(
    'a namespace that ends takes its objects along, and nothing is created in it again',
    async (t) => {
      const at = named('daily', 'team')
      const settings = named('settings', 'team')
      const runs: string[] = []
      const operator = await start({
        owns: [configMaps],
        reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: { name: 'settings' } })),
        finalize: () => void runs.push('finalize'),
      })
      await client.create(namespaces, { metadata: { name: 'team' } })
      await client.create(backups, backupAt(at))
      await until(async () => (await get(configMaps, settings)) !== undefined)
      await operator.quiet()
      operator.writes.length = 0
      await client.delete(namespaces, named('team', ''))
      await gone(namespaces, named('team', ''))
      await operator.quiet()
      t.same(runs, ['finalize'])
      const creations = operator.writes.filter((write) => write.includes('configmaps'))
      t.ok(
        creations.length <= 1,
        `${creations.length} tries to create again what the namespace controller deleted`,
      )
      t.same(operator.warnings, [])
      await operator.stop()
    },
  )

  await t.test('a controller uses an optional kind as soon as it is installed', async (t) => {
    const at = named('monitored')
    const operator = await start({
      owns: [configMaps, optional(monitors)],
      reconcile: async (ctx, { metadata: { name } }) => {
        if (name !== at.name) return
        await ctx.apply(configMaps, { metadata: { name: at.name } })
        if (ctx.serves(monitors))
          await ctx.apply(monitors, { metadata: { name: at.name }, spec: { of: at.name } })
      },
    })
    await client.create(backups, backupAt(at))
    await until(async () => (await get(configMaps, at)) !== undefined)
    await client.create(customResourceDefinitions, crdOf(monitors))
    await until(async () => (await get(monitors, at)) !== undefined)
    const text = operator.warnings.join('\n')
    t.match(text, /the kind is not served; waiting until it is.*install the definition of the kind/)
    await client.delete(backups, at)
    await gone(backups, at)
    await operator.stop()
  })

  await t.test(
    'an object whose namespace ends is applied again when the namespace is there again',
    async (t) => {
      const settings = named('settings', 'ending')
      const hold = named('holds', 'ending')
      await client.create(namespaces, { metadata: { name: 'ending' } })
      await client.create(configMaps, { metadata: { ...hold, finalizers: ['a.b/hold'] } })
      await client.delete(namespaces, named('ending', ''))
      const operator = await start({
        owns: [configMaps],
        reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: { ...settings } })),
      })
      await client.create(backups, backupAt(named('elsewhere')))
      const tries = () => operator.writes.filter((write) => write.includes('configmaps')).length
      await until(() => tries() > 0)
      await operator.quiet()
      t.equal(tries(), 1)
      t.same(operator.warnings, [])
      await client.patch(configMaps, hold, merge({ metadata: { finalizers: null } }))
      await gone(namespaces, named('ending', ''))
      await client.create(namespaces, { metadata: { name: 'ending' } })
      await until(async () => (await get(configMaps, settings)) !== undefined)
      t.same(operator.warnings, [])
      await client.delete(backups, named('elsewhere'))
      await gone(backups, named('elsewhere'))
      await operator.stop()
    },
  )

  await t.test(
    'a status field that the installed definition lacks is named, and costs no loop',
    async (t) => {
      const older = withSchema(({ status }) => delete status.properties.nodes)
      await client.patch(customResourceDefinitions, named(definitionName, ''), merge({ spec: older.spec }))
      // A merge patch adds members only.
      const versions = older.spec.versions
      await client.patch(customResourceDefinitions, named(definitionName, ''), {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/versions', value: versions }],
      })
      const at = named('older')
      await client.create(backups, backupAt(named('probe')))
      await until(async () => {
        const body = { ...merge({ status: { nodes: ['x'] } }), subresource: 'status' } as const
        return (await client.patch(backups, named('probe'), body)).status?.nodes === undefined
      })
      await client.delete(backups, named('probe'))
      const operator = await start(memcached)
      await client.create(backups, backupAt(at, 2))
      await until(async () => (await conditionOf(at, 'Available')) !== undefined)
      await operator.quiet()
      t.same(operator.warnings, [
        'status.nodes was not stored: the installed CRD of Backup is older than the program; apply what vcluster-plugin crd prints',
      ])
      t.match((await client.get(backups, at)).status, { nodes: undefined, observedGeneration: 1 })
      const writes = operator.writes.length
      await operator.quiet()
      t.equal(operator.writes.length, writes)
      await operator.stop()
      await client.delete(backups, at)
      await gone(backups, at)
    },
  )

  await t.test(
    'an object that does not fit the schema is reported, not reconciled, and can be deleted',
    async (t) => {
      const loose = withSchema((properties) => {
        properties.spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
      })
      await install(loose)
      const at = named('unfit')
      await until(() =>
        client.create(backups, backupAt(at, 'many' as never)).then(
          () => true,
          (error: unknown) => !isInvalid(error) && Promise.reject(error),
        ),
      )
      const runs: unknown[] = []
      const ends: unknown[] = []
      const operator = await start({
        reconcile: (_ctx, { metadata, spec }) => void (metadata.name === at.name && runs.push(spec.size)),
        finalize: (_ctx, { spec }) => void ends.push(spec?.size),
      })
      await until(async () => (await conditionOf(at, 'Valid'))?.reason === 'SchemaMismatch')
      t.match(await conditionOf(at, 'Valid'), { status: 'False', message: /spec\.size/ })
      t.same(runs, [])
      await client.patch(backups, at, merge({ spec: { size: 4 } }))
      await until(async () => runs.length > 0 && (await conditionOf(at, 'Valid')) === undefined)
      t.same(new Set(runs), new Set([4]))
      await client.patch(backups, at, merge({ spec: { size: 'many' } }))
      await until(async () => (await conditionOf(at, 'Valid')) !== undefined)
      await client.delete(backups, at)
      await gone(backups, at)
      t.same(ends, ['many'], 'finalize gets it as it is')
      await operator.stop()
    },
  )

  await t.test(
    'a predicate by generation hides a status, and neither data, deletion nor another object',
    async (t) => {
      await install(backupDefinition)
      const at = named('watched')
      const settings = named('settings')
      const runs: (string | undefined)[] = []
      const operator = await start({
        predicate: generationChanged,
        watches: [watch(configMaps, { keys: byLabel('backup'), predicate: generationChanged })],
        reconcile: (_ctx, { metadata }) => void (metadata.name === at.name && runs.push(metadata.uid)),
        deleted: (_ctx, { name }) => void (name === at.name && runs.push('deleted')),
      })
      const first = await client.create(backups, backupAt(at))
      await until(() => runs.length > 0)
      const noRun = async (change: () => Promise<unknown>) => {
        const before = runs.length
        await change()
        await operator.quiet()
        t.equal(runs.length, before)
      }
      const oneRun = async (change: () => Promise<unknown>) => {
        await operator.quiet()
        const before = runs.length
        await change()
        await until(() => runs.length > before)
        await operator.quiet()
        t.equal(runs.length, before + 1)
      }
      await oneRun(() =>
        client.create(configMaps, { metadata: { ...settings, labels: { backup: at.name } } }),
      )
      await noRun(() =>
        client.patch(backups, at, { ...merge({ status: { nodes: ['x'] } }), subresource: 'status' }),
      )
      await noRun(() => client.patch(backups, at, merge({ metadata: { labels: { mine: 'yes' } } })))
      await oneRun(() => client.patch(backups, at, merge({ spec: { size: 2 } })))
      await oneRun(() => client.patch(configMaps, settings, merge({ data: { a: '1' } })))
      await oneRun(() => client.delete(backups, at))
      t.equal(runs.at(-1), 'deleted')
      const second = await client.create(backups, backupAt(at))
      await until(() => runs.at(-1) === second.metadata.uid)
      t.equal(second.metadata.generation, first.metadata.generation)
      await operator.stop()
    },
  )
})
