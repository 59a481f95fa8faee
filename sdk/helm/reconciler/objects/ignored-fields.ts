import isEqual from 'lodash/isEqual.js'
import { PluginError } from '../../../engine/kube/error.js'
import { cloneJson } from '../../../engine/kube/json.js'
import { memberOf, valueAt } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { parseValuePath, type ValuePath, ValuePathError } from '../../values/value-path.js'
import { idOf, isMark, type ReleaseObject } from './release-object.js'

/** Fields of objects of releases that other programs decide once the object exists. */
export interface IgnoredDrift {
  /** The kind, as `Deployment.apps` or `ConfigMap`. */
  readonly kind: string
  /** The name of the object; default all of the kind. */
  readonly name?: string
  /** Paths such as `spec.replicas`, `webhooks[0].clientConfig.caBundle` or `metadata.annotations.example\.com/a`. */
  readonly paths: readonly string[]
}

/** An entry of `ignoreDrift` with its paths parsed. */
interface Rule {
  readonly kind: string
  readonly name: string | undefined
  readonly paths: readonly ValuePath[]
}

/** The fields that `ignoreDrift` names. */
export class IgnoredFields {
  readonly #rules: readonly Rule[]

  /**
   * Throws `PluginError` `INVALID_REGISTRATION` for a path that cannot be read, or that identifies an object of a
   * release.
   */
  constructor(ignored: readonly IgnoredDrift[] = []) {
    this.#rules = ignored.map(({ kind, name, paths }) => ({ kind, name, paths: paths.map(fieldPath) }))
  }

  /** Whether fields of an object are ignored. */
  concern(object: Pick<ReleaseObject, 'resource' | 'key'>): boolean {
    return this.#pathsOf(object).length > 0
  }

  /** An intended object with the live values of the fields that are ignored. */
  keep({ object, ...rest }: ReleaseObject, live: KubeObject): ReleaseObject {
    return { ...rest, object: withLiveValues(object, live, this.#pathsOf(rest)) }
  }

  /**
   * As {@link keep}, for an operation: a field whose intended value differs from that of an earlier revision gets the
   * new value.
   */
  keepUnchanged(next: ReleaseObject, live: KubeObject, earlier: readonly ReleaseObject[]): ReleaseObject {
    const earlierStates = earlier.filter((candidate) => idOf(candidate) === idOf(next))
    if (earlierStates.length === 0) return next
    const isUnchanged = (path: ValuePath) =>
      earlierStates.every(({ object }) => isEqualAt(object, next.object, path))
    return { ...next, object: withLiveValues(next.object, live, this.#pathsOf(next).filter(isUnchanged)) }
  }

  #pathsOf({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>): ValuePath[] {
    const kind = resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`
    const rules = this.#rules.filter((rule) => rule.kind === kind && (rule.name ?? key.name) === key.name)
    return rules.flatMap(({ paths }) => paths)
  }
}

/** Reads a path of `ignoreDrift`. */
function fieldPath(text: string): ValuePath {
  const invalidPathError = (why: string, cause?: unknown) =>
    new PluginError('INVALID_REGISTRATION', `ignoreDrift has the path ${JSON.stringify(text)}: ${why}`, {
      cause,
    })
  try {
    const path = parseValuePath(text)
    if (!isIdentity(path)) return path
  } catch (error) {
    if (!(error instanceof ValuePathError)) throw error
    throw invalidPathError(`${error.message}; write it as "spec.replicas"`, error)
  }
  throw invalidPathError('objects of a release are found by it; name a field such as "spec.replicas"')
}

/**
 * Whether a path identifies objects of releases: `apiVersion`, `kind`, and `metadata` except labels and annotations
 * that do not name the release.
 */
function isIdentity([first = '', group = '', name = '']: ValuePath): boolean {
  if (first !== 'metadata') return first === 'apiVersion' || first === 'kind'
  return !['labels', 'annotations'].includes(String(group)) || name === '' || isMark(String(name))
}

type Container = Record<string | number, unknown>

const isEqualAt = (candidate: unknown, other: unknown, path: ValuePath) =>
  isEqual(valueAt(candidate, path), valueAt(other, path))

/** An object with the live values of some of its fields. Fields that the object does not set stay absent. */
export function withLiveValues(
  object: KubeObject,
  live: KubeObject,
  paths: readonly ValuePath[],
): KubeObject {
  const result = cloneJson(object)
  for (const path of paths) {
    const last = path.at(-1) ?? ''
    const container = valueAt(result, path.slice(0, -1)) as Container | undefined
    if (container === undefined || memberOf(container, last) === undefined) continue
    const liveValue = valueAt(live, path)
    if (liveValue !== undefined) container[last] = cloneJson(liveValue)
    else if (!Array.isArray(container)) delete container[last]
  }
  return result
}
