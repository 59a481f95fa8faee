import type { LogFields, Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { version as sdkVersion } from '../../engine/transport/version.js'
import type { OperationContext, OperationKind, OptionalMethod } from '../manager/manager.js'
import type { ModuleCluster } from '../manager/module-cluster.js'
import type { ModuleIdentity } from '../manager/program-runner.js'
import type { MetaData } from '../metadata/metadata.js'
import { ProgramError } from '../program/program-error.js'
import { ClusterRequests } from './cluster-requests.js'
import { EndReasons } from './end-reasons.js'
import { forwardAbort } from './forward-abort.js'
import { checkDescription, Handshake } from './handshake.js'
import { shortened } from './manager-error.js'
import { type FromChild, issuedNumber, type ProgramDescription, type ToChild } from './messages.js'
import { ProcessCalls } from './process-calls.js'
import { ProgramChannel } from './program-channel.js'
import { ProgramLog } from './program-log.js'
import { readOutput } from './read-output.js'
import type { SpawnedProgram } from './spawn-program.js'
import { watchMemory } from './watch-memory.js'

/** The facts about a process, in addition to its streams. */
export interface ProgramProcessFacts {
  /** The URL of the program's file. */
  readonly url: string
  /** The name of the program for messages, until the program reports its own. */
  readonly label: string
  readonly memoryMb: number
  readonly logger: Logger
  readonly clock: Clock
}

/**
 * The time for loading a program, for `newManager`, from an abort to the end of a call, and from a failure to the end
 * of the process, in milliseconds.
 */
const limitsMs = { handshake: 10_000, open: 30_000, abort: 10_000, failed: 1_000 }
/** The memory that Node itself needs, outside the heap. */
const otherMemoryMb = 192

interface OpenManager {
  readonly cluster: ModuleCluster
  readonly facts: LogFields
}

/** The process of a program. None of its messages is trusted. When the process ends, its pending calls fail. */
export class ProgramProcess {
  readonly #spawned: SpawnedProgram
  readonly #facts: ProgramProcessFacts
  readonly #channel: ProgramChannel
  readonly #log: ProgramLog
  readonly #calls = new ProcessCalls()
  readonly #requests: ClusterRequests
  readonly #managers = new Map<number, OpenManager>()
  readonly #loaded = new Handshake()
  readonly #reasons = new EndReasons()
  #description: ProgramDescription | undefined
  #name: string
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  isEnded = false

  constructor(spawned: SpawnedProgram, facts: ProgramProcessFacts) {
    this.#spawned = spawned
    this.#facts = facts
    this.#name = facts.label
    this.#log = new ProgramLog(facts.logger, facts.clock)
    const onViolation = (why: string) => this.kill(`it ${why}`)
    const onMessage = (message: FromChild) => this.#receive(message)
    this.#channel = new ProgramChannel(spawned.channel, facts.clock, { onMessage, onViolation })
    this.#requests = new ClusterRequests({ send: (message) => this.#send(message), onViolation })
    readOutput(spawned, facts.clock, (stream, line) => this.#logOutput(stream, line))
    const stop = watchMemory(spawned.pid, {
      clock: facts.clock,
      limitMb: facts.memoryMb + otherMemoryMb,
      onExceeded: (usedMb) =>
        this.kill(`it used ${usedMb} MiB of memory, more than ${facts.memoryMb + otherMemoryMb}`),
    })
    this.ended = spawned.ended.then((end) => {
      stop()
      this.#end(end)
    })
  }

  /** Loads the program. Rejects with a {@link ProgramError}, after which the process has ended. */
  async load(): Promise<ProgramDescription> {
    const { clock, url } = this.#facts
    const seconds = limitsMs.handshake / 1_000
    const cancel = clock.schedule(limitsMs.handshake, () =>
      this.kill(`it was not loaded within ${seconds} s; its top level must not wait or loop`),
    )
    try {
      this.#send({ type: 'start', protocol: 1, url })
      const description = await this.#loaded.promise
      this.#name = checkDescription(description, this.#facts.label, sdkVersion)
      this.#description = description
      return description
    } catch (error) {
      this.kill('its handshake failed')
      throw error
    } finally {
      cancel()
    }
  }

  /** The description of the program, by itself; empty until it is loaded. */
  get description(): ProgramDescription {
    return this.#description ?? {}
  }

  /** The name and version of the program, or its digest. */
  get name(): string {
    return this.#name
  }

  /** The number of calls that run. */
  get running(): number {
    return this.#calls.size
  }

  /** Makes a manager and returns its number and its optional methods. Rejects with the error of `newManager`. */
  async open(
    module: ModuleIdentity,
    config: unknown,
    cluster: ModuleCluster,
  ): Promise<{ manager: number; methods: readonly OptionalMethod[] }> {
    const facts = { module: module.name, namespace: module.namespace }
    const { id, result } = this.#calls.add({ name: 'newManager' })
    this.#managers.set(id, { cluster, facts })
    const seconds = limitsMs.open / 1_000
    const cancel = this.#facts.clock.schedule(limitsMs.open, () =>
      this.kill(`newManager did not end within ${seconds} s`),
    )
    try {
      this.#send({ type: 'open', id, module, config })
      const { methods = [] } = await result
      return { manager: id, methods }
    } catch (error) {
      this.close(id)
      throw error
    } finally {
      cancel()
    }
  }

  /** Forgets a manager. */
  close(manager: number): void {
    if (this.#managers.delete(manager)) this.#send({ type: 'close', manager })
  }

  /** Makes a call. Metadata that the program sends is taken over, also when the call fails. */
  async call(
    manager: number,
    operation: OperationKind,
    ctx: OperationContext,
    metaData: MetaData,
    before?: unknown,
  ): Promise<boolean | undefined> {
    ctx.signal.throwIfAborted()
    const { deadlineMs, attempt, operationId, reason } = ctx
    const context = { deadlineMs, attempt, operationId, reason }
    const { id, result } = this.#calls.add({ name: operation, metaData })
    const stop = forwardAbort(ctx.signal, {
      clock: this.#facts.clock,
      limitMs: limitsMs.abort,
      onAbort: (why) => this.#send({ type: 'abort', id, reason: why }),
      onLate: (why) => this.kill(`${operation} ${why}`),
    })
    try {
      const { maxBytes } = metaData
      const sent = { id, manager, operation, context, metaData: metaData.toString(), maxBytes, before }
      this.#send({ type: 'call', ...sent })
      return (await result).value
    } catch (error) {
      this.#calls.forget(id)
      throw error
    } finally {
      stop()
    }
  }

  /** Ends the process. Its calls reject with the reason, a clause whose subject is the process. */
  kill(because: string): void {
    this.#reasons.recordKill(because)
    this.#channel.close()
    this.#spawned.kill()
  }

  #send(message: ToChild): void {
    this.#channel.send(message)
  }

  #receive(message: FromChild): void {
    const issued = issuedNumber(message)
    if (issued !== undefined && !this.#calls.wasIssued(issued))
      this.kill(`it sent a ${message.type} for ${issued}, which the operator has not issued`)
    else if (message.type === 'ready') this.#loaded.ready(message)
    else if (message.type === 'failed') this.#fail(shortened(message.error.message))
    else if (message.type === 'log') this.#writeLog(message)
    else if (message.type === 'cancel') this.#requests.cancel(message.id)
    else if (message.type === 'result') this.#calls.settle(message)
    else if (message.type === 'save') this.#save(message)
    else this.#request(message)
  }

  #save({ id, call, metaData }: Extract<FromChild, { type: 'save' }>): void {
    void this.#requests.answer(id, () => this.#calls.save(call, metaData))
  }

  #request(message: Extract<FromChild, { type: 'request' }>): void {
    const { cluster } = this.#managers.get(message.manager) ?? {}
    const { permissions } = this.#description ?? { permissions: [] }
    if (cluster) void this.#requests.serve(message, { cluster, program: this.#name, permissions })
    else void this.#requests.answer(message.id, () => Promise.reject(new Error('the manager was closed')))
  }

  #fail(failure: string): void {
    this.#reasons.recordFailure(failure)
    const why = `${this.#facts.label} cannot be loaded: ${failure}`
    this.#loaded.fail(new ProgramError('INVALID_PROGRAM', why))
    // The process waits for this, so that its last message arrives.
    this.#channel.close()
    const cancel = this.#facts.clock.schedule(limitsMs.failed, () => this.#spawned.kill())
    void this.ended.then(cancel)
  }

  #writeLog({ manager, level, message, fields }: Extract<FromChild, { type: 'log' }>): void {
    const facts = { program: this.#name, ...this.#managers.get(manager)?.facts }
    this.#log.write(level, message, facts, fields)
  }

  #logOutput(stream: 'stdout' | 'stderr', line: string): void {
    if (stream === 'stderr') this.#reasons.recordLine(line)
    this.#log.write('info', line, { program: this.#name, stream })
  }

  #end({ exitCode, signal }: { exitCode: number | null; signal: string | null }): void {
    this.isEnded = true
    this.#channel.close()
    this.#requests.cancel()
    this.#log.close()
    const { memoryMb } = this.#facts
    const why = this.#reasons.explain({ exitCode, signal, memoryMb })
    const error = (during: string) =>
      new ProgramError('PROGRAM_ENDED', `the process of ${this.#name} ended during ${during}: ${why}`)
    this.#loaded.fail(error('its start'))
    this.#calls.failAll(error)
  }
}
