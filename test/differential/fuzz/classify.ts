import { isDeepStrictEqual } from 'node:util'
import type { ComparedResponses, FuzzAnswer } from './lockstep.js'

/**
 * The difference between two responses, worst first: `lenient` succeeds here and fails on a real server;
 * `object` succeeds on both with different results; `strict` fails only here.
 */
export type Severity = 'lenient' | 'object' | 'strict' | 'code' | 'reason' | 'message' | 'warning' | 'header'

/** The severities that a program would notice first when it changes servers. */
export const worstSeverities: readonly Severity[] = ['lenient', 'object', 'strict']

/** Every severity, worst first. */
export const severities: readonly Severity[] = [
  ...worstSeverities,
  'code',
  'reason',
  'message',
  'warning',
  'header',
]

/** One difference, with the properties of its class. */
export interface ClassifiedDifference {
  readonly severity: Severity
  /** A key that is equal for differences that probably have the same cause. */
  readonly key: string
}

const passes = ({ status }: FuzzAnswer) => status < 400

/** The class of a difference. */
export function classify({ request, embedded, real }: ComparedResponses): ClassifiedDifference {
  const severity = severityOf(embedded, real)
  const kind = kindOf(request.path)
  const detail = detailOf(severity, { embedded, real })
  return { severity, key: `${severity}: ${request.method} ${kind}: ${detail}` }
}

function severityOf(embedded: FuzzAnswer, real: FuzzAnswer): Severity {
  if (passes(embedded) !== passes(real)) return passes(embedded) ? 'lenient' : 'strict'
  if (embedded.status !== real.status) return 'code'
  if (!isDeepStrictEqual(embedded.body, real.body)) {
    if (passes(real)) return 'object'
    return reasonOf(embedded) === reasonOf(real) ? 'message' : 'reason'
  }
  return embedded.warning === real.warning ? 'header' : 'warning'
}

const statusOf = ({ body }: FuzzAnswer) => Object(body) as { reason?: string; message?: string }
const reasonOf = (answer: FuzzAnswer) => statusOf(answer).reason

/** The resource of a path, and the subresource, without names. */
function kindOf(path: string): string {
  const found = /^\/apis?\/.*?\/?(?:namespaces\/[^/]+\/)?([a-z]+)(?:\/[^/]+(\/\w+)?)?$/.exec(path)
  return found === null ? path : `${found[1]}${found[2] ?? ''}`
}

function detailOf(
  severity: Severity,
  { embedded, real }: Pick<ComparedResponses, 'embedded' | 'real'>,
): string {
  switch (severity) {
    case 'lenient':
      return `${embedded.status} embedded, ${real.status} real: ${shape(messageOf(real))}`
    case 'strict':
      return `${embedded.status} embedded, ${real.status} real: ${shape(messageOf(embedded))}`
    case 'code':
    case 'reason':
      return `${embedded.status} ${reasonOf(embedded)} embedded, ${real.status} ${reasonOf(real)} real: ${shape(messageOf(real))}`
    case 'object':
      return placesOf(embedded.body, real.body).join(' ')
    case 'message':
      return shape(messageOf(real))
    case 'warning':
      return shape(real.warning || `only embedded: ${embedded.warning}`)
    case 'header':
      return placesOf(embedded.headers, real.headers).join(' ')
  }
}

function messageOf(answer: FuzzAnswer): string {
  return statusOf(answer).message ?? (typeof answer.body === 'string' ? answer.body.slice(0, 200) : '')
}

/** A message without the values of the request. */
function shape(message: string): string {
  return message
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replaceAll(/\[\d+\]/g, '[]')
    .replaceAll(/\d+/g, '0')
    .slice(0, 160)
}

const maxNamedPaths = 4

/** The paths at which two bodies differ, without indices. */
export function placesOf(embedded: unknown, real: unknown): string[] {
  return [...new Set(differing(embedded, real, ''))].slice(0, maxNamedPaths)
}

function differing(embedded: unknown, real: unknown, path: string): string[] {
  if (isDeepStrictEqual(embedded, real)) return []
  if (!isContainer(embedded) || !isContainer(real) || Array.isArray(embedded) !== Array.isArray(real)) {
    return [embedded === undefined ? `-${path}` : real === undefined ? `+${path}` : path]
  }
  const keys = new Set([...Object.keys(embedded), ...Object.keys(real)])
  return [...keys].flatMap((key) =>
    differing(embedded[key], real[key], `${path}.${/^\d+$/.test(key) ? '*' : key}`),
  )
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
