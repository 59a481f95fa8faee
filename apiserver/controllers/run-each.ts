/** Runs every step, and then throws the first error: a refused step does not keep the next ones from running. */
export function runEach(steps: Iterable<() => void>): void {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
