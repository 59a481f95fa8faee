import type { OperationKind } from '../../manager/manager.js'
import type { ProgramDescription } from '../messages.js'
import { namedError } from './errors.js'

/** A manager, whose methods are checked before they are called. */
export type AnyManager = Record<OperationKind, (...args: unknown[]) => unknown>

/** A program as its file exports it. */
export interface AnyProgram extends ProgramDescription {
  readonly config?: { parse(value: unknown): unknown } | undefined
  newManager(options: object): unknown
}

/** The methods that a manager may lack. */
const optional = ['upgrade', 'check'] as const

/** The optional methods that a manager has. */
export const optionalMethods = (manager: AnyManager) =>
  optional.filter((method) => typeof manager[method] === 'function')

const required = ['install', 'uninstall', 'sleep', 'resume'] as const

/** The program among the exports of a file: its default export, or a function `newManager`. Throws if there is none. */
export function findProgram(exported: Record<string, unknown>): AnyProgram {
  const isProgram = (value: unknown): value is AnyProgram => typeof Object(value).newManager === 'function'
  if (isProgram(exported.default)) {
    checkTexts({ ...exported.default })
    return exported.default
  }
  const { newManager } = exported
  if (typeof newManager === 'function') return { newManager: (options) => newManager(options) }
  throw new Error(
    'the program has neither a default export made by defineProgram nor a function newManager; export one of them',
  )
}

/** The members of a program that have to be texts, each with an example. */
const texts = { name: 'my-program', version: '1.4.0', sdk: '>=0.1.0 <1' }

/** Throws for a member of a program that is not a text, as in a program whose types are not checked. */
function checkTexts(members: Readonly<Record<string, unknown>>): void {
  for (const [member, example] of Object.entries(texts)) {
    const value = members[member]
    if (value === undefined || typeof value === 'string') continue
    throw new Error(
      `${member} of the program must be a text, got ${String(value)}; write for example ${member}: '${example}'`,
    )
  }
}

/** Throws unless a value has the methods of a manager. */
export function checkManager(manager: unknown): asserts manager is AnyManager {
  const missing = required.filter((method) => typeof Object(manager)[method] !== 'function')
  if (missing.length === 0) return
  throw namedError(
    'ProgramError',
    `the manager of the program has no method ${missing.join(', ')}; a manager has ${required.join(', ')}`,
  )
}
