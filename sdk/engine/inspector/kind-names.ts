import type { Resource } from '../kube/resource.js'

/** Something of one kind. */
interface OfKind {
  readonly resource: Resource
}

/**
 * Those of a kind that a person names as for kubectl: `ConfigMap`, `configmaps`, `cars.example.com`,
 * `cars.v1.example.com`, or, if no kind has such a name, a singular or short name that the cluster reports (`cm`).
 * Case does not matter. See https://kubernetes.io/docs/reference/kubectl/#resource-types
 */
export async function ofKind<T extends OfKind>(
  all: readonly T[],
  name: string,
  otherNames: (resource: Resource) => Promise<readonly string[]>,
): Promise<readonly T[]> {
  const wanted = name.toLowerCase()
  const matching = all.filter(({ resource }) => {
    return spellings(resource, [resource.kind, resource.plural]).includes(wanted)
  })
  if (matching.length > 0) return matching
  const isCalled = await Promise.all(
    all.map(async ({ resource }) => spellings(resource, await otherNames(resource)).includes(wanted)),
  )
  return all.filter((_, index) => isCalled[index])
}

function spellings({ group, version }: Resource, names: readonly string[]): string[] {
  return names.flatMap((name) =>
    [name, `${name}.${group}`, `${name}.${version}.${group}`].map((one) => one.toLowerCase()),
  )
}
