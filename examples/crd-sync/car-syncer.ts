import {
  type DeepReadonly,
  ensureCRD,
  ensureCRDPermissions,
  NamespacedTranslator,
  type Pair,
  type Permission,
  type RegisterContext,
  type SyncContext,
  syncUpStatus,
} from 'vcluster-plugin-sdk'
import { type Car, cars } from './car.js'
import { carDefinition } from './car-definition.js'

/** Options of {@link CarSyncer}. */
export interface CarSyncerOptions {
  /** Copies the definition from the host instead of installing its own; default false. */
  fromHost?: boolean
}

/**
 * Copies every car to the host. Its spec may change on both sides. Its status is copied back from the host.
 */
export class CarSyncer extends NamespacedTranslator<Car> {
  /**
   * Permissions in addition to those of every syncer: `vcluster-plugin manifest` and `vcluster-plugin rbac` print them.
   */
  override readonly permissions: readonly Permission[]
  readonly #fromHost: boolean

  constructor(ctx: RegisterContext, { fromHost = false }: CarSyncerOptions = {}) {
    super(ctx, 'car', cars, { remembers: ['spec'] })
    this.#fromHost = fromHost
    this.permissions = ensureCRDPermissions(fromHost ? { from: 'host' } : {})
  }

  /** Installs the definition of cars in the virtual cluster before the first list. */
  override async init(ctx: RegisterContext) {
    await ensureCRD(ctx, this.#fromHost ? { from: 'host', resource: cars } : { definition: carDefinition })
  }

  override syncDown(ctx: SyncContext, virtual: DeepReadonly<Car>) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override async sync(ctx: SyncContext, pair: Pair<Car>) {
    await syncUpStatus(this, ctx, pair)
    return this.syncBoth(ctx, pair)
  }
}
