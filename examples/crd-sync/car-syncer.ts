import {
  type DeepReadonly,
  ensureCRD,
  NamespacedTranslator,
  type Pair,
  type Permission,
  type RegisterContext,
  type SyncContext,
} from 'vcluster-plugin-sdk'
import { type Car, cars } from './car.js'
import { carDefinition } from './car-definition.js'

const readsDefinitions: Permission = {
  side: 'host',
  group: 'apiextensions.k8s.io',
  resource: 'customresourcedefinitions',
  namespace: '',
  verbs: ['get'],
}

/** Options of {@link CarSyncer}. */
export interface CarSyncerOptions {
  /** Copies the definition from the host, instead of bringing its own; default false. */
  fromHost?: boolean
}

/** Copies every car to the host. Its spec may change on both sides; its status is the host's. */
export class CarSyncer extends NamespacedTranslator<Car> {
  /** Beside what every syncer needs; `vcluster-plugin manifest` writes it into the plugin's ClusterRole. */
  override readonly permissions: readonly Permission[]
  readonly #fromHost: boolean

  constructor(ctx: RegisterContext, { fromHost = false }: CarSyncerOptions = {}) {
    super(ctx, 'car', cars, { remembers: ['spec'] })
    this.#fromHost = fromHost
    this.permissions = fromHost ? [readsDefinitions] : []
  }

  /** Lets the virtual cluster serve cars, before anything is listed. */
  override async init(ctx: RegisterContext) {
    await ensureCRD(ctx, this.#fromHost ? { from: 'host', resource: cars } : { definition: carDefinition })
  }

  override syncDown(ctx: SyncContext, virtual: DeepReadonly<Car>) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override async sync(ctx: SyncContext, pair: Pair<Car>) {
    await this.syncUpStatus(ctx, pair)
    return this.syncBoth(ctx, pair)
  }
}
