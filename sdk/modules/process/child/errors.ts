import type { SentError } from '../messages.js'

const maxText = 4_096
const cut = (text: string) => text.slice(0, maxText)

/** A thrown value for a message to the operator. */
export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: cut(textOf(error)) }
  const { name, message, stack } = error
  const { code } = error as { code?: unknown }
  return {
    name: cut(String(name)),
    message: cut(String(message)),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof stack === 'string' && { stack: cut(stack) }),
  }
}

/** An error with a name that the operator knows: `PermanentError`, `ConfigError` or `ProgramError`. */
export const namedError = (name: string, message: string): Error =>
  Object.assign(new Error(message), { name })

/** An error of the operator, as a program sees it. That of an API server has `code`, `reason` and `status`. */
export function receivedError({ name, message, code, status }: SentError): Error {
  const error = new Error(message)
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  const { reason = '' } = Object(status) as { reason?: unknown }
  return Object.assign(error, code !== undefined && { code }, status !== undefined && { status, reason })
}

function textOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  } catch {
    return 'a value that is not an Error was thrown'
  }
}
