import omit from 'lodash/omit.js'
import { type Contest, ContestedFields } from '../../engine/controller/contested-fields.js'
import { canonicalJson } from '../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../engine/kube/concat-name.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { WaitError } from '../apply/wait-error.js'
import type { FinalizerOptions } from './finalizers.js'

/** The object that got the finalizer. */
interface Finalized {
  readonly uid: string | undefined
  /** A digest of its content, without metadata and status. */
  readonly intent: string
}

const path = 'metadata.finalizers'

/**
 * Finds objects whose finalizer another program removes each time. Such objects get it more and more rarely. A
 * controller has one FinalizerContest; it asks before each addition of its finalizer, and records each addition.
 */
export class FinalizerContest {
  readonly #contested: ContestedFields
  readonly #logger: Logger
  readonly #finalized = new Map<string, Finalized>()

  constructor({ clock, logger }: { clock: Pick<Clock, 'now'>; logger: Logger }) {
    this.#contested = new ContestedFields(clock)
    this.#logger = logger
  }

  /**
   * Throws `WaitError` if others have removed the finalizer too often to add it now. Else the addition is counted,
   * once, also if it fails and is tried again. An object whose content has changed gets the finalizer at once.
   */
  checkMayAdd<T extends KubeObject>(
    object: T,
    { resource, finalizer }: Pick<FinalizerOptions<T>, 'resource' | 'finalizer'>,
  ): void {
    const id = formatKey(keyOf(object))
    const finalized = this.#finalized.get(id)
    if (finalized?.uid !== object.metadata.uid) this.forget(keyOf(object))
    if (finalized?.uid !== object.metadata.uid || finalized?.intent !== intentOf(object)) return
    if (this.#contested.mayRepair(id, [path])) {
      this.#contested.recordRepair(id, [path])
      this.#finalized.delete(id)
      return
    }
    const message = removalMessage(`${resource.kind} ${id}`, finalizer)
    if (this.#contested.unreported(id, [path]).length > 0) {
      this.#contested.recordMessage(id, [path], message)
      this.#logger.warn({}, message)
    }
    const againMs = this.#contested.find(id)?.resumeMs
    throw new WaitError(message, againMs === undefined ? {} : { againMs })
  }

  /** Records that an object has got the finalizer. */
  noteAdded(object: KubeObject): void {
    this.#finalized.set(formatKey(keyOf(object)), { uid: object.metadata.uid, intent: intentOf(object) })
  }

  /** The contest for the finalizer of an object; undefined if it is not contested now. */
  find(object: KubeObject): Contest | undefined {
    return this.#contested.find(formatKey(keyOf(object)))
  }

  /** Forgets an object that is gone, or whose finalizer the controller itself removes. */
  forget(key: Key): void {
    this.#finalized.delete(formatKey(key))
    this.#contested.forget(formatKey(key))
  }
}

const intentOf = (object: KubeObject) => sha256Hex(canonicalJson(omit(object, ['metadata', 'status'])))

const removalMessage = (object: string, finalizer: string) =>
  `the finalizer ${finalizer} of ${object} is removed by another program each time that it is added. Stop that program. Until then it is ` +
  'added more and more rarely, and the object is not reconciled without it.'
