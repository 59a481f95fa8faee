/** One condition that must hold. */
export interface HealthCheck {
  /** The checked part, in a word or two. */
  readonly name: string
  /** Returns the problem in words; undefined if the condition holds. */
  readonly wrong: () => string | undefined
}

/** The result of the checks. */
export interface Health {
  readonly ok: boolean
  /** A line per check, as Kubernetes' own components write them: `[+]name ok` or `[-]name failed: reason`. */
  readonly text: string
}

/** Runs every check. A check that throws counts as failed and does not hide the others. */
export function runChecks(checks: readonly HealthCheck[]): Health {
  const lines = checks.map(({ name, wrong }) => ({ name, reason: reasonOf(wrong) }))
  const ok = lines.every(({ reason }) => reason === undefined)
  const text = lines.map(({ name, reason }) =>
    reason === undefined ? `[+]${name} ok` : `[-]${name} failed: ${reason}`,
  )
  return { ok, text: [...text, ok ? 'healthy' : 'not healthy', ''].join('\n') }
}

function reasonOf(wrong: HealthCheck['wrong']): string | undefined {
  try {
    return wrong()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
