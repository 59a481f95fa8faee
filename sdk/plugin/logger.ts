import { pino, stdSerializers } from 'pino'
import { ApiError } from '../kube/error.js'
import type { Logger } from '../observe/logger.js'

const levels = [...Object.keys(pino.levels.values), 'silent'].join(', ')

/**
 * The logger a plugin has unless it brings its own: JSON lines on standard output, at the level of
 * `LOG_LEVEL` (default `info`; `debug` also by `DEBUG=true`, as with the Go SDK).
 */
export function createLogger(env: Readonly<Record<string, string | undefined>>): Logger {
  const asked = env.LOG_LEVEL?.toLowerCase() || (env.DEBUG === 'true' ? 'debug' : 'info')
  const isLevel = asked === 'silent' || Object.hasOwn(pino.levels.values, asked)
  const logger = pino({
    level: isLevel ? asked : 'info',
    base: null,
    serializers: { error: describeError },
  })
  if (!isLevel) logger.warn({ LOG_LEVEL: asked }, `LOG_LEVEL is none of ${levels}; taking info`)
  return logger
}

/** An API server's details may quote the values it refused, so only its message and reason are logged. */
function describeError(error: unknown): unknown {
  if (error instanceof ApiError)
    return { type: error.name, message: error.message, reason: error.reason, code: error.code }
  return error instanceof Error ? stdSerializers.err(error) : error
}
