/**
 * Modules whose manager is a container that speaks HTTP. It promises that only images and permissions that the options
 * of the operator allow are used, whatever a Module or its frozen definition says. It leaves attempts, time limits and
 * metadata to `module/`.
 */
import { randomBytes } from 'node:crypto'
import { PermanentError } from '../../engine/kube/error.js'
import type { OperationContext, OperationKind, OptionalMethod } from '../manager/manager.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { ManagerSession, ModuleIdentity, ProgramFacts } from '../manager/program-runner.js'
import type { MetaData } from '../metadata/metadata.js'
import { allowedContainer, type ContainerSpec } from './container-spec.js'
import type { ContainersOptions } from './containers-options.js'
import {
  type RunnerParts,
  runnerDeployment,
  runnerName,
  runnerObjects,
  runnerPort,
  runnerSecret,
} from './runner-objects.js'
import { type RunnerAnswer, requestRunner } from './runner-request.js'

/** The HTTP status of an operation that has succeeded. */
const statuses: Partial<Record<OperationKind, number>> = {
  install: 201,
  uninstall: 204,
  sleep: 200,
  resume: 200,
}
/** How long a Deployment may take to be ready, and its container to answer, in milliseconds. */
const startMs = 120_000
const healthMs = 30_000
/** More than a Module shows, because secret texts are left out before its message is cut. */
const maxMessageLength = 4_096

/** A Module with a container. */
export interface ContainerModule {
  readonly module: ModuleIdentity
  readonly spec: unknown
  /** The checked configuration. */
  readonly config: unknown
  /** The cluster that holds the Modules. */
  readonly cluster: ModuleCluster
}

/** Runs the managers that are containers. */
export class ContainerModules {
  readonly #options: ContainersOptions

  constructor(options: ContainersOptions) {
    if (options.allowImages.includes('')) throw new TypeError('containers.allowImages has an empty entry')
    this.#options = options
  }

  /** Throws a `PermanentError` for a container that is not allowed. */
  check(spec: unknown): void {
    allowedContainer(spec, this.#options)
  }

  /** The manager of a Module. */
  open({ spec, ...module }: ContainerModule): ManagerSession {
    return new ContainerSession({ ...module, spec: allowedContainer(spec, this.#options) }, this.#options)
  }
}

class ContainerSession implements ManagerSession {
  readonly methods: readonly OptionalMethod[] = []
  readonly #module: ContainerModule & { readonly spec: ContainerSpec }
  readonly #options: ContainersOptions

  constructor(module: ContainerModule & { readonly spec: ContainerSpec }, options: ContainersOptions) {
    this.#module = module
    this.#options = options
  }

  get program(): ProgramFacts {
    return { name: this.#module.spec.image }
  }

  async call(operation: OperationKind, ctx: OperationContext, metaData: MetaData): Promise<undefined> {
    const expected = statuses[operation]
    if (expected === undefined) throw new PermanentError(`a container has no operation ${operation}`)
    const parts = await this.#start(ctx)
    const url = await this.#healthyUrl(ctx)
    const answer = await requestRunner(`${url}/${operation}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${parts.token}`,
        'content-type': 'application/json',
        'idempotency-key': ctx.operationId,
      },
      body: metaData.toString(),
      signal: ctx.signal,
    }).catch((cause: unknown) => {
      if (ctx.signal.aborted) throw ctx.signal.reason
      throw new Error(`${this.#name} did not answer POST /${operation}: ${messageOf(cause)}`, { cause })
    })
    this.#take(answer, { operation, expected, metaData, token: parts.token })
    await this.#removeUnneeded(operation, parts, ctx)
  }

  async close(): Promise<void> {}

  /** Makes sure that the container runs. An existing token is kept. */
  async #start({ signal, deadlineMs }: OperationContext): Promise<RunnerParts> {
    const { cluster, module, spec, config } = this.#module
    const options = this.#options
    const { newToken = () => randomBytes(32).toString('base64url') } = options
    const some = { module, spec, options, config, replicas: 1 } as const
    const existing = await cluster.get(runnerSecret({ ...some, token: '' }) as never, { signal })
    const { token: stored } = (existing as { data?: Record<string, string> } | undefined)?.data ?? {}
    const token = stored ? Buffer.from(stored, 'base64').toString() : newToken()
    const parts = { ...some, token }
    await cluster.apply(runnerObjects(parts), { signal })
    const timeoutMs = Math.min(startMs, deadlineMs / 2)
    await cluster.wait(runnerDeployment(parts) as never, { signal, timeoutMs })
    return parts
  }

  /**
   * Waits until the container serves, and returns its URL. A Deployment is ready a little before its Service has an
   * endpoint.
   */
  async #healthyUrl(ctx: OperationContext): Promise<string> {
    const service = { name: runnerName(this.#module.module), namespace: this.#options.namespace }
    const { address = (key) => `http://${key.name}.${key.namespace}.svc:${runnerPort}` } = this.#options
    const url = address(service).replace(/\/$/, '')
    let last = ''
    const isHealthy = async () => {
      try {
        const { status } = await requestRunner(`${url}/health`, { method: 'GET', signal: ctx.signal })
        last = `it answered ${status}`
        return status === 200
      } catch (error) {
        if (ctx.signal.aborted) throw error
        last = messageOf(error)
        return false
      }
    }
    await ctx.until(isHealthy, { everyMs: 2_000, timeoutMs: healthMs }).catch((cause: unknown) => {
      if (ctx.signal.aborted) throw cause
      const text = `${this.#name} does not answer GET /health with 200 within ${healthMs / 1_000} s (${last}); read its log`
      throw new Error(text, { cause })
    })
    return url
  }

  #take(
    { status, text }: RunnerAnswer,
    { operation, expected, metaData, token }: ExpectedAnswer & { readonly metaData: MetaData },
  ): void {
    if (status !== expected) throw new Error(problemOf({ status, text }, { operation, expected, token }))
    if (text.trim() === '') return
    try {
      metaData.parse(text)
    } catch (cause) {
      const why = `${this.#name} answered /${operation} with metadata that cannot be read: ${messageOf(cause)}`
      throw new Error(why, { cause })
    }
  }

  /** Stops the container of a Module that sleeps, and deletes all runner objects of an uninstalled Module. */
  async #removeUnneeded(
    operation: OperationKind,
    parts: RunnerParts,
    { signal }: OperationContext,
  ): Promise<void> {
    const { cluster } = this.#module
    if (operation === 'sleep') await cluster.apply([runnerDeployment({ ...parts, replicas: 0 })], { signal })
    if (operation === 'uninstall') await cluster.delete(runnerObjects(parts) as never, { signal })
  }

  get #name(): string {
    return `the container of Deployment ${this.#options.namespace}/${runnerName(this.#module.module)}`
  }
}

interface ExpectedAnswer {
  readonly operation: OperationKind
  readonly expected: number
  readonly token: string
}

/** The error message of a failed call. A container answers 400 with a text that says why. */
function problemOf({ status, text }: RunnerAnswer, { operation, expected, token }: ExpectedAnswer): string {
  const answerText = text.replaceAll(token, '[token]').trim().slice(0, maxMessageLength)
  if (status === 400 && answerText) return answerText
  return `the container answered /${operation} with ${status} instead of ${expected}${answerText ? `: ${answerText}` : ''}`
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
