import type { Case } from './case.js'

/** The parts of an error that name the object. */
export interface ErrorSubject {
  readonly kind: string
  /** The core group by default. */
  readonly group?: string
  /** Default `a`. */
  readonly name?: string
}

/**
 * A case about values that a new object must not have: every cause is reported, in this order. Do not give
 * two wrong entries of one map (labels, resources, properties, data), because Go iterates over maps in random
 * order.
 */
export function refuses(
  name: string,
  resource: string,
  { kind, group = '', name: called = 'a' }: ErrorSubject,
  object: object,
  ...because: readonly string[]
): Case {
  const folder = group === '' ? 'core' : group.split('.')[0]
  return {
    name,
    source: `k8s.io/kubernetes pkg/apis/${folder}/validation/validation.go @ v1.36.3`,
    async run({ post, expect }) {
      const answer = await post(resource, { metadata: { name: called }, ...object })
      expect.invalid(answer, { kind, name: called, because, ...(group === '' ? {} : { group }) })
    },
  }
}
