import type { RegisterContext } from '../../context/register-context.js'
import { hostScopes } from '../../ownership/host-objects.js'
import type { Store } from '../../store/store.js'
import type { Reconciler } from '../reconciler.js'
import { Syncer } from '../syncer.js'

type AnyStore = Pick<Store, 'synced' | 'served' | 'whenSynced' | 'whenServed'>

/** The kinds that the runs of a syncer look at: its own, on each side that it looks at, and those it watches beside. */
export class NeededKinds {
  readonly #stores: () => readonly AnyStore[]

  constructor(syncer: Reconciler, ctx: RegisterContext, others: { readonly stores: readonly AnyStore[] }) {
    const host = syncer instanceof Syncer ? hostScopes(syncer) : []
    const own = [
      ctx.virtual.store(syncer.resource),
      ...host.map((scope) => ctx.host.store(syncer.resource, scope)),
    ]
    this.#stores = () => [...own, ...others.stores]
  }

  /** Whether the first lists of all of them are in. */
  get synced(): boolean {
    return this.#stores().every((store) => store.synced)
  }

  /** Whether all of them are served. What is known of one that is not may be long past. */
  get served(): boolean {
    return this.#stores().every((store) => store.served)
  }

  /** Whether runs may act on what the stores of all of them hold. */
  get usable(): boolean {
    return this.served && this.synced
  }

  /** Resolves once {@link synced}, or rejects with the signal's reason. */
  async whenSynced(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#stores().map((store) => store.whenSynced(signal)))
  }

  /** Resolves once {@link usable}, or rejects with the signal's reason. */
  async whenUsable(signal: AbortSignal): Promise<void> {
    while (!this.usable) await Promise.all(this.#stores().map((store) => store.whenServed(signal)))
  }
}
