import { FoldedLog } from '../../sdk/engine/observe/folded-log.js'
import type { LogFields, Logger } from '../../sdk/engine/observe/logger.js'

/**
 * A logger for tests. It prints warnings and errors as lines on standard error, and each distinct error once with its
 * position in the plugin's code. It drops debug and info messages.
 */
export function warningLogger(write: (line: string) => void = toStandardError): Logger {
  const log = new FoldedLog()
  const loggerWith = (ownFields: LogFields): Logger => {
    const show = (level: string) => (fields: LogFields, message: string) => {
      const [first, ...frames] = log.lines(message, { ...ownFields, ...fields })
      if (first !== undefined) for (const line of [`${level} ${first}`, ...frames]) write(line)
    }
    return {
      debug: () => {},
      info: () => {},
      warn: show('warn'),
      error: show('error'),
      child: (fields) => loggerWith({ ...ownFields, ...fields }),
    }
  }
  return loggerWith({})
}

const toStandardError = (line: string) => void process.stderr.write(`${line}\n`)
