import { shortenedName } from '../../engine/kube/concat-name.js'
import type { Key } from '../../engine/kube/key.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { LabelMode, RegisterContext } from '../context/register-context.js'
import { type LabelScheme, labelScheme } from './labels.js'
import { nameLimit } from './name-limit.js'
import {
  clusterScopedMarker,
  hostName,
  hostNameClusterScoped,
  hostNameOwnNamespace,
  hostNameShort,
  hostNameShortHex,
  hostNamespaceOf,
} from './names.js'

/** The keys of copies, and the value of their marker label. */
export interface HostNaming {
  /** The key of the copy of the object `key`; `undefined` if it has no copy. */
  hostKey(key: Key): Key | undefined
  /** The marker label's value. */
  readonly marker: string
  /** Translates label keys. */
  readonly scheme: LabelScheme
  /** See {@link Syncer.hostNamespaces}. */
  readonly hostNamespaces: readonly string[] | undefined
  /** The naming of copies of another kind in the same vcluster. */
  of(
    resource: Pick<Resource, 'namespaced' | 'group' | 'plural'>,
    names?: NamespacedNamingOptions['names'],
  ): HostNaming
}

/** The facts that names depend on. */
export type NamingContext = Pick<
  RegisterContext,
  'vclusterName' | 'targetNamespace' | 'currentNamespace' | 'labelMode'
>

/** Options for the names of namespaced copies. */
export interface NamespacedNamingOptions {
  /**
   * `long` (default): `greeting-x-default-x-vc`. `short`: `v` and 13 letters or digits, as vcluster names some kinds
   * since 0.21; `short-hex`: 8 hex digits, as in vcluster 0.20.
   */
  names?: 'long' | 'short' | 'short-hex'
  /**
   * `target` (default): all copies are in the target namespace. `own`: each virtual namespace has its own host
   * namespace, as in vcluster 0.14 to 0.25 with `multiNamespaceMode`; names are not changed, and the whole host cluster
   * is watched.
   */
  namespaces?: 'target' | 'own'
  /** How label keys are written on the host; default as the vcluster writes them (`ctx.labelMode`). */
  labelMode?: LabelMode
}

/** Options that only the SDK's own translators set. */
export interface OwnNamingOptions extends NamespacedNamingOptions {
  /** The longest name that the kind allows, in bytes; default 63. */
  maxLength?: number
}

const shapes = { long: hostName, short: hostNameShort, 'short-hex': hostNameShortHex }

/** The names of namespaced copies. */
export function namespacedNaming(ctx: NamingContext, options: OwnNamingOptions): HostNaming {
  const { names = 'long', namespaces = 'target', labelMode: mode = ctx.labelMode, maxLength = 63 } = options
  const { vclusterName, targetNamespace } = ctx
  if (namespaces === 'own') return ownNamespaces(ctx, mode)
  return {
    hostKey(key) {
      const name = shortenedName(shapes[names](key.name, key.namespace, vclusterName), maxLength)
      return name === '' ? undefined : { namespace: targetNamespace, name }
    },
    marker: vclusterName,
    scheme: labelScheme({ mode, vclusterName }),
    hostNamespaces: undefined,
    of: namingOfOthers(ctx, { labelMode: mode }),
  }
}

/** The naming of other kinds in a vcluster that names namespaced copies with these options. */
function namingOfOthers(ctx: NamingContext, options: NamespacedNamingOptions): HostNaming['of'] {
  return (resource, names = 'long') =>
    resource.namespaced
      ? namespacedNaming(ctx, { ...options, names, maxLength: nameLimit(resource) })
      : clusterNaming(ctx, options.labelMode)
}

function ownNamespaces(ctx: NamingContext, mode: LabelMode): HostNaming {
  const { currentNamespace, vclusterName } = ctx
  return {
    hostKey: ({ namespace, name }) =>
      name === ''
        ? undefined
        : {
            namespace: hostNamespaceOf(namespace, currentNamespace, vclusterName),
            name: hostNameOwnNamespace(name, vclusterName),
          },
    marker: vclusterName,
    scheme: labelScheme({ mode, vclusterName, keepsRelease: true }),
    hostNamespaces: [''],
    of: namingOfOthers(ctx, { labelMode: mode, namespaces: 'own' }),
  }
}

/** The names of cluster-scoped copies. */
export function clusterNaming(ctx: NamingContext, labelMode: LabelMode = ctx.labelMode): HostNaming {
  const { vclusterName, targetNamespace } = ctx
  return {
    hostKey({ name }) {
      const host = hostNameClusterScoped(name, targetNamespace, vclusterName)
      return host === '' ? undefined : { namespace: '', name: host }
    },
    marker: clusterScopedMarker(targetNamespace, vclusterName),
    scheme: labelScheme({ mode: labelMode, vclusterName, hostNamespace: targetNamespace }),
    hostNamespaces: undefined,
    of: namingOfOthers(ctx, { labelMode }),
  }
}
