import { createHash } from 'node:crypto'
import * as z from 'zod'
import { stringifyJson } from '../../kube/json.js'
import type { Clock } from '../../time/clock.js'
import type { Transport } from '../../transport/transport.js'

/** The answer to a request for the metrics. `busy` means that the client has too many tokens under review. */
export type ReaderAnswer = 'allowed' | 'unauthenticated' | 'forbidden' | 'busy'

/** Options of {@link MetricsReaders}. */
export interface MetricsReadersOptions {
  /** The API server that knows the readers. The program may create TokenReviews and SubjectAccessReviews. */
  transport: Pick<Transport, 'request'>
  clock: Clock
}

const answerLifeMs = 60_000
const reviewTimeoutMs = 10_000
/** The maximum number of kept answers of each kind, because anybody may send tokens. */
const maxKept = 1000
/**
 * The maximum numbers of new tokens under review at a time: of one client address, and of all. A client without a token
 * under review may always send one.
 */
const maxReviewsOfClient = 10
const maxReviews = 100

/** The members of a TokenReview's answer that count. An unknown token has a user without a name. */
const tokenReview = z.object({
  status: z
    .object({
      authenticated: z.boolean().optional(),
      user: z.looseObject({ username: z.string().optional() }).optional(),
    })
    .optional(),
})
const accessReview = z.object({ status: z.object({ allowed: z.boolean() }).optional() })

interface TokenUser {
  username?: string | undefined
}

interface CachedAnswer {
  readonly answer: Promise<ReaderAnswer>
  readonly untilMs: number
}

/**
 * Decides who reads the metrics, as an API server decides it: a TokenReview names the user of a token, and a
 * SubjectAccessReview says whether they may `get` the path `/metrics`. Answers are kept for a minute, under a hash of
 * the token.
 *
 * A client that sends invalid tokens cannot keep out a reader: the limits are per client address, a token that was
 * allowed at its last review is reviewed again without them, and other tokens do not displace its answer.
 */
export class MetricsReaders {
  readonly #options: MetricsReadersOptions
  readonly #answers = new Map<string, CachedAnswer>()
  /** The answers to tokens that were allowed at their last review. */
  readonly #readers = new Map<string, CachedAnswer>()
  /** The number of new tokens under review, by client address. */
  readonly #reviews = new Map<string, number>()

  constructor(options: MetricsReadersOptions) {
    this.#options = options
  }

  /** Rejects if the API server cannot be asked. */
  check(authorization: string | undefined, client: string): Promise<ReaderAnswer> {
    const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? []
    if (token === undefined) return Promise.resolve('unauthenticated')
    const id = createHash('sha256').update(token).digest('base64')
    const reader = this.#readers.get(id)
    const kept = reader ?? this.#answers.get(id)
    if (kept && kept.untilMs > this.#options.clock.now()) return kept.answer
    if (reader) return this.#keep(this.#readers, id, this.#review(token))
    if (this.#isBusy(client)) return Promise.resolve('busy')
    return this.#keep(this.#answers, id, this.#reviewNew(token, client))
  }

  #isBusy(client: string): boolean {
    const own = this.#reviews.get(client) ?? 0
    const all = [...this.#reviews.values()].reduce((sum, count) => sum + count, 0)
    return own >= maxReviewsOfClient || (own > 0 && all >= maxReviews)
  }

  #keep(
    answers: Map<string, CachedAnswer>,
    id: string,
    answer: Promise<ReaderAnswer>,
  ): Promise<ReaderAnswer> {
    const kept = { answer, untilMs: this.#options.clock.now() + answerLifeMs }
    store(answers, id, kept)
    answer.then(
      (result) => {
        if (answers.get(id) === kept) answers.delete(id)
        store(result === 'allowed' ? this.#readers : this.#answers, id, kept)
      },
      () => {
        if (answers === this.#readers) answers.set(id, { ...kept, untilMs: Number.NEGATIVE_INFINITY })
        else answers.delete(id)
      },
    )
    return answer
  }

  async #reviewNew(token: string, client: string): Promise<ReaderAnswer> {
    this.#reviews.set(client, (this.#reviews.get(client) ?? 0) + 1)
    try {
      return await this.#review(token)
    } finally {
      const left = (this.#reviews.get(client) ?? 1) - 1
      if (left > 0) this.#reviews.set(client, left)
      else this.#reviews.delete(client)
    }
  }

  async #review(token: string): Promise<ReaderAnswer> {
    const user = await this.#userOf(token)
    if (!user) return 'unauthenticated'
    return (await this.#mayRead(user)) ? 'allowed' : 'forbidden'
  }

  async #userOf(token: string): Promise<TokenUser | undefined> {
    const answer = await this.#create('authentication.k8s.io', 'TokenReview', { token })
    const { status } = tokenReview.parse(answer)
    return status?.authenticated === true ? status.user : undefined
  }

  async #mayRead({ username, ...user }: TokenUser): Promise<boolean> {
    const nonResourceAttributes = { path: '/metrics', verb: 'get' }
    const spec = { user: username, ...user, nonResourceAttributes }
    const { status } = accessReview.parse(
      await this.#create('authorization.k8s.io', 'SubjectAccessReview', spec),
    )
    return status?.allowed === true
  }

  /** Creates a review. Its errors never contain the token. */
  async #create(group: string, kind: string, spec: object): Promise<unknown> {
    const apiVersion = `${group}/v1`
    const { status, body } = await this.#options.transport.request({
      method: 'POST',
      path: `/apis/${apiVersion}/${kind.toLowerCase()}s`,
      headers: { 'content-type': 'application/json' },
      body: stringifyJson({ apiVersion, kind, spec }),
      timeoutMs: reviewTimeoutMs,
    })
    if (status === 201) return JSON.parse(Buffer.from(body).toString('utf8'))
    throw new Error(`the API server refused a ${kind} with status ${status}`)
  }
}

/** Stores an answer as the youngest, and removes the oldest above the limit. */
function store(answers: Map<string, CachedAnswer>, id: string, answer: CachedAnswer): void {
  answers.delete(id)
  answers.set(id, answer)
  const [oldest = id] = answers.keys()
  if (answers.size > maxKept) answers.delete(oldest)
}
