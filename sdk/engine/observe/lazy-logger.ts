import type { Logger } from './logger.js'

/**
 * A logger that is made when it first logs something, because most runs of a key log nothing, and making a logger takes
 * time.
 */
export function lazyLogger(make: () => Logger): Logger {
  let made: Logger | undefined
  const logger = () => {
    made ??= make()
    return made
  }
  return {
    debug: (fields, message) => logger().debug(fields, message),
    info: (fields, message) => logger().info(fields, message),
    warn: (fields, message) => logger().warn(fields, message),
    error: (fields, message) => logger().error(fields, message),
    child: (fields) => lazyLogger(() => logger().child(fields)),
  }
}
