import type { KindProblem } from '../schema/problem.js'
import type { KindOptions } from './kind.js'

const reserved = ['apiVersion', 'kind', 'metadata', 'spec', 'status']

/** Finds contradictions between the options of a kind about the members of its objects. */
export function checkMembers(
  options: Pick<KindOptions, 'fields' | 'spec' | 'status' | 'conditions' | 'effects' | 'versions'>,
): KindProblem[] {
  const { fields, spec, status, conditions = [], effects = [], versions = {} } = options
  const usedNames = reserved.filter((name) => fields && Object.hasOwn(fields.shape, name))
  const needsStatus = status === false && (conditions.length > 0 || effects.length > 0)
  return [
    ...usedNames.map((name) =>
      problem('fields', name, 'is a member of every object; use another option for it'),
    ),
    ...(needsStatus
      ? [
          problem(
            'status',
            'false',
            'leaves no place for conditions and effects; leave out `status: false`, or these',
          ),
        ]
      : []),
    ...(spec === undefined && Object.keys(versions).length > 0
      ? [
          problem(
            'versions',
            Object.keys(versions).join(', '),
            'convert the spec; give the kind a spec, or one version',
          ),
        ]
      : []),
  ]
}

const problem = (path: string, construct: string, message: string): KindProblem => ({
  path,
  construct,
  message,
})
