import { stringifyJson } from '../../../engine/kube/json.js'
import { systemClock } from '../../../engine/time/clock.js'
import { configMismatch } from '../../manager/config-mismatch.js'
import type { UntilOptions } from '../../manager/manager.js'
import { until } from '../../manager/until.js'
import { MetaData } from '../../metadata/metadata.js'
import type { ToChild } from '../messages.js'
import type { OperatorChannel } from './channel.js'
import { namedError, receivedError, sentError } from './errors.js'
import { type AnyManager, type AnyProgram, checkManager, optionalMethods } from './find-program.js'
import { remoteCluster } from './remote-cluster.js'
import { remoteLogger } from './remote-logger.js'
import { Requests } from './requests.js'

type Message<Type extends ToChild['type']> = Extract<ToChild, { type: Type }>

/** The managers of a program, and the calls that run. */
export class Managers {
  readonly #program: AnyProgram
  readonly #channel: OperatorChannel
  readonly #requests: Requests
  readonly #managers = new Map<number, AnyManager>()
  readonly #calls = new Map<number, AbortController>()

  constructor(program: AnyProgram, channel: OperatorChannel) {
    this.#program = program
    this.#channel = channel
    this.#requests = new Requests(channel)
  }

  /** Takes a message of the operator. */
  async receive(message: ToChild): Promise<void> {
    if (message.type === 'open') await this.#open(message)
    else if (message.type === 'call') await this.#call(message)
    else if (message.type === 'answer') this.#requests.answer(message)
    else if (message.type === 'close') this.#managers.delete(message.manager)
    else if (message.type === 'abort')
      this.#calls.get(message.id)?.abort(receivedError({ name: 'AbortError', message: message.reason }))
  }

  /** Makes a manager. Its number is that of the message. */
  async #open({ id, module, config }: Message<'open'>): Promise<void> {
    try {
      const manager = await this.#program.newManager({
        logger: remoteLogger(id, this.#channel),
        cluster: remoteCluster(id, this.#requests),
        config: checkedConfig(this.#program, config),
        module,
      })
      checkManager(manager)
      this.#managers.set(id, manager)
      this.#channel.send({ type: 'result', id, methods: optionalMethods(manager) })
    } catch (error) {
      this.#channel.send({ type: 'result', id, error: sentError(error) })
    }
  }

  async #call(message: Message<'call'>): Promise<void> {
    const { id, maxBytes } = message
    const controller = new AbortController()
    this.#calls.set(id, controller)
    const metaData = new MetaData({
      maxBytes,
      store: async (values) => {
        await this.#requests.ask({ type: 'save', call: id, metaData: stringifyJson(values) })
      },
    })
    try {
      metaData.parse(message.metaData)
      const value = await this.#run(message, controller.signal, metaData)
      this.#channel.send({ type: 'result', id, metaData: metaData.toString(), value })
    } catch (error) {
      this.#channel.send({ type: 'result', id, metaData: metaData.toString(), error: sentError(error) })
    } finally {
      this.#calls.delete(id)
    }
  }

  async #run(
    { manager, operation, context, before }: Message<'call'>,
    signal: AbortSignal,
    metaData: MetaData,
  ): Promise<unknown> {
    const { [operation]: method } = this.#managers.get(manager) ?? ({} as Partial<AnyManager>)
    if (typeof method !== 'function')
      throw namedError('PermanentError', `the manager of the program has no method ${operation}`)
    const logger = remoteLogger(manager, this.#channel, { operation, attempt: context.attempt })
    const ctx = {
      ...context,
      signal,
      logger,
      until: (condition: () => unknown, options: UntilOptions) =>
        until(condition, options, { clock: systemClock, signal }),
    }
    const value = await method.call(this.#managers.get(manager), ctx, metaData, before)
    return operation === 'check' ? Boolean(value) : undefined
  }
}

function checkedConfig({ name, config: schema }: AnyProgram, config: unknown): unknown {
  if (typeof schema?.parse !== 'function') return config
  try {
    return schema.parse(config ?? {})
  } catch (error) {
    throw namedError('ConfigError', configMismatch(name ?? 'without a name', error, config))
  }
}
