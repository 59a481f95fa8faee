import type { TransportRequest } from '../../sdk/engine/transport/transport.js'
import type { Json, Subject } from './subjects.js'

/** One action of a client, in plain JSON, so that a sequence can be printed and repeated. */
export interface Step {
  /** The kind of step; a key of the table in `steps/index.ts`. */
  readonly do: string
  /** The number of the client; each client remembers the objects that it has read. */
  readonly by: number
  readonly resource: string
  readonly name: string
  /** The variant of the kind of step. */
  readonly with: string
}

/** The state of a client for a step. */
export interface StepState {
  readonly subject: Subject
  readonly namespace: string
  readonly step: Step
  /** The path of the resource in the namespace. */
  readonly collection: string
  /** The path of the step's object. */
  readonly object: string
  /** The object as this client last read it; `undefined` before the first read. */
  readonly seen: Json | undefined
  /** The resourceVersion at the start of the sequence. */
  readonly beginning: string
}

/** The request of a step; bodies are sent as JSON. */
export interface Call {
  readonly method: TransportRequest['method']
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A kind of step. */
export interface StepKind {
  /** The weight relative to other steps; default 1. */
  readonly weight?: number
  /** The names of its variants for a subject; empty if the step does not apply to the subject. */
  variants(subject: Subject): readonly string[]
  /** The request, or undefined if the client does not know enough yet. */
  call(state: StepState): Call | undefined
  /** Whether the response is a watch that stays open until the sequence ends. */
  readonly watches?: boolean
  /** Whether the call is repeated for each page of a list. */
  readonly pages?: boolean
}
