import { pino, stdSerializers } from 'pino'
import { ApiError } from '../kube/error.js'
import type { Logger } from '../observe/logger.js'

/**
 * The logger a plugin has unless it brings its own: JSON lines on standard output, at the level of
 * `LOG_LEVEL` (default `info`; `debug` also by `DEBUG=true`, as with the Go SDK).
 */
export function createLogger(env: Readonly<Record<string, string | undefined>>): Logger {
  const level = env.LOG_LEVEL ?? (env.DEBUG === 'true' ? 'debug' : 'info')
  return pino({ level, base: null, serializers: { error: describeError } })
}

/** An API server's details may quote the values it refused, so only its message and reason are logged. */
function describeError(error: unknown): unknown {
  if (error instanceof ApiError)
    return { type: error.name, message: error.message, reason: error.reason, code: error.code }
  return error instanceof Error ? stdSerializers.err(error) : error
}
