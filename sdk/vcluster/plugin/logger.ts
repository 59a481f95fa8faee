import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino'
import { ApiError } from '../../engine/kube/error.js'
import { errorFacts } from '../../engine/observe/error-facts.js'
import type { Logger } from '../../engine/observe/logger.js'
import { NetworkError } from '../../engine/transport/network-error.js'
import { hclogTime, renamed } from '../remote/v2/hclog.js'
import { prettyLine } from './pretty-log.js'

const formats = ['json', 'pretty']
const levels = [...Object.keys(pino.levels.values), 'silent'].join(', ')

/** The destination of log lines that vcluster prints. */
export interface HclogSink {
  line(line: string): void
}

/**
 * The logger a plugin has unless it brings its own: JSON lines on standard output, at the level of
 * `LOG_LEVEL` (default `info`; `debug` also by `DEBUG=true`, as with the Go SDK). `LOG_FORMAT=pretty` writes text for a terminal
 * instead. With a `sink`, inside vcluster's container, the lines go there in the form that vcluster prints.
 */
export function createLogger(env: Readonly<Record<string, string | undefined>>, sink?: HclogSink): Logger {
  const asked = env.LOG_LEVEL?.toLowerCase() || (env.DEBUG === 'true' ? 'debug' : 'info')
  const isLevel = asked === 'silent' || Object.hasOwn(pino.levels.values, asked)
  const options: LoggerOptions = {
    level: isLevel ? asked : 'info',
    base: null,
    serializers: { error: asked === 'debug' || asked === 'trace' ? withStack : describeError },
  }
  const format = env.LOG_FORMAT?.toLowerCase() || 'json'
  const logger = sink
    ? pino({ ...options, ...hclogForm }, destination(sink))
    : format === 'pretty'
      ? pino(options, terminal)
      : pino(options)
  if (!isLevel) logger.warn({ LOG_LEVEL: asked }, `LOG_LEVEL is none of ${levels}; taking info`)
  if (!formats.includes(format))
    logger.warn({ LOG_FORMAT: format }, `LOG_FORMAT is none of ${formats.join(', ')}; taking json`)
  return logger
}

/** The stack of an error of the network says nothing, and would be most of the log while a server is away. */
function describeError(error: unknown): unknown {
  return error instanceof NetworkError ? errorFacts(error) : withStack(error)
}

/** An API server's details may quote the values it refused, so only its message and reason are logged. */
function withStack(error: unknown): unknown {
  if (error instanceof ApiError)
    return { type: error.name, message: error.message, reason: error.reason, code: error.code }
  return error instanceof Error ? stdSerializers.err(error) : error
}

const hclogForm: LoggerOptions = {
  messageKey: '@message',
  timestamp: () => `,"@timestamp":"${hclogTime(new Date())}"`,
  formatters: { level: hclogLevel, log: renamed, bindings: renamed },
}

/** vcluster drops lines below `info`, even if the plugin's own `LOG_LEVEL` asks for them. */
function hclogLevel(label: string): object {
  if (label === 'fatal') return { '@level': 'error' }
  return ['trace', 'debug'].includes(label) ? { '@level': 'info', level: label } : { '@level': label }
}

const terminal: DestinationStream = { write: (line) => void process.stdout.write(prettyLine(line)) }
const destination = (sink: HclogSink): DestinationStream => ({ write: (line) => sink.line(line) })
