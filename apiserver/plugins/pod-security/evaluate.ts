import { baselineChecks } from './baseline-checks.js'
import type { Check, PodCheck, Violation } from './check.js'
import type { CheckedPod } from './pod-shape.js'
import type { LevelVersion } from './policy.js'
import { restrictedChecks } from './restricted-checks.js'

/** The violations of a level by a pod. */
export function violations(pod: CheckedPod, { level, version }: LevelVersion): Violation[] {
  if (level === 'privileged') return []
  return checksOf(level, version === 'latest' ? Number.POSITIVE_INFINITY : version).flatMap(
    (check) => check(pod) ?? [],
  )
}

/** The checks of a level and version; a restricted check replaces the baseline check that it overrides. */
function checksOf(level: 'baseline' | 'restricted', version: number): PodCheck[] {
  const inForce = (checks: readonly Check[]) =>
    checks.flatMap((check) => {
      const form = check.versions.findLast(({ since }) => since <= version)
      return form === undefined ? [] : [{ ...check, run: form.check }]
    })
  const baseline = inForce(baselineChecks)
  if (level === 'baseline') return baseline.map(({ run }) => run)
  const restricted = inForce(restrictedChecks)
  const overridden = restricted.map(({ overrides }) => overrides)
  return [...baseline.filter(({ id }) => !overridden.includes(id)), ...restricted].map(({ run }) => run)
}

/** All violations with their details, for a message about one pod. */
export function detailsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ')
}

/** All violations without details, for a message about several pods. */
export function reasonsText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ')
}
