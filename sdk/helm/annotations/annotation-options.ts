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
  /** Any text. A change of it tries failed inputs again at once. */
  readonly retry?: string
  /** Any text. A change of it draws all random values of the chart again. */
  readonly renew?: string
}

/** One of {@link AnnotationOptions}. */
export type AnnotationOption = keyof AnnotationOptions

/**
 * The expected form of an annotation's text, for messages, and its reader, which returns undefined for another form.
 */
interface Form {
  readonly expected: string
  readonly read: (text: string) => unknown
}

const anyText: Form = { expected: 'text', read: (text) => text }
const boolean: Form = { expected: 'a boolean such as "true"', read: parseGoBoolean }
const whole = (least: number): Form => ({
  expected: `a whole number from ${least} on`,
  read: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
})
const duration: Form = {
  expected: 'a duration such as "1m30s" above zero',
  read: (text) => {
    const ms = parseGoDuration(text)
    return ms !== undefined && ms > 0 ? ms : undefined
  },
}
/** Users must not make a program reconcile all the time. */
const shortestPeriodMs = 10_000
const period: Form = {
  expected: 'a duration from "10s" on, or "0s" for never',
  read: (text) => {
    const ms = parseGoDuration(text)
    return ms === 0 || (ms !== undefined && ms >= shortestPeriodMs) ? ms : undefined
  },
}
const waits = ['none', 'ready', 'jobs']

/** How the annotation of each option is read. */
export const annotationForms: Readonly<Record<AnnotationOption, Form>> = {
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
  maxHistory: whole(0),
  rollbackTo: whole(1),
  wait: {
    expected: waits.map((one) => `"${one}"`).join(' or '),
    read: (text) => waits.find((one) => one === text),
  },
}
