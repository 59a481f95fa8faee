import { formatResource, type Resource } from '../kube/resource.js'
import { isEarlier, isLater, laterOf } from '../kube/resource-version.js'
import { type AskOptions, askHistory, type HistoryAnswer, type Question } from './ask-history.js'
import type { Witness } from './witness.js'

/** A kind, and the highest resourceVersion of its objects that was seen. */
interface SeenKind {
  readonly resource: Resource
  readonly namespace: string | undefined
  latest: string | undefined
}

const unknownAnswer: HistoryAnswer = { history: 'unknown', revision: undefined }

/**
 * The last seen change of one {@link revisionSpace}, and whether the API server still has it. All watches of the space
 * record their changes here; `RestoreDetector` asks the API server by it.
 */
export class RevisionHistory {
  readonly #kinds = new Map<string, SeenKind>()
  #witness: Witness | undefined
  #epoch = 0
  /** The number of events after which the cluster may be another one. */
  #doubtCount = 0
  /** The number of doubts before the last answer. */
  #settledDoubts = 0
  #lastAnswer: HistoryAnswer = unknownAnswer
  #verified: string | undefined

  /** Grows each time the cluster turns out to have another history. */
  get epoch(): number {
    return this.#epoch
  }

  /** Whether the API server must be asked before a watch resumes. */
  get isInDoubt(): boolean {
    return this.#doubtCount > this.#settledDoubts
  }

  /** The last change that the API server is known to have; undefined if unknown. */
  get verified(): string | undefined {
    return this.#verified
  }

  /** The cluster's revision at the last answer. */
  get revision(): string | undefined {
    return this.#lastAnswer.revision
  }

  /** The highest resourceVersion that was seen. */
  get latest(): string | undefined {
    return [...this.#kinds.values()].map(({ latest }) => latest).reduce(laterOf, undefined)
  }

  /** Whether a change is later than all seen changes. */
  isNewer(resourceVersion: string | undefined): boolean {
    return this.#witness === undefined || isLater(resourceVersion, this.#witness.resourceVersion)
  }

  /** Records the latest change of all. */
  recordChange(witness: Witness): void {
    this.recordRevision(witness.resource, witness.namespace, witness.resourceVersion)
    this.#witness = witness
  }

  /** Records the revision of a list or bookmark of a kind. */
  recordRevision(resource: Resource, namespace: string | undefined, resourceVersion: string): void {
    const id = formatResource(resource)
    const kind = this.#kinds.get(id)
    if (kind === undefined) this.#kinds.set(id, { resource, namespace, latest: resourceVersion })
    else if (!isEarlier(resourceVersion, kind.latest)) kind.latest = resourceVersion
  }

  /** Records a lost connection or a failed call, after which another cluster may answer. */
  doubt(): void {
    if (this.#kinds.size > 0) this.#doubtCount++
  }

  /**
   * Asks the API server. The caller must call {@link forget} if the history differs. Undefined if nothing is known to
   * ask for.
   */
  async ask(options: AskOptions): Promise<HistoryAnswer | undefined> {
    const [doubts, epoch, witness] = [this.#doubtCount, this.#epoch, this.#witness]
    const question = this.#question()
    const answer = question && (await askHistory(question, options))
    if (epoch !== this.#epoch || (options.brief && answer?.history !== 'restored')) return undefined
    this.#settledDoubts = Math.max(this.#settledDoubts, doubts)
    this.#verified = answer?.history === 'same' ? witness?.resourceVersion : undefined
    this.#lastAnswer = answer ?? unknownAnswer
    return answer
  }

  /** Forgets all seen changes. */
  forget(): void {
    this.#epoch++
    this.#settledDoubts = this.#doubtCount
    this.#kinds.clear()
    this.#witness = undefined
    this.#verified = undefined
    this.#lastAnswer = unknownAnswer
  }

  /**
   * The question to ask. Revisions are compared only within one kind, because two kinds could be in different stores.
   */
  #question(): Question | undefined {
    const witness = this.#witness
    const kind = witness
      ? this.#kinds.get(formatResource(witness.resource))
      : this.#kinds.values().next().value
    if (kind === undefined) return undefined
    const { resource, latest } = kind
    return { resource, latest, witness, namespace: witness ? witness.namespace : kind.namespace }
  }
}
