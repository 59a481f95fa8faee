import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino'
import { ApiError } from '../kube/error.js'
import { NetworkError } from '../kube/network-error.js'
import { errorFacts } from './error-facts.js'
import type { Logger } from './logger.js'
import { prettyLine } from './pretty-log.js'

const formats = ['json', 'pretty']
const levels = [...Object.keys(pino.levels.values), 'silent'].join(', ')

/** A form of log lines that replaces JSON on standard output. */
export interface LogForm {
  /** The options of pino that write a line in this form. */
  readonly options: LoggerOptions
  /** Writes one line. */
  write(line: string): void
}

/**
 * The logger of a program that brings no logger: JSON lines on standard output, at the level of `LOG_LEVEL` (default
 * `info`; `debug` also by `DEBUG=true`, as with the Go SDK). `LOG_FORMAT=pretty` writes text for a terminal instead.
 * With a `form`, all lines go there.
 */
export function createLogger(env: Readonly<Record<string, string | undefined>>, form?: LogForm): Logger {
  const requestedLevel = env.LOG_LEVEL?.toLowerCase() || (env.DEBUG === 'true' ? 'debug' : 'info')
  const isLevel = requestedLevel === 'silent' || Object.hasOwn(pino.levels.values, requestedLevel)
  const options: LoggerOptions = {
    level: isLevel ? requestedLevel : 'info',
    base: null,
    serializers: {
      error: requestedLevel === 'debug' || requestedLevel === 'trace' ? withStack : describeError,
    },
  }
  const format = env.LOG_FORMAT?.toLowerCase() || 'json'
  const logger = form
    ? pino({ ...options, ...form.options }, form)
    : format === 'pretty'
      ? pino(options, terminal)
      : pino(options)
  if (!isLevel) logger.warn({ LOG_LEVEL: requestedLevel }, `LOG_LEVEL is none of ${levels}; taking info`)
  if (!formats.includes(format))
    logger.warn({ LOG_FORMAT: format }, `LOG_FORMAT is none of ${formats.join(', ')}; taking json`)
  return logger
}

/**
 * Describes an error for the log. The stack of a network error does not help, and would fill the log during an outage.
 */
function describeError(error: unknown): unknown {
  return error instanceof NetworkError ? errorFacts(error) : withStack(error)
}

/**
 * Describes an error with its stack. Only the message and reason of an API server's error are logged, because its
 * details may quote refused values.
 */
function withStack(error: unknown): unknown {
  if (error instanceof ApiError)
    return { type: error.name, message: error.message, reason: error.reason, code: error.code }
  return error instanceof Error ? stdSerializers.err(error) : error
}

const terminal: DestinationStream = { write: (line) => void process.stdout.write(prettyLine(line)) }
