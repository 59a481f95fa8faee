/** The structured fields of a log line; never a Secret's data, a token or a kubeconfig. */
export type LogFields = Record<string, unknown>

/** The SDK's logger: the part of pino's interface that it uses, so that a pino logger fits as it is. */
export interface Logger {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** A logger that adds `fields` to each of its lines. */
  child(fields: LogFields): Logger
  /** Whether lines of a level, such as `debug`, are written; without this method all are. */
  isLevelEnabled?(level: string): boolean
}

/** Says nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => silentLogger,
}
