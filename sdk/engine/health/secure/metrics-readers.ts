import { createHash } from 'node:crypto'
import * as z from 'zod'
import { stringifyJson } from '../../kube/json.js'
import type { Clock } from '../../time/clock.js'
import type { Transport } from '../../transport/transport.js'

/** The answer to a request for the metrics. `busy` means that too many tokens are being reviewed at the moment. */
export type ReaderAnswer = 'allowed' | 'unauthenticated' | 'forbidden' | 'busy'

/** Options of {@link MetricsReaders}. */
export interface MetricsReadersOptions {
  /** The API server that knows the readers. The program may create TokenReviews and SubjectAccessReviews. */
  transport: Pick<Transport, 'request'>
  clock: Clock
}

const answerLifeMs = 60_000
const reviewTimeoutMs = 10_000
/** The maximum numbers of kept answers and of tokens under review at a time, because anybody may send tokens. */
const maxKept = 1000
const maxReviews = 10

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
 */
export class MetricsReaders {
  readonly #options: MetricsReadersOptions
  readonly #answers = new Map<string, CachedAnswer>()
  #reviews = 0

  constructor(options: MetricsReadersOptions) {
    this.#options = options
  }

  /** Rejects if the API server cannot be asked. */
  check(authorization: string | undefined): Promise<ReaderAnswer> {
    const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? []
    if (token === undefined) return Promise.resolve('unauthenticated')
    const id = createHash('sha256').update(token).digest('base64')
    const kept = this.#answers.get(id)
    if (kept && kept.untilMs > this.#options.clock.now()) return kept.answer
    if (this.#reviews >= maxReviews) return Promise.resolve('busy')
    return this.#cache(id, this.#review(token))
  }

  #cache(id: string, answer: Promise<ReaderAnswer>): Promise<ReaderAnswer> {
    this.#answers.delete(id)
    this.#answers.set(id, { answer, untilMs: this.#options.clock.now() + answerLifeMs })
    const [oldest = id] = this.#answers.keys()
    if (this.#answers.size > maxKept) this.#answers.delete(oldest)
    answer.catch(() => this.#answers.delete(id))
    return answer
  }

  async #review(token: string): Promise<ReaderAnswer> {
    this.#reviews++
    try {
      const user = await this.#userOf(token)
      if (!user) return 'unauthenticated'
      return (await this.#mayRead(user)) ? 'allowed' : 'forbidden'
    } finally {
      this.#reviews--
    }
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
