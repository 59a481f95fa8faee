import type { LogFields, Logger } from '../../../engine/observe/logger.js'
import type { OperatorChannel } from './channel.js'
import { sentError } from './errors.js'

type Level = 'debug' | 'info' | 'warn' | 'error'

/** A logger whose lines the operator writes. A line never fails its caller. */
export function remoteLogger(manager: number, channel: OperatorChannel, always: LogFields = {}): Logger {
  const write = (level: Level) => (fields: LogFields | string, message?: string) => {
    // The operator reads no more of a flood than it writes; this process must not keep the rest.
    if (channel.isBehind) return
    const [given, text] = typeof fields === 'string' ? [{}, fields] : [fields, message ?? '']
    try {
      channel.send({ type: 'log', manager, level, message: text, fields: readable({ ...always, ...given }) })
    } catch (error) {
      const lost = { lost: sentError(error).message }
      channel.send({ type: 'log', manager, level, message: String(text).slice(0, 1_000), fields: lost })
    }
  }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => remoteLogger(manager, channel, { ...always, ...fields }),
  }
}

/** The fields with errors as objects, because JSON leaves out what they contain. */
function readable(fields: LogFields): LogFields {
  const members = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    value instanceof Error ? sentError(value) : value,
  ])
  return Object.fromEntries(members)
}
