import type { RegisterContext } from '../context/register-context.js'
import { PluginError } from '../kube/error.js'
import { type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { storedHost } from '../syncer/host-objects.js'
import { markerLabel } from './marks.js'
import { MappedNames, type NameMappings } from './name-mappings.js'
import { UpTranslator, type UpTranslatorOptions } from './up-translator.js'

/** Options of {@link FromHostTranslator}. */
export interface FromHostTranslatorOptions extends UpTranslatorOptions {
  /** Which host objects are copied, and where to. */
  mappings: NameMappings
}

/**
 * Copies namespaced host objects into the virtual cluster by name mappings, as vcluster does with
 * `sync.fromHost.secrets` and `sync.fromHost.configMaps` since 0.23 (`pkg/syncer/from_host_syncer.go` @ vcluster
 * v0.33.1). The namespaces that the mappings name are watched; outside the target namespace the plugin needs a
 * ClusterRole for that. What a vcluster made on the host, and `kube-root-ca.crt`, is never copied.
 */
export class FromHostTranslator<T extends KubeObject = KubeObject> extends UpTranslator<T> {
  override readonly hostNamespaces: readonly string[]
  readonly #ctx: RegisterContext
  readonly #names: MappedNames

  /** Throws `PluginError` `INVALID_MAPPING`, and `NOT_NAMESPACED` for a cluster-scoped kind. */
  constructor(
    ctx: RegisterContext,
    name: string,
    resource: Resource<T>,
    { mappings, ...options }: FromHostTranslatorOptions,
  ) {
    if (!resource.namespaced) throw clusterScoped(name, resource)
    super(ctx, name, resource, options)
    this.#ctx = ctx
    this.#names = new MappedNames(mappings, ctx.currentNamespace)
    this.hostNamespaces = this.#names.hostNamespaces
  }

  /** Of several host objects that are mapped to one name the likeliest that is there. */
  virtualToHost(key: Key): Key | undefined {
    const candidates = this.#names.toHost(key)
    const found = candidates.find((candidate) => {
      const host = storedHost<T>(this, this.#ctx, candidate)
      return host && this.isManaged(host)
    })
    return found ?? candidates[0]
  }

  hostToVirtual(host: T): Key | undefined {
    return this.#isOriginal(host) ? this.#names.toVirtual(keyOf(host)) : undefined
  }

  isManaged(host: T): boolean {
    return this.hostToVirtual(host) !== undefined
  }

  #isOriginal({ metadata }: T): boolean {
    const isRootCa = this.resource.kind === 'ConfigMap' && metadata.name === 'kube-root-ca.crt'
    return !isRootCa && metadata.labels?.[markerLabel] === undefined
  }
}

function clusterScoped(name: string, { plural }: Resource): PluginError {
  const message = `Syncer ${name} maps ${plural} by namespace, but they are cluster-scoped; use MirrorTranslator.`
  return new PluginError('NOT_NAMESPACED', message)
}
