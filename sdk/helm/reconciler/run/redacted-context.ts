import type { LogFields, Logger } from '../../../engine/observe/logger.js'
import type { ObjectEvents } from '../../../operator/controller/context.js'
import type { ReleaseContext } from './release-run.js'
import type { SecretTexts } from './secret-texts.js'

/** A context whose conditions, Events and log lines contain no value of the Secrets of a release. */
export function redactedContext<Context extends ReleaseContext>(ctx: Context, texts: SecretTexts): Context {
  return {
    ...ctx,
    events: redactedEvents(ctx.events, texts),
    logger: redactedLogger(ctx.logger, texts),
    condition: (type, status, reason, message) =>
      ctx.condition(type, status, reason, message && texts.redact(message)),
  } satisfies ReleaseContext as Context
}

const redactedEvents = (events: ObjectEvents, texts: SecretTexts): ObjectEvents => ({
  normal: (reason, message, details) => events.normal(reason, texts.redact(message), details),
  warning: (reason, message, details) => events.warning(reason, texts.redact(message), details),
})

function redactedLogger(logger: Logger, texts: SecretTexts): Logger {
  const fieldsOf = (fields: LogFields): LogFields =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, texts.redactValue(value)]))
  return {
    debug: (fields, message) => logger.debug(fieldsOf(fields), texts.redact(message)),
    info: (fields, message) => logger.info(fieldsOf(fields), texts.redact(message)),
    warn: (fields, message) => logger.warn(fieldsOf(fields), texts.redact(message)),
    error: (fields, message) => logger.error(fieldsOf(fields), texts.redact(message)),
    child: (fields) => redactedLogger(logger.child(fields), texts),
  }
}
