import { jsonEqual } from '../../../engine/kube/json.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { isSecret } from '../../../engine/kube/resource.js'
import { lastSyncedAnnotation } from '../../naming/ownership-keys.js'
import {
  type ExcludedPath,
  type FieldPath,
  fieldAt,
  parseFieldPath,
  setField,
  withFieldsKept,
} from '../fields/field-paths.js'
import type { PlainPair } from '../syncer.js'
import type { Sides } from './decide.js'
import type { HeldFields } from './held-fields.js'
import {
  decodeState,
  encodeState,
  hasChanged,
  type RecordedField,
  type RecordedFields,
  type RecordedSide,
  recordValue,
  unknownSide,
} from './sync-state.js'

/**
 * The part of an object that a syncer can remember: a field's path, the labels, the annotations, or `*`,
 * which is every top-level field except metadata and status.
 */
export type RememberedPath = FieldPath | 'metadata.labels' | 'metadata.annotations' | '*'

/**
 * Returns the labels and annotations of an object that are synced between the clusters, with the keys and values that
 * they have in the virtual cluster.
 */
export interface CrossingMetadata<T extends KubeObject> {
  virtual(virtual: T): Pick<KubeObject['metadata'], 'labels' | 'annotations'>
  host(host: T, virtual: T): Pick<KubeObject['metadata'], 'labels' | 'annotations'>
}

/** Options of {@link RememberedFields}. */
export interface RememberedOptions<T extends KubeObject> {
  resource: Resource<T>
  paths: readonly RememberedPath[]
  /** Fields that may differ between the sides; they are not compared. */
  ignored: readonly ExcludedPath[]
  crossing: CrossingMetadata<T>
}

/** A field whose last synced state is remembered. */
export interface RememberedField {
  /** The name of the field in the annotation. */
  readonly id: string
  readonly path: readonly string[]
}

/**
 * The fields of a syncer whose last synced state is recorded in an annotation of each copy, by the option `remembers`.
 * Translators and `syncBoth` read and write the records by it.
 */
export class RememberedFields<T extends KubeObject> {
  readonly #fields: readonly RememberedField[]
  readonly #hasAll: boolean
  readonly #options: RememberedOptions<T>

  /** Throws `PluginError` `INVALID_FIELD` for a path that cannot be read. */
  constructor(options: RememberedOptions<T>) {
    const namedPaths = options.paths.filter((path) => path !== '*')
    this.#options = options
    this.#hasAll = namedPaths.length < options.paths.length
    this.#fields = namedPaths.map((id) => ({ id, path: rememberedPath(id) }))
  }

  /**
   * Puts both objects into the form in which they are compared: unchanged content, and labels and annotations under
   * keys of the virtual cluster.
   */
  toComparable({ host, virtual }: PlainPair<T>): { host: T; virtual: T } {
    const { crossing, ignored } = this.#options
    return {
      virtual: withMetadata(withFieldsKept(virtual, ignored), crossing.virtual(virtual)),
      host: withMetadata(withFieldsKept(host, ignored), crossing.host(host, virtual)),
    }
  }

