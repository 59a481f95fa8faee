/** One thing that must be so. */
export interface Check {
  /** What is looked at, in a word or two. */
  readonly name: string
  /** Answers what is wrong, in words for a person; undefined when it is as it should be. */
  readonly wrong: () => string | undefined
}

/** What the checks found. */
export interface Health {
  readonly ok: boolean
  /** A line per check, as Kubernetes' own components write them: `[+]name ok` or `[-]name failed: reason`. */
  readonly text: string
}

/** Makes every check. One that throws counts as failed and does not hide the others. */
export function examine(checks: readonly Check[]): Health {
  const lines = checks.map(({ name, wrong }) => ({ name, reason: reasonOf(wrong) }))
  const ok = lines.every(({ reason }) => reason === undefined)
  const text = lines.map(({ name, reason }) =>
    reason === undefined ? `[+]${name} ok` : `[-]${name} failed: ${reason}`,
  )
  return { ok, text: [...text, ok ? 'healthy' : 'not healthy', ''].join('\n') }
}

function reasonOf(wrong: Check['wrong']): string | undefined {
  try {
    return wrong()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
