// Known bugs of syncers, each in an otherwise correct mirror.
import { type ConfigMap, configMaps, isAlreadyExists, type Pair, type SyncContext } from 'vcluster-plugin-sdk'
import { Mirror } from './mirror.js'

/** A bug. */
export interface Bug {
  /** A description of the bug. */
  readonly does: string
  readonly syncer: typeof Mirror
}

const nameOf = ({ metadata }: ConfigMap) => metadata.name ?? ''

/** State in memory is lost in a crash. */
const forgotten: Bug[] = [
  {
    does: 'deletes only copies that it remembers',
    syncer: class extends Mirror {
      readonly #made = new Set<string>()
      override syncDown(ctx: SyncContext, virtual: ConfigMap) {
        this.#made.add(ctx.key.name)
        return super.syncDown(ctx, virtual)
      }
      override async syncUp(ctx: SyncContext, host: ConfigMap) {
        if (this.#made.has(ctx.key.name)) await super.syncUp(ctx, host)
      }
    },
  },
  {
    does: 'compares with its last write instead of with the copy',
    syncer: class extends Mirror {
      readonly #written = new Map<string, string>()
      override async sync(ctx: SyncContext, pair: Pair<ConfigMap>) {
        const wanted = JSON.stringify(pair.virtual.data)
        if (this.#written.get(ctx.key.name) === wanted) return
        await super.sync(ctx, pair)
        this.#written.set(ctx.key.name, wanted)
      }
    },
  },
  {
    does: 'acts only on events, and ignores objects that exist at its start',
    syncer: class extends Mirror {
      readonly #old = new Set<string>()
      override async init() {
        const { items } = await this.virtual.listAll(configMaps)
        for (const item of items) this.#old.add(nameOf(item))
      }
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        if (!this.#old.delete(ctx.key.name)) await super.syncDown(ctx, virtual)
      }
    },
  },
  {
    does: 'ignores the next event after each of its own writes',
    syncer: class extends Mirror {
      readonly #own = new Set<string>()
      override async reconcileStart(ctx: SyncContext) {
        return this.#own.delete(ctx.key.name)
      }
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        await super.syncDown(ctx, virtual)
        this.#own.add(ctx.key.name)
      }
    },
  },
  {
    does: 'removes its finalizer only if it remembers adding it',
    syncer: class extends Mirror {
      readonly #held = new Set<string>()
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        const patch = { metadata: { finalizers: ['example.com/held'] } }
        if (!virtual.metadata.deletionTimestamp)
          await ctx.virtual.client.patch(configMaps, ctx.key, { type: 'merge', body: patch })
        this.#held.add(ctx.key.name)
        await super.syncDown(ctx, virtual)
      }
      override async sync(ctx: SyncContext, pair: Pair<ConfigMap>) {
        if (!pair.virtual.metadata.deletionTimestamp) return super.sync(ctx, pair)
        if (!this.#held.has(ctx.key.name)) return
        const patch = { metadata: { finalizers: null } }
        await ctx.virtual.client.patch(configMaps, ctx.key, { type: 'merge', body: patch })
      }
    },
  },
]

/** Two writes are not atomic, and an answer may be lost. */
const halfDone: Bug[] = [
  {
    does: 'creates the copy first and labels it with a second write',
    syncer: class extends Mirror {
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        const copy = this.translateMetadata(virtual)
        const { labels, annotations, ...metadata } = copy.metadata
        const made = await ctx.host.client.create(configMaps, { ...copy, metadata })
        await ctx.host.client.update(configMaps, {
          ...made,
          metadata: { ...made.metadata, ...(labels && { labels }), ...(annotations && { annotations }) },
        })
      }
    },
  },
  {
    does: 'counts its updates before it writes them',
    syncer: class extends Mirror {
      override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
        const updated = this.translateUpdate(host, virtual)
        if (!updated) return
        const key = { namespace: 'default', name: 'counter' }
        const counter = await ctx.virtual.client.get(configMaps, key)
        const count = String(Number(counter.data?.count ?? 0) + 1)
        await ctx.virtual.client.patch(configMaps, key, { type: 'merge', body: { data: { count } } })
        await this.syncDownUpdate(ctx, virtual, updated)
      }
    },
  },
  {
    does: 'retries a create at once, and uses another name if the first one is taken',
    syncer: class extends Mirror {
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        const copy = this.translateMetadata(virtual)
        const create = (name: string) =>
          ctx.host.client.create(configMaps, { ...copy, metadata: { ...copy.metadata, name } })
        try {
          await create(nameOf(copy)).catch(() => create(nameOf(copy)))
        } catch (error) {
          if (!isAlreadyExists(error)) throw error
          await create(`${nameOf(copy)}-1`)
        }
      }
    },
  },
  {
    does: 'replaces a copy that differs instead of updating it',
    syncer: class extends Mirror {
      override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
        if (!this.translateUpdate(host, virtual)) return
        await ctx.virtual.client.patch(configMaps, ctx.key, {
          type: 'merge',
          body: { metadata: { annotations: { replaced: ctx.clock.date().toISOString() } } },
        })
        await this.syncDownDelete(ctx, host)
      }
    },
  },
]

