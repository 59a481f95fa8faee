import { PluginError } from '../../../engine/kube/error.js'
import { type Key, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { checkSpelling, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { RegisterContext } from '../../context/register-context.js'
import { requireContext } from '../../context/require-context.js'
import { MappedNames, type NameMappings } from '../../naming/name-mappings.js'
import { storedHost } from '../../ownership/host-objects.js'
import { type HostSelect, HostSelection } from './host-selection.js'
import { UpTranslator } from './up-translator.js'
import { type UpTranslatorOptions, upTranslatorTypes } from './up-translator-options.js'

/** Options of {@link FromHostTranslator}. */
export interface FromHostTranslatorOptions<T extends KubeObject = KubeObject> extends UpTranslatorOptions {
  /** The virtual names and namespaces of host objects. */
  mappings: NameMappings
  /**
   * Selects the mapped objects that are copied; default those with the label `plugin.vcluster.loft.sh/sync-from-host:
   * "true"`, and objects that a mapping names. The copy of an object that is no longer selected is deleted.
   */
  select?: HostSelect<T>
}

/** The names of {@link FromHostTranslatorOptions}, for the check of options that have these. */
export const fromHostTypes: OptionTypes<FromHostTranslatorOptions> = {
  ...upTranslatorTypes,
  mappings: 'object',
  select: 'any',
}

/**
 * Copies namespaced host objects into the virtual cluster by name mappings, as vcluster does with
 * `sync.fromHost.secrets` and `sync.fromHost.configMaps` since 0.23 (`pkg/syncer/from_host_syncer.go` @ vcluster
 * v0.33.1). The namespaces that the mappings name are watched; outside the target namespace the plugin needs a
 * ClusterRole for that.
 *
 * A mapping of a whole namespace copies only objects that a person has labelled
 * `plugin.vcluster.loft.sh/sync-from-host: "true"`: in its own namespace a vcluster keeps its admin kubeconfig and the
 * key of its CA. Such objects, tokens and Helm's records are never copied, see {@link hostInternalReason}.
 *
 * @example
 * ```ts
 * plugin.register(new FromHostTranslator(ctx, 'shared', secrets, { mappings: { 'shared/*': 'team/*' } }))
 * ```
 */
export class FromHostTranslator<T extends KubeObject = KubeObject> extends UpTranslator<T> {
  override readonly hostNamespaces: readonly string[]
  readonly #ctx: RegisterContext
  readonly #names: MappedNames
  readonly #selection: HostSelection<T>

  /**
   * Throws `PluginError` `INVALID_MAPPING`, and `NOT_NAMESPACED` for a cluster-scoped kind; a `TypeError` for a
   * misspelt option.
   */
  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    options: FromHostTranslatorOptions<T>,
  ) {
    requireContext(`the syncer ${name}`, ctx)
    checkSpelling(`the syncer ${name}`, options, fromHostTypes)
    const { mappings, select, ...upOptions } = options
    if (!resource.namespaced) throw clusterScopedError(name, resource)
    super(ctx, name, resource, upOptions)
    this.#ctx = ctx
    this.#names = new MappedNames(mappings, ctx.currentNamespace)
    this.#selection = new HostSelection({ resource, select, logger: ctx.logger })
    this.hostNamespaces = this.#names.hostNamespaces
  }

  /** The key of the original. If several host objects are mapped to one name, the likeliest existing one. */
  virtualToHost(key: Key): Key | undefined {
    const candidates = this.#names.toHost(key)
    const existing = candidates.find((candidate) => {
      const host = storedHost<T>(this, this.#ctx, candidate)
      return host && this.isManaged(host)
    })
    return existing ?? candidates[0]
  }

  hostToVirtual(host: T): Key | undefined {
    const key = keyOf(host)
    const virtual = this.#names.toVirtual(key)
    return virtual && this.#selection.has(host, { isNamed: this.#names.isNamed(key) }) ? virtual : undefined
  }

  isManaged(host: T): boolean {
    return this.hostToVirtual(host) !== undefined
  }

  protected override reasonAgainst(host: T): string {
    return this.#selection.reasonAgainst(host)
  }
}

function clusterScopedError(name: string, { plural }: Resource): PluginError {
  const message = `Syncer ${name} maps ${plural} by namespace, but they are cluster-scoped; use MirrorTranslator.`
  return new PluginError('NOT_NAMESPACED', message)
}
