import type { TransportRequest } from '../../sdk/transport/transport.js'
import type { Json, Subject } from './subjects.js'

/** One thing a client does; plain JSON, so that a sequence can be printed and played again. */
export interface Step {
  /** Which kind of step; a key of the table in `steps/index.ts`. */
  readonly do: string
  /** Which client does it; each remembers what it has read. */
  readonly by: number
  readonly resource: string
  readonly name: string
  /** Which of the kind's variants. */
  readonly with: string
}

/** What a client knows when it takes a step. */
export interface Scene {
  readonly subject: Subject
  readonly namespace: string
  readonly step: Step
  /** The path of the resource in the namespace. */
  readonly collection: string
  /** The path of the object that the step names. */
  readonly object: string
  /** The object as this client read it last; `undefined` before that. */
  readonly seen: Json | undefined
  /** The resourceVersion at which the sequence began. */
  readonly beginning: string
}

/** A request as a step makes it; bodies go out as JSON. */
export interface Call {
  readonly method: TransportRequest['method']
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A kind of step. */
export interface StepKind {
  /** How often it comes, relative to the others; default 1. */
  readonly weight?: number
  /** The names of its variants for a subject; none means that the kind does not fit the subject. */
  variants(subject: Subject): readonly string[]
  /** The request, or nothing when the client does not know enough yet. */
  call(scene: Scene): Call | undefined
  /** Whether the answer is a watch that stays open until the sequence ends. */
  readonly watches?: boolean
  /** Whether the call is repeated for every page of a list. */
  readonly pages?: boolean
}