/** An error that is not returned is never retried. */
const unheard: Bug[] = [
  {
    does: 'swallows every error',
    syncer: class extends Mirror {
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        await super.syncDown(ctx, virtual).catch(() => {})
      }
    },
  },
  {
    does: 'does not await its writes',
    syncer: class extends Mirror {
      override async sync(ctx: SyncContext, pair: Pair<ConfigMap>) {
        super.sync(ctx, pair).catch(() => {})
      }
    },
  },
  {
    does: 'treats every error of a read as "not found"',
    syncer: class extends Mirror {
      override async sync(ctx: SyncContext, pair: Pair<ConfigMap>) {
        const original = await ctx.virtual.client.get(configMaps, ctx.key).catch(() => undefined)
        await (original ? super.sync(ctx, pair) : this.syncDownDelete(ctx, pair.host))
      }
    },
  },
]

/** Foreign objects must not be written. */
const trespassing: Bug[] = [
  {
    does: 'deletes by name, without the UID',
    syncer: class extends Mirror {
      override async syncUp(ctx: SyncContext, { metadata: { namespace = '', name = '' } }: ConfigMap) {
        await ctx.host.client.delete(configMaps, { namespace, name })
      }
    },
  },
  {
    does: 'deletes every object with its label',
    syncer: class extends Mirror {
      override async syncUp(ctx: SyncContext, { metadata: { labels = {}, namespace = '' } }: ConfigMap) {
        const label = 'vcluster.loft.sh/managed-by'
        await ctx.host.client.deleteCollection(configMaps, {
          namespace,
          labelSelector: `${label}=${labels[label]}`,
        })
      }
    },
  },
  {
    does: 'adopts every object with the name of its copy',
    syncer: class extends Mirror {
      override hostToVirtual({ metadata }: ConfigMap) {
        const [name = '', namespace = ''] = (metadata.name ?? '').split('-x-')
        return namespace === '' ? undefined : { namespace, name }
      }
      override isManaged(host: ConfigMap) {
        return this.hostToVirtual(host) !== undefined
      }
      override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
        const { data, binaryData } = virtual
        const isAlike = JSON.stringify([data, binaryData]) === JSON.stringify([host.data, host.binaryData])
        if (!isAlike) await ctx.host.client.update(configMaps, { ...host, ...(data && { data }) })
      }
    },
  },
  {
    does: 'writes into the namespace of the original',
    syncer: class extends Mirror {
      override async syncDown(ctx: SyncContext, virtual: ConfigMap) {
        await super.syncDown(ctx, virtual)
        const { name = '', namespace = '' } = virtual.metadata
        await ctx.host.client
          .create(configMaps, { metadata: { namespace, name: `${name}-note` } })
          .catch(() => {})
      }
    },
  },
]

/** A correct end state does not exclude errors on the way. */
const restless: Bug[] = [
  {
    does: 'writes in every run',
    syncer: class extends Mirror {
      override async sync(ctx: SyncContext, { host }: Pair<ConfigMap>) {
        const runs = Number(host.metadata.annotations?.runs ?? 0) + 1
        const metadata = {
          ...host.metadata,
          annotations: { ...host.metadata.annotations, runs: String(runs) },
        }
        await ctx.host.client.update(configMaps, { ...host, metadata })
      }
    },
  },
  {
    does: 'copies an annotation down and removes it again on the way up',
    syncer: class extends Mirror {
      override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
        const has = host.metadata.annotations?.ball === 'here'
        const patch = { metadata: { annotations: { ball: has ? null : 'here' } } }
        const { name = '', namespace = '' } = virtual.metadata
        await ctx.virtual.client.patch(configMaps, { name, namespace }, { type: 'merge', body: patch })
        await super.sync(ctx, {
          host,
          virtual: await ctx.virtual.client.get(configMaps, { name, namespace }),
        })
      }
    },
  },
  {
    does: 'deletes every copy whose original is not on the first page of a list',
    syncer: class extends Mirror {
      override async init() {
        const page = await this.virtual.list(configMaps, { namespace: 'default', limit: 2 })
        const copies = await this.host.listAll(configMaps, { namespace: 'vcluster-vc' })
        const names = new Set(page.items.map((item) => `${nameOf(item)}-x-default-x-vc`))
        for (const copy of copies.items) {
          const isOurs = copy.metadata.labels?.['vcluster.loft.sh/managed-by'] === 'vc'
          if (!isOurs || names.has(nameOf(copy))) continue
          const { name = '', namespace = '', uid = '' } = copy.metadata
          await this.host.delete(configMaps, { namespace, name }, { uid })
        }
      }
    },
  },
  {
    does: 'keeps the copy of an original that was deleted and recreated',
    syncer: class extends Mirror {
      override readonly updatesOnNewUid = true
      override async sync(ctx: SyncContext, { host, virtual }: Pair<ConfigMap>) {
        const updated = this.translateUpdate(host, virtual)
        const { annotations } = host.metadata
        await this.syncDownUpdate(
          ctx,
          virtual,
          updated && { ...updated, metadata: { ...updated.metadata, ...(annotations && { annotations }) } },
        )
      }
    },
  },
]

/** All bugs, by category. */
export const bugs: Readonly<Record<string, readonly Bug[]>> = {
  'forgets in a crash': forgotten,
  'is not atomic': halfDone,
  'ignores errors': unheard,
  trespasses: trespassing,
  'writes too often or too late': restless,
}
