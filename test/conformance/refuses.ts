import type { Case } from './case.js'

/** How a refusal names what it refuses. */
export interface Refused {
  readonly kind: string
  /** The core group by default. */
  readonly group?: string
  /** Default `a`. */
  readonly name?: string
}

/**
 * A case about what a new object may not say: every cause is told, in this order. Give no two wrong entries of one
 * map (labels, resources, properties, data): a kube-apiserver, written in Go, goes through a map in an order of chance.
 */
export function refuses(
  name: string,
  resource: string,
  { kind, group = '', name: called = 'a' }: Refused,
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
