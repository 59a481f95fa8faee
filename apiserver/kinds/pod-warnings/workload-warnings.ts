import { fieldAt, type OpenObject, recordOf } from '../../base/object.js'
import type { CreateRules, UpdateRules } from '../../resources/kind-rules.js'
import { hostnameWarning, templateWarningsAt } from './pod-warnings.js'

/** The warnings as members of the rules of a kind. */
export interface Warnings {
  readonly create: Required<Pick<CreateRules, 'warnings'>>
  readonly update: Required<Pick<UpdateRules, 'warnings'>>
}

/** Options of {@link workloadWarnings}. */
export interface WorkloadWarnings {
  /** The path of the part with the template; default `spec`. */
  readonly path?: readonly string[]
  /** Whether pods are named after its objects; default true. */
  readonly isInNames?: boolean
  /** Further warnings, for a create and for each update; default none. */
  readonly moreWarnings?: (object: OpenObject) => readonly string[]
}

/** The warnings of a kind that makes pods from a template. An update checks the template again if the spec changes. */
export function workloadWarnings(options: WorkloadWarnings = {}): Warnings {
  const { path = ['spec'], isInNames = true, moreWarnings = () => [] } = options
  const templateAt = (object: OpenObject) => [
    ...indexedWarnings(fieldAt(object, ...path), path.join('.')),
    ...templateWarningsAt(fieldAt(object, ...path, 'template'), `${path.join('.')}.template`),
  ]
  return {
    create: {
      warnings: (object) => [
        ...(isInNames ? hostnameWarning(object, 'Pod names and hostnames') : []),
        ...templateAt(object),
        ...moreWarnings(object),
      ],
    },
    update: {
      warnings: (object, old) => [
        ...(object.metadata.generation === old.metadata.generation ? [] : templateAt(object)),
        ...moreWarnings(object),
      ],
    },
  }
}

const maxCompletions = 100_000
const maxParallelism = 10_000

/** A large indexed Job. */
function indexedWarnings(spec: unknown, path: string): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = recordOf(spec)
  const isLarge = Number(completions) > maxCompletions && Number(parallelism) > maxParallelism
  if (completionMode !== 'Indexed' || !isLarge) return []
  const why =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail'
  return [`${path}: ${why}`]
}
