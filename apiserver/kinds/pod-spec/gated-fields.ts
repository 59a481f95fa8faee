import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'

/**
 * The rules of a kind with a pod's spec at `path`, which also remove gated fields: those of features that are off by
 * default. A gated field gets an owner in the managed fields before it is removed.
 */
export function withoutGatedFields(rules: KindRules, ...path: readonly string[]): KindRules {
  return {
    ...rules,
    create: {
      ...rules.create,
      prepare(object, services, user) {
        dropGatedFields(object, path)
        return rules.create?.prepare?.(object, services, user)
      },
    },
    update: {
      ...rules.update,
      prepare(object, old, services) {
        dropGatedFields(object, path)
        return rules.update?.prepare?.(object, old, services)
      },
    },
  }
}

/** A projected volume without gated fields in its sources. A source that becomes empty stays in the list. */
function ungatedVolume(volume: unknown): unknown {
  const { projected, ...otherVolumeMembers } = recordOf(volume)
  const { sources, ...otherMembers } = recordOf(projected)
  if (!Array.isArray(sources)) return volume
  const ungated = sources.map((source) => {
    const { clusterTrustBundle: _bundle, podCertificate: _certificate, ...ungated } = recordOf(source)
    return ungated
  })
  return { ...otherVolumeMembers, projected: { ...otherMembers, sources: ungated } }
}

/** A container without a stop signal, and without a lifecycle of which nothing else is set. */
function ungatedContainer(container: unknown): unknown {
  const { lifecycle, ...otherMembers } = recordOf(container)
  const { stopSignal, ...handlers } = recordOf(lifecycle)
  if (stopSignal === undefined) return container
  return Object.keys(handlers).length === 0 ? otherMembers : { ...otherMembers, lifecycle: handlers }
}

const ungatedItems = {
  containers: ungatedContainer,
  initContainers: ungatedContainer,
  ephemeralContainers: ungatedContainer,
  volumes: ungatedVolume,
}

function dropGatedFields(object: OpenObject, [first = '', ...rest]: readonly string[]): void {
  if (object[first] !== undefined) object[first] = withoutGatedAt(recordOf(object[first]), rest)
}

function withoutGatedAt(value: Record<string, unknown>, [first, ...rest]: readonly string[]): object {
  if (first === undefined) {
    const { schedulingGroup: _gated, ...spec } = value
    const lists = Object.entries(ungatedItems).flatMap(([name, ungated]) => {
      const list = spec[name]
      return Array.isArray(list) ? [[name, list.map(ungated)] as const] : []
    })
    return { ...spec, ...Object.fromEntries(lists) }
  }
  return value[first] === undefined
    ? value
    : { ...value, [first]: withoutGatedAt(recordOf(value[first]), rest) }
}
