import { ApiError, PermanentError } from '../../engine/kube/error.js'
import { escaped } from '../../engine/observe/log-text.js'
import { ProgramConfigError } from '../manager/program-config-error.js'
import { MetaDataError } from '../metadata/metadata-error.js'
import { ProgramError } from '../program/program-error.js'
import type { SentError } from './messages.js'

/** More than a Module shows, because secret texts are left out before its message is cut. */
const maxMessage = 4_096

/**
 * The error of a manager. Its message is cut to 4 KiB; a `PermanentError`, a `ConfigError` and a `ProgramError` stay
 * what they are.
 */
export function managerError({ name, message }: SentError): Error {
  const text = shortened(message)
  if (name === 'PermanentError') return new PermanentError(text)
  if (name === 'ConfigError') return new ProgramConfigError(text)
  if (name === 'ProgramError') return new ProgramError('INVALID_PROGRAM', text)
  return new Error(name === 'Error' || name === '' ? text : `${shortened(name)}: ${text}`)
}

/** An error of the operator for a program: its name, message and status, without its stack. */
export function errorForProgram(error: unknown): SentError {
  if (error instanceof ApiError)
    return { name: error.name, message: error.message, code: error.code, status: error.status }
  if (error instanceof MetaDataError || error instanceof ProgramError)
    return { name: error.name, message: error.message, code: error.code }
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

/** A text of a program for messages, cut and escaped. */
export const shortened = (text: string): string => escaped(text.slice(0, maxMessage))
