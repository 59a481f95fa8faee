const versionPattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/
const stages = { alpha: 0, beta: 1, stable: 2 } as const

/**
 * Compares versions by Kubernetes' version priority: `v2` before `v1` before `v1beta2` before `v1alpha1`, and other
 * formats last, alphabetically. See
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
 */
export function compareVersions(a: string, b: string): number {
  const [leftRank, rightRank] = [rankOf(a), rankOf(b)]
  if (leftRank === undefined && rightRank === undefined) return a < b ? -1 : Number(a > b)
  if (leftRank === undefined || rightRank === undefined) return leftRank === undefined ? 1 : -1
  const differsAt = leftRank.findIndex((value, index) => value !== rightRank[index])
  return differsAt < 0 ? 0 : (rightRank[differsAt] ?? 0) - (leftRank[differsAt] ?? 0)
}

/** Stage, major and minor; the highest comes first. */
function rankOf(version: string): readonly number[] | undefined {
  const match = versionPattern.exec(version)
  if (match === null) return undefined
  const [, major, stage = 'stable', minor = '0'] = match
  return [stages[stage as keyof typeof stages], Number(major), Number(minor)]
}
