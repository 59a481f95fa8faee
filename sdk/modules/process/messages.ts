// The messages between the operator and the process of a program: one JSON text a line.
import type { OperationContext, OperationKind, OptionalMethod } from '../manager/manager.js'
import type { ProgramFacts } from '../manager/program-runner.js'

/** The version of this protocol. Both sides come from the same SDK; it detects a child that runs other code. */
export const protocolNumber = 1

/** The longest message in either direction, in bytes. */
export const maxMessageBytes = 8 * 1024 * 1024

/** The calls of a cluster that are sent to the operator. */
export const clusterMethods = ['get', 'list', 'apply', 'delete', 'scaleDown', 'scaleUp', 'wait'] as const
export type ClusterMethod = (typeof clusterMethods)[number]

/** An error in a message. */
export interface SentError {
  readonly name: string
  readonly message: string
  readonly code?: string | number | undefined
  /** The Status of an `ApiError`. */
  readonly status?: unknown
  readonly stack?: string | undefined
}

/** The description that a program sends about itself. */
export interface ProgramDescription extends ProgramFacts {
  readonly sdk?: string | undefined
}

/** The part of a call's context that is sent to the process. */
export type SentContext = Pick<OperationContext, 'deadlineMs' | 'attempt' | 'operationId' | 'reason'>

/** Messages to the process. */
export type ToChild =
  | { readonly type: 'start'; readonly protocol: number; readonly url: string }
  | { readonly type: 'open'; readonly id: number; readonly module: unknown; readonly config: unknown }
  | { readonly type: 'close'; readonly manager: number }
  | {
      readonly type: 'call'
      readonly id: number
      readonly manager: number
      readonly operation: OperationKind
      readonly context: SentContext
      readonly metaData: string
      readonly maxBytes: number
      readonly before: unknown
    }
  | { readonly type: 'abort'; readonly id: number; readonly reason: string }
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: SentError }

/** Messages of the process. */
export type FromChild =
  | ({ readonly type: 'ready'; readonly protocol: number } & ProgramDescription)
  | { readonly type: 'failed'; readonly error: SentError }
  | {
      readonly type: 'result'
      readonly id: number
      readonly value?: unknown
      /** The optional methods of a manager that was made. */
      readonly methods?: readonly OptionalMethod[] | undefined
      readonly error?: SentError | undefined
      readonly metaData?: string | undefined
    }
  | { readonly type: 'save'; readonly id: number; readonly call: number; readonly metaData: string }
  | {
      readonly type: 'request'
      readonly id: number
      readonly manager: number
      readonly method: ClusterMethod
      readonly args: readonly unknown[]
    }
  | { readonly type: 'cancel'; readonly id: number }
  | {
      readonly type: 'log'
      readonly manager: number
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly message: string
      readonly fields: Record<string, unknown>
    }

/** The number of the call or manager that a message is about; undefined for other messages. */
export function issuedNumber(message: FromChild): number | undefined {
  if (message.type === 'result') return message.id
  if (message.type === 'save') return message.call
  return message.type === 'request' || message.type === 'log' ? message.manager : undefined
}
