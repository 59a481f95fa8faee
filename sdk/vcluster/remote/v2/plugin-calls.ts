import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import type { MutateRequest, MutateResponse, PluginServer } from '../proto/gen/v2.js'
import { deferred } from './deferred.js'
import { type Initialization, parseInitialize } from './initialize.js'

/** The description of a plugin for the vcluster process. */
export interface PluginConfig {
  /** The hook types to be called for, by kind; apiVersion and kind must not be empty. Default none. */
  clientHooks?: readonly { apiVersion: string; kind: string; types: readonly string[] }[]
  /** Rules by the name of the interceptor they lead to (vcluster 0.20 and later). Default none. */
  interceptors?: Readonly<Record<string, readonly object[]>>
}

/** Calls the plugin's hooks; if it rejects, vcluster's own call fails with that text. */
export type Mutate = (
  request: MutateRequest,
  options: { signal: AbortSignal },
) => Promise<{ object: string; mutated: boolean }>

/** The plugin's configuration and hooks, once its program has registered them. */
export interface Readiness {
  config: PluginConfig
  mutate: Mutate
}

/**
 * The four calls of a vcluster process. `Initialize` is answered when the plugin says it is ready, because what comes
 * right after it asks for the hooks; `SetLeader` at once, because the rest of vcluster's start waits for it.
 */
export class PluginCalls {
  readonly #asked = deferred<Initialization>()
  readonly #ready = deferred<Readiness>()
  readonly #leads = deferred<void>()
  readonly #initializeAnswered = deferred<void>()
  #wasAsked = false

  /** Resolves with what `Initialize` carried; rejects with a `PluginError` `INVALID_CONTEXT`. */
  get asked(): Promise<Initialization> {
    return this.#asked.promise
  }

  /** Resolves when the vcluster process says that it leads. */
  get leads(): Promise<void> {
    return this.#leads.promise
  }

  /** Answers `Initialize`: the vcluster process goes on. */
  ready(readiness: Readiness): void {
    this.#ready.resolve(readiness)
  }

  /**
   * Answers `Initialize` with what went wrong, so that the vcluster process says it and ends; nothing after {@link
   * ready}.
   */
  async fail(error: unknown): Promise<void> {
    this.#ready.reject(error)
    if (this.#wasAsked) await this.#initializeAnswered.promise
  }

  /** The service to serve. */
  service(): PluginServer {
    return {
      initialize: ({ request }, reply) => void this.#initialize(request.config, answering(reply)),
      getPluginConfig: (_call, reply) =>
        void answering(reply)(async () => ({ config: JSON.stringify((await this.#ready.promise).config) })),
      mutate: (call, reply) => void answering(reply)(() => this.#mutate(call)),
      setLeader: (_call, reply) => {
        this.#leads.resolve()
        reply(null, {})
      },
    }
  }

  async #initialize(config: string, answer: Answer<object>): Promise<void> {
    this.#wasAsked = true
    await answer(async () => {
      try {
        this.#asked.resolve(parseInitialize(config))
      } catch (error) {
        this.#asked.reject(error)
        throw error
      }
      await this.#ready.promise
      return {}
    })
    this.#initializeAnswered.resolve()
  }

  async #mutate(call: ServerUnaryCall<MutateRequest, MutateResponse>): Promise<MutateResponse> {
    const { mutate } = await this.#ready.promise
    const cancel = new AbortController()
    call.on('cancelled', () => cancel.abort(new Error('the vcluster process has given the call up')))
    return mutate(call.request, { signal: cancel.signal })
  }
}

type Answer<T> = (work: () => Promise<T>) => Promise<void>

function answering<T>(reply: sendUnaryData<T>): Answer<T> {
  return async (work) => {
    try {
      reply(null, await work())
    } catch (error) {
      reply({ code: status.UNKNOWN, details: error instanceof Error ? error.message : String(error) })
    }
  }
}
