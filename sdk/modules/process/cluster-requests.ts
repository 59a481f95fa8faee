import { ApiError } from '../../engine/kube/error.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { PolicyRule } from '../manager/policy-rule.js'
import { errorForProgram } from './manager-error.js'
import type { ClusterMethod, FromChild, ToChild } from './messages.js'
import { checkPermissions } from './permissions.js'

/**
 * The maximum number of concurrent requests of a process; more are refused with 429. The code of the process itself
 * sends at most 64.
 */
const maxRequests = 128

type Request = Extract<FromChild, { type: 'request' }>

/** The answers and violations of the requests of a process. */
interface RequestEvents {
  send(message: ToChild): void
  /** The process broke the protocol: `why` continues "the process …". */
  onViolation(why: string): void
}

/** Makes the requests of a program's process, after its permissions were checked. */
export class ClusterRequests {
  readonly #events: RequestEvents
  readonly #running = new Map<number, AbortController>()

  constructor(events: RequestEvents) {
    this.#events = events
  }

  /** Makes one request of the process and sends the answer. Never rejects. */
  async serve(
    { id, method, args: [first, options] }: Request,
    facts: { cluster: ModuleCluster; program: string; permissions: readonly PolicyRule[] | undefined },
  ): Promise<void> {
    await this.answer(id, async (signal) => {
      checkPermissions(facts.program, { method, first }, facts.permissions)
      return await callCluster(facts.cluster, method, first, { ...Object(options), signal })
    })
  }

  /**
   * Calls `ask` and sends its result or its error to the process. The number of a running request is a violation.
   * Never rejects.
   */
  async answer(id: number, ask: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    if (this.#running.has(id)) this.#events.onViolation(`sent two requests with the number ${id}`)
    else if (this.#running.size < maxRequests) await this.#answerOne(id, ask)
    else this.#events.send({ type: 'answer', id, error: errorForProgram(tooManyError()) })
  }

  async #answerOne(id: number, ask: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      this.#events.send({ type: 'answer', id, value: await ask(controller.signal) })
    } catch (error) {
      this.#events.send({ type: 'answer', id, error: errorForProgram(error) })
    } finally {
      this.#running.delete(id)
    }
  }

  /** Aborts the request with this number, or all requests without a number. */
  cancel(id?: number): void {
    const reason = new Error('the program cancelled the request or has ended')
    if (id !== undefined) this.#running.get(id)?.abort(reason)
    else for (const controller of this.#running.values()) controller.abort(reason)
  }
}

function callCluster(
  cluster: ModuleCluster,
  method: ClusterMethod,
  first: unknown,
  options: object,
): Promise<unknown> {
  const call = cluster[method] as (first: unknown, options: object) => Promise<unknown>
  return call.call(cluster, first, options)
}

const tooManyError = () =>
  new ApiError({
    code: 429,
    reason: 'TooManyRequests',
    message: `a program has at most ${maxRequests} requests at a time; wait for answers`,
  })
