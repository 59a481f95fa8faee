import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'

/**
 * The rules of a kind with a pod's spec at `path`, without fields of features that are off by default. Such
 * fields are tracked in the managed fields and then removed.
 */
export function withoutGatedFields(rules: KindRules, ...path: readonly string[]): KindRules {
  return {
    ...rules,
    create: {
      ...rules.create,
      prepare(object, services, user) {
        dropBelow(object, path)
        return rules.create?.prepare?.(object, services, user)
      },
    },
    update: {
      ...rules.update,
      prepare(object, old, services) {
        dropBelow(object, path)
        return rules.update?.prepare?.(object, old, services)
      },
    },
  }
}

/** A projected volume without the sources of such features; an empty source stays. */
function ungatedVolume(volume: unknown): unknown {
  const { projected, ...rest } = recordOf(volume)
  const { sources, ...kept } = recordOf(projected)
  if (!Array.isArray(sources)) return volume
  const ungated = sources.map((source) => {
    const { clusterTrustBundle: _bundle, podCertificate: _certificate, ...known } = recordOf(source)
    return known
  })
  return { ...rest, projected: { ...kept, sources: ungated } }
}

function dropBelow(object: OpenObject, [first = '', ...rest]: readonly string[]): void {
  if (object[first] !== undefined) object[first] = without(recordOf(object[first]), rest)
}

function without(value: Record<string, unknown>, [first, ...rest]: readonly string[]): object {
  if (first === undefined) {
    const { schedulingGroup: _gated, ...spec } = value
    return Array.isArray(spec.volumes) ? { ...spec, volumes: spec.volumes.map(ungatedVolume) } : spec
  }
  return value[first] === undefined ? value : { ...value, [first]: without(recordOf(value[first]), rest) }
}
