import { parseGoDuration } from '../values/go-duration.js'
import { parseGoBoolean } from './go-boolean.js'

/** The options that annotations of a custom resource can set. */
export interface AnnotationOptions {
  readonly installDescription?: string
  readonly upgradeDescription?: string
  readonly uninstallDescription?: string
  readonly installDisableHooks?: boolean
  readonly upgradeDisableHooks?: boolean
  readonly uninstallDisableHooks?: boolean
  readonly upgradeForce?: boolean
  readonly rollbackForce?: boolean
  readonly uninstallWait?: boolean
  /** Removes the finalizer of an object whose uninstallation fails. */
  readonly abandon?: boolean
  readonly timeoutMs?: number
  readonly reconcilePeriodMs?: number
  readonly maxHistory?: number
  readonly wait?: 'none' | 'ready' | 'jobs'
  /** The number of the revision to roll back to. */
  readonly rollbackTo?: number
  /** Any text. After a change of it a failed operation is tried again at once. */
  readonly retry?: string
  /** Any text. After a change of it all random values of the chart, such as passwords, are made again. */
  readonly renew?: string
}

/** One of {@link AnnotationOptions}. */
export type AnnotationOption = keyof AnnotationOptions

/**
 * The expected form of an annotation's text, for messages, and its reader, which returns undefined for another form.
 */
interface AnnotationForm {
  readonly expected: string
  readonly read: (text: string) => unknown
}

const anyText: AnnotationForm = { expected: 'text', read: (text) => text }
const boolean: AnnotationForm = { expected: 'a boolean such as "true"', read: parseGoBoolean }
const wholeNumber = (min: number): AnnotationForm => ({
  expected: `a whole number from ${min} on`,
  read: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= min ? Number(text) : undefined),
})
const duration: AnnotationForm = {
  expected: 'a duration such as "1m30s" above zero',
  read: (text) => {
    const ms = parseGoDuration(text)
    return ms !== undefined && ms > 0 ? ms : undefined
  },
}
/** A shorter period would let a user keep the program busy with one object. */
const minPeriodMs = 10_000
const period: AnnotationForm = {
  expected: 'a duration from "10s" on, or "0s" for never',
  read: (text) => {
    const ms = parseGoDuration(text)
    return ms === 0 || (ms !== undefined && ms >= minPeriodMs) ? ms : undefined
  },
}
const waitValues = ['none', 'ready', 'jobs']

/** How the annotation of each option is read. */
export const annotationForms: Readonly<Record<AnnotationOption, AnnotationForm>> = {
  installDescription: anyText,
  upgradeDescription: anyText,
  uninstallDescription: anyText,
  retry: anyText,
  renew: anyText,
  installDisableHooks: boolean,
  upgradeDisableHooks: boolean,
  uninstallDisableHooks: boolean,
  upgradeForce: boolean,
  rollbackForce: boolean,
  uninstallWait: boolean,
  abandon: boolean,
  timeoutMs: duration,
  reconcilePeriodMs: period,
  maxHistory: wholeNumber(0),
  rollbackTo: wholeNumber(1),
  wait: {
    expected: waitValues.map((one) => `"${one}"`).join(' or '),
    read: (text) => waitValues.find((one) => one === text),
  },
}