  /** The remembered fields of these objects; with `*`, also fields that only the recorded state has. */
  fieldsOf({ host, virtual }: PlainPair<T>, state: RecordedFields | undefined): readonly RememberedField[] {
    if (!this.#hasAll) return this.#fields
    const names = new Set([...Object.keys(virtual), ...Object.keys(host), ...(state?.keys() ?? [])])
    const content = [...names].filter((name) => !nonContentFields.has(name) && !name.includes('.')).sort()
    const namedIds = new Set(this.#fields.map(({ id }) => id))
    const fields = content.filter((name) => !namedIds.has(name)).map((id) => ({ id, path: [id] }))
    return [...this.#fields, ...fields]
  }

  /** The values of the remembered fields of the copy. */
  contentOf(pair: PlainPair<T>): Record<string, unknown> {
    const views = this.toComparable(pair)
    const fields = this.fieldsOf(views, undefined)
    return Object.fromEntries(fields.map(({ id, path }) => [id, fieldAt(views.host, path)]))
  }

  /** The state recorded on the copy: both objects when they were last in sync. */
  stateOf(host: T): RecordedFields | undefined {
    return decodeState(host.metadata.annotations?.[lastSyncedAnnotation])
  }

  /**
   * The record of a field when both objects were last in sync. A field that `*` covers and that has no record did not
   * exist then. If the copy announced a write of the original, and the original has the new value, the announced record
   * counts.
   */
  recordOf(
    { id }: RememberedField,
    now: Sides,
    state: RecordedFields | undefined,
  ): RecordedField | undefined {
    const isNamed = this.#fields.some((field) => field.id === id)
    const record = state?.get(id) ?? (state && !isNamed ? { virtual: {}, host: {} } : undefined)
    const isOriginalWritten = record?.coming && !hasChanged(record.coming.virtual, now.virtual)
    return isOriginalWritten ? record.coming : record
  }

  /**
   * The copy with the current state of both as its last synced state, except for held fields; the same object if it
   * already has this state.
   */
  withSyncedState(pair: PlainPair<T>, held?: HeldFields<T>): T {
    return withState(pair.host, this.#recordBoth(pair, held))
  }

  /** The original with the labels and annotations of the copy that are held. */
  withHeldMetadata(virtual: T, { before, paths }: HeldFields<T>): T {
    const held = paths.filter(([first]) => first === 'metadata').map((names) => ({ names }))
    return held.length === 0 ? virtual : withFieldsKept(virtual, held, this.toComparable(before).host)
  }

  /**
   * The copy with two states of both objects: before and after the fields with the ids `names` are written to the
   * original. Called before that write, so that a later run knows whether the write has happened.
   */
  withComingState(next: PlainPair<T>, held: HeldFields<T>, names: ReadonlySet<string>): T {
    const { before } = held
    const state = this.stateOf(before.host)
    const toComparable = this.toComparable(before)
    const fields = [...this.#recordBoth(next, held)].map(([id, coming]): [string, RecordedField] => {
      const field = this.#fields.find((one) => one.id === id) ?? { id, path: [id] }
      const now = valuesAt(toComparable, field.path)
      const { virtual = this.#toRecord(now.virtual), host = unknownSide } =
        this.recordOf(field, now, state) ?? {}
      return [id, names.has(id) ? { virtual, host, coming } : coming]
    })
    return withState(next.host, new Map(fields))
  }

  /** The remembered part of both objects when they were last in sync; passed to `sync` of a plugin. */
  oldStates(pair: PlainPair<T>): Omit<PlainPair<T>, 'host' | 'virtual'> {
    const state = this.stateOf(pair.host)
    if (!state) return {}
    const toComparable = this.toComparable(pair)
    const old = { virtual: identityOf(pair.virtual), host: identityOf(pair.host) }
    for (const field of this.fieldsOf(toComparable, state)) {
      const now = valuesAt(toComparable, field.path)
      const record = this.recordOf(field, now, state)
      for (const side of ['virtual', 'host'] as const)
        setField(old[side], field.path, record && oldValue(record[side], now)?.value)
    }
    return { virtualOld: old.virtual as T, hostOld: old.host as T }
  }

  #recordBoth(pair: PlainPair<T>, held?: HeldFields<T>): RecordedFields {
    const views = this.#viewsToRecord(pair, held)
    const fields = this.fieldsOf(views, undefined).flatMap((field): [string, RecordedField][] => {
      if (held?.paths.some((path) => jsonEqual(path, field.path))) return this.#recordBefore(field, held)
      const { virtual, host } = valuesAt(views, field.path)
      return [[field.id, { virtual: this.#toRecord(virtual), host: this.#toRecord(host) }]]
    })
    return new Map(fields)
  }

  /** Both objects as they are compared, but held parts of fields as they were when they were last in sync. */
  #viewsToRecord(pair: PlainPair<T>, held: HeldFields<T> | undefined): { host: T; virtual: T } {
    const views = this.toComparable(pair)
    if (!held || held.paths.length === 0) return views
    const paths = held.paths.map((names) => ({ names }))
    const { hostOld, virtualOld } = this.oldStates(held.before)
    return {
      host: withFieldsKept(views.host, paths, hostOld),
      virtual: withFieldsKept(views.virtual, paths, virtualOld),
    }
  }

  /** The record that a field that is held as a whole has already; none if it has none. */
  #recordBefore(field: RememberedField, { before }: HeldFields<T>): [string, RecordedField][] {
    const now = valuesAt(this.toComparable(before), field.path)
    const record = this.recordOf(field, now, this.stateOf(before.host))
    return record ? [[field.id, record]] : []
  }

  #toRecord(value: unknown): RecordedSide {
    return recordValue(value, isSecret(this.#options.resource))
  }
}

/** The copy with this state in its annotation; the same object if the annotation already has this state. */
function withState<T extends KubeObject>(host: T, state: RecordedFields): T {
  const text = encodeState(state)
  const { [lastSyncedAnnotation]: before, ...others } = host.metadata.annotations ?? {}
  if (text === before || isSameState(before, text)) return host
  const annotations = text === undefined ? others : { ...others, [lastSyncedAnnotation]: text }
  return { ...host, metadata: { ...host.metadata, annotations } }
}

/**
 * The value that was recorded, if it is known. The value of a digest is known only if one of the two sides has it now.
 */
export function oldValue(side: RecordedSide, now: Sides): { value: unknown } | undefined {
  if (side.sha256 === undefined) return { value: side.is }
  const value = [now.virtual, now.host].find((candidate) => !hasChanged(side, candidate))
  return value === undefined ? undefined : { value }
}

/** The values that both objects have at a path. */
export function valuesAt(views: Sides, path: readonly string[]): Sides {
  return { virtual: fieldAt(views.virtual, path), host: fieldAt(views.host, path) }
}

const nonContentFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

function rememberedPath(path: string): readonly string[] {
  const isMetadata = path === 'metadata.labels' || path === 'metadata.annotations'
  return isMetadata ? path.split('.') : parseFieldPath(path)
}

function withMetadata<T extends KubeObject>(object: T, metadata: KubeObject['metadata']): T {
  return { ...object, metadata: { labels: {}, annotations: {}, ...metadata } }
}

function identityOf({ apiVersion, kind, metadata }: KubeObject): Record<string, unknown> {
  const { name, namespace, uid } = metadata
  return { apiVersion, kind, metadata: { name, namespace, uid } }
}

/** Whether two annotations have the same state. Two versions of zlib may compress the same state differently. */
function isSameState(before: string | undefined, text: string | undefined): boolean {
  const [stateBefore, stateNow] = [before, text].map(decodeState)
  return stateBefore !== undefined && stateNow !== undefined && jsonEqual([...stateBefore], [...stateNow])
}
