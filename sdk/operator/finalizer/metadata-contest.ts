import omit from 'lodash/omit.js'
import { type Contest, ContestedFields } from '../../engine/controller/contested-fields.js'
import { canonicalJson } from '../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../engine/kube/concat-name.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { WaitError } from '../apply/wait-error.js'

/** A part of the metadata of primaries that a controller writes. */
export interface MetadataPart {
  /** The path of the field. */
  readonly path: string
  /** The part in messages: `the finalizer a.b/c`. */
  readonly name: string
  /** The text of an annotation. */
  readonly value?: string | null
}

/** The parts that an object got: digests of its content, without metadata and status, and of the value, by path. */
interface Written {
  readonly uid: string | undefined
  readonly intents: Map<string, string>
}

/** The finalizer of a controller as a part. */
export const finalizerPart = (finalizer: string): MetadataPart => ({
  path: 'metadata.finalizers',
  name: `the finalizer ${finalizer}`,
})

/** An annotation with the text that it gets as a part. */
export const annotationPart = (annotation: string, value: string | null): MetadataPart => ({
  path: `metadata.annotations["${annotation}"]`,
  name: `the annotation ${annotation}`,
  value,
})

/**
 * Finds objects whose finalizer or annotation another program removes each time. Such objects get it more and more
 * rarely. A controller has one MetadataContest; it asks before each write of a part, and records each write.
 */
export class MetadataContest {
  readonly #contested: ContestedFields
  readonly #logger: Logger
  readonly #written = new Map<string, Written>()

  constructor({ clock, logger }: { clock: Pick<Clock, 'now'>; logger: Logger }) {
    this.#contested = new ContestedFields(clock)
    this.#logger = logger
  }

  /**
   * Throws `WaitError` if others have removed the part too often to write it now. Else the write is counted, once, also
   * if it fails and is tried again. An object whose content has changed gets the part at once, as does another value.
   */
  checkMayWrite(object: KubeObject, kind: string, part: MetadataPart): void {
    const id = formatKey(keyOf(object))
    if (this.#written.get(id)?.uid !== object.metadata.uid) this.forget(keyOf(object))
    const { path } = part
    const { intents } = this.#written.get(id) ?? {}
    if (intents?.get(path) !== intentOf(object, part)) return
    if (this.#contested.mayRepair(id, [path])) {
      this.#contested.recordRepair(id, [path])
      intents.delete(path)
      return
    }
    const message = removalMessage(part.name, `${kind} ${id}`)
    if (this.#contested.unreported(id, [path]).length > 0) {
      this.#contested.recordMessage(id, [path], message)
      this.#logger.warn({}, message)
    }
    const againMs = this.#contested.find(id)?.resumeMs
    throw new WaitError(message, againMs === undefined ? {} : { againMs })
  }

  /** Records that an object has got the part. */
  noteWritten(object: KubeObject, part: MetadataPart): void {
    const id = formatKey(keyOf(object))
    const { uid } = object.metadata
    const known = this.#written.get(id)
    const written: Written = known !== undefined && known.uid === uid ? known : { uid, intents: new Map() }
    written.intents.set(part.path, intentOf(object, part))
    this.#written.set(id, written)
  }

  /** Records that the controller itself removes a part, so that it may write the same value again. */
  noteRemoved(object: KubeObject, { path }: Pick<MetadataPart, 'path'>): void {
    this.#written.get(formatKey(keyOf(object)))?.intents.delete(path)
  }

  /** The contest for the metadata of an object; undefined if nothing of it is contested now. */
  find(object: KubeObject): Contest | undefined {
    return this.#contested.find(formatKey(keyOf(object)))
  }

  /** Forgets an object that is gone, or whose finalizer the controller itself removes. */
  forget(key: Key): void {
    this.#written.delete(formatKey(key))
    this.#contested.forget(formatKey(key))
  }
}

const intentOf = (object: KubeObject, { value }: MetadataPart) =>
  sha256Hex(canonicalJson([omit(object, ['metadata', 'status']), value ?? null]))

const removalMessage = (part: string, object: string) =>
  `${part} of ${object} is removed by another program each time that it is added. Stop that program. Until then it is ` +
  'added more and more rarely, and the object is not reconciled without it.'
