import type { Logger } from './logger.js'

/**
 * A logger that is made when it first logs something, because most runs of a key log nothing, and making a logger takes
 * time. It is not made for debug lines that its `parent` does not write; default: it is.
 */
export function lazyLogger(make: () => Logger, parent?: Pick<Logger, 'isLevelEnabled'>): Logger {
  let existing: Logger | undefined
  const logger = () => {
    existing ??= make()
    return existing
  }
  return {
    debug: (fields, message) => {
      if (existing || parent?.isLevelEnabled?.('debug') !== false) logger().debug(fields, message)
    },
    info: (fields, message) => logger().info(fields, message),
    warn: (fields, message) => logger().warn(fields, message),
    error: (fields, message) => logger().error(fields, message),
    child: (fields) => lazyLogger(() => logger().child(fields), parent),
  }
}
