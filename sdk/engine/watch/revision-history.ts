import { formatResource, type Resource } from '../kube/resource.js'
import { isEarlier, isLater, laterOf } from '../kube/resource-version.js'
import { type AskOptions, askHistory, type HistoryAnswer, type Question } from './ask-history.js'
import type { Witness } from './witness.js'

interface Kind {
  readonly resource: Resource
  readonly namespace: string | undefined
  latest: string | undefined
}

const nothing: HistoryAnswer = { history: 'unknown', revision: undefined }

/** The last seen change of one {@link revisionSpace}, and whether the API server still has it. */
export class RevisionHistory {
  readonly #kinds = new Map<string, Kind>()
  #witness: Witness | undefined
  #epoch = 0
  /** The number of events after which the cluster may be another one. */
  #doubts = 0
  /** The number of doubts before the last answer. */
  #answered = 0
  #finding: HistoryAnswer = nothing
  #verified: string | undefined

  /** Grows each time the cluster turns out to have another history. */
  get epoch(): number {
    return this.#epoch
  }

  /** Whether the API server must be asked before a watch resumes. */
  get isInDoubt(): boolean {
    return this.#doubts > this.#answered
  }

  /** The last change that the API server is known to have; undefined if unknown. */
  get verified(): string | undefined {
    return this.#verified
  }

  /** The cluster's revision at the last answer. */
  get revision(): string | undefined {
    return this.#finding.revision
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
    if (this.#kinds.size > 0) this.#doubts++
  }

  /**
   * Asks the API server. The caller must call {@link forget} if the history differs. Undefined if nothing is known to
   * ask for.
   */
  async ask(options: AskOptions): Promise<HistoryAnswer | undefined> {
    const [doubts, epoch, witness] = [this.#doubts, this.#epoch, this.#witness]
    const question = this.#question()
    const finding = question && (await askHistory(question, options))
    if (epoch !== this.#epoch || (options.brief && finding?.history !== 'restored')) return undefined
    this.#answered = Math.max(this.#answered, doubts)
    this.#verified = finding?.history === 'same' ? witness?.resourceVersion : undefined
    this.#finding = finding ?? nothing
    return finding
  }

  /** Forgets all seen changes. */
  forget(): void {
    this.#epoch++
    this.#answered = this.#doubts
    this.#kinds.clear()
    this.#witness = undefined
    this.#verified = undefined
    this.#finding = nothing
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
