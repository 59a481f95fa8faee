import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { services } from '../../../engine/kube/builtin.js'
import { asItsType, type DeepReadonly } from '../../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { nameLimit } from '../../naming/name-limit.js'
import { clusterNaming, type NamespacedNamingOptions, namespacedNaming } from '../../naming/naming.js'
import { isForceSynced } from '../../ownership/ownership.js'
import {
  type ExcludedPath,
  type FieldPath,
  fieldAt,
  parseExcludedPath,
  withFieldsKept,
} from '../fields/field-paths.js'
import type { Pair } from '../syncer.js'
import { syncUpStatus } from './sync-status.js'
import { Translator } from './translator.js'
import type { TranslatorOptions } from './translator-options.js'

/** Options of both directions. */
export interface MirrorOptions<T extends KubeObject> {
  /** The syncer's name; default the kind in lower case, and the direction. */
  name?: string
  /**
   * Selects the originals that are copied; default all. The copy of an original that is no longer selected is deleted.
   */
  select?: (original: DeepReadonly<T>) => boolean
  /**
   * The part of an original that is copied, see {@link Translator.transform}; default all. It must not change
   * the original.
   */
  transform?: (original: DeepReadonly<T>) => NoInfer<T>
}

/** Options of {@link mirrorDown}. */
export interface MirrorDownOptions<T extends KubeObject>
  extends MirrorOptions<T>,
    TranslatorOptions,
    NamespacedNamingOptions {
  /**
   * Fields that the host fills in: not copied, and left as they are on the host, for example `spec.clusterIP` or
   * `spec.ports[*].nodePort`; default none. A headless Service stays headless.
   */
  excludeFields?: readonly FieldPath[]
  /** Whether the status of the copy is written to the original, or which of its fields; default false. */
  statusUp?: boolean | readonly FieldPath[]
  /**
   * Whether an original with the annotation `vcluster.loft.sh/force-sync: "true"` is copied though not selected;
   * default false, since every user of the virtual cluster can write it.
   */
  honoursForceSync?: boolean
}

/** Copies the selected objects to the host, namespaced or not. */
export class DownMirror<T extends KubeObject> extends Translator<T> {
  override readonly runsAfterOwnWrites = false
  readonly #options: MirrorDownOptions<T>
  readonly #excluded: readonly ExcludedPath[]
  readonly #isService: boolean
  override readonly selects?: (virtual: T) => boolean

  constructor(ctx: RegisterContext, resource: Resource<T>, options: MirrorDownOptions<T>) {
    const naming = resource.namespaced
      ? namespacedNaming(ctx, { ...options, maxLength: nameLimit(resource) })
      : clusterNaming(ctx, options.labelMode)
    const ignored = (options.excludeFields ?? []).map(parseExcludedPath)
    super(ctx, options.name ?? `${resource.kind.toLowerCase()}-down`, resource, {
      ...options,
      naming,
      ignored,
    })
    this.#options = options
    this.#excluded = ignored
    this.#isService = formatResource(resource) === formatResource(services)
    const { select, honoursForceSync = false } = options
    if (select) this.selects = (virtual) => select(virtual) || (honoursForceSync && isForceSynced(virtual))
  }

  override transform(virtual: DeepReadonly<T>): T {
    const { transform } = this.#options
    return withFieldsKept(transform ? transform(virtual) : asItsType<T>(virtual), this.#excludedIn(virtual))
  }

  override translateUpdate(host: DeepReadonly<T>, virtual: DeepReadonly<T>): T | undefined {
    // Compared without the fields that the host fills in, and written with them.
    const excluded = this.#excludedIn(virtual)
    const updated = super.translateUpdate(withFieldsKept(asItsType<T>(host), excluded), virtual)
    return updated && withFieldsKept(updated, excluded, asItsType<T>(host))
  }

  /**
   * The excluded fields for an original. The address of a headless Service is copied; any other address is chosen by
   * the host's API server.
   */
  #excludedIn(virtual: DeepReadonly<T>): readonly ExcludedPath[] {
    const isHeadless = this.#isService && fieldAt(virtual, ['spec', 'clusterIP']) === 'None'
    return isHeadless ? this.#excluded.filter((path) => !isAddress(path)) : this.#excluded
  }

  async syncDown(ctx: SyncContext, virtual: DeepReadonly<T>): Promise<ReconcileResult | undefined> {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  async sync(ctx: SyncContext, pair: Pair<T>): Promise<ReconcileResult | undefined> {
    const outcome = await this.syncContent(ctx, pair)
    const { statusUp = false } = this.#options
    const options = typeof statusUp === 'object' ? { fields: statusUp } : {}
    if (statusUp) await syncUpStatus(this, ctx, pair, options)
    return outcome
  }

  /** Syncs everything except the status, if the original is selected and has a copy. */
  protected syncContent(ctx: SyncContext, { host, virtual }: Pair<T>): Promise<ReconcileResult | undefined> {
    return this.syncDownUpdate(ctx, virtual, this.translateUpdate(host, virtual))
  }
}

const isAddress = ({ names: [spec, name] }: ExcludedPath) =>
  spec === 'spec' && (name === 'clusterIP' || name === 'clusterIPs')
