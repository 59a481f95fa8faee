import type { RegisterContext } from '../context/register-context.js'
import { PluginError } from '../kube/error.js'
import { type Key, keyOf } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import { markerLabel } from './marks.js'
import { UpTranslator, type UpTranslatorOptions } from './up-translator.js'

/**
 * Shows cluster-scoped host objects in the virtual cluster under their own names. Copies that any vcluster made on the
 * host are no originals (`NewMirrorPhysicalTranslator` in `syncer/translator/mirror_translator.go` @ vcluster-sdk
 * v0.4.2, which takes over whatever stands there: here the option `adopts` does).
 */
export class MirrorTranslator<T extends KubeObject = KubeObject> extends UpTranslator<T> {
  /** Throws `PluginError` with code `NOT_CLUSTER_SCOPED` for a namespaced kind. */
  constructor(ctx: RegisterContext, name: string, resource: Resource<T>, options: UpTranslatorOptions = {}) {
    if (resource.namespaced) throw namespaced(name, resource)
    super(ctx, name, resource, options)
  }

  virtualToHost(key: Key): Key | undefined {
    return key
  }

  hostToVirtual(host: T): Key | undefined {
    return host.metadata.labels?.[markerLabel] === undefined ? keyOf(host) : undefined
  }

  isManaged(host: T): boolean {
    return this.hostToVirtual(host) !== undefined
  }
}

function namespaced(name: string, { plural }: Resource): PluginError {
  const message =
    `Syncer ${name} would mirror ${plural} under their own names, but they are namespaced, and the two clusters ` +
    'have different namespaces. Extend FromHostTranslator, which is told what goes where.'
  return new PluginError('NOT_CLUSTER_SCOPED', message)
}
