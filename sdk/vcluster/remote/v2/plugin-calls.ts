import type { Implementations } from '../../../engine/grpc/server.js'
import type { MutateRequest, PluginDefinition } from '../proto/gen/v2.js'
import { withMessage } from '../with-message.js'
import { deferred } from './deferred.js'
import { type Initialization, parseInitialize } from './initialize.js'

/** The hooks and interceptors of a plugin, as `GetPluginConfig` returns them to the vcluster process. */
export interface CalledHooks {
  /** The hook types for which vcluster calls `Mutate`, by kind. `apiVersion` and `kind` are required. Default none. */
  clientHooks?: readonly { apiVersion: string; kind: string; types: readonly string[] }[]
  /** The rules of each interceptor, by its name (vcluster 0.20 and later). Default none. */
  interceptors?: Readonly<Record<string, readonly object[]>>
}

/** Calls the plugin's hooks. If it rejects, vcluster's call fails with the message of the error. */
export type Mutate = (
  request: MutateRequest,
  options: { signal: AbortSignal },
) => Promise<{ object: string; mutated: boolean }>

/** The configuration and the hooks of a plugin whose program has registered everything. */
export interface Readiness {
  config: CalledHooks
  mutate: Mutate
}

/**
 * Answers the four calls of a vcluster process: `Initialize`, `GetPluginConfig`, `Mutate` and `SetLeader`.
 *
 * `Initialize` is answered when the plugin has called {@link PluginCalls.ready}, because vcluster calls
 * `GetPluginConfig` directly after it. `SetLeader` is answered at once, because vcluster's start waits for the answer.
 */
export class PluginCalls {
  readonly #initialization = deferred<Initialization>()
  readonly #ready = deferred<Readiness>()
  readonly #leads = deferred<void>()
  readonly #initializeAnswered = deferred<void>()
  #isInitializeReceived = false

  /** Resolves with the content of the `Initialize` call; rejects with `PluginError` `INVALID_CONTEXT`. */
  get initialization(): Promise<Initialization> {
    return this.#initialization.promise
  }

  /** Resolves when the vcluster process has become the leader (`SetLeader`). */
  get leads(): Promise<void> {
    return this.#leads.promise
  }

  /** Lets `Initialize` succeed, now or when it is called, so that the vcluster process continues. */
  ready(readiness: Readiness): void {
    this.#ready.resolve(readiness)
  }

  /**
   * Lets `Initialize` fail with this error, which the vcluster process logs before it exits. Resolves when an
   * `Initialize` that was received is answered. Does nothing after {@link ready}.
   */
  async fail(error: unknown): Promise<void> {
    this.#ready.reject(error)
    if (this.#isInitializeReceived) await this.#initializeAnswered.promise
  }

  /** The methods of the gRPC service. */
  methods(): Implementations<PluginDefinition> {
    return {
      initialize: ({ config }) => this.#initialize(config),
      getPluginConfig: () =>
        withMessage(async () => ({ config: JSON.stringify((await this.#ready.promise).config) })),
      mutate: (request, { signal }) =>
        withMessage(async () => (await this.#ready.promise).mutate(request, { signal })),
      setLeader: () => {
        this.#leads.resolve()
        return {}
      },
    }
  }

  async #initialize(config: string): Promise<object> {
    this.#isInitializeReceived = true
    // The answer is sent in the turn after this one.
    const answered = () => setImmediate(() => this.#initializeAnswered.resolve())
    return await withMessage(async () => {
      try {
        this.#initialization.resolve(parseInitialize(config))
      } catch (error) {
        this.#initialization.reject(error)
        throw error
      }
      await this.#ready.promise
      return {}
    }).finally(answered)
  }
}
