/** Options of {@link checkCount}. */
interface CountOptions {
  /** Whether the number may be infinite; default false. */
  readonly mayBeInfinite?: boolean
}

/** Throws for a number of runs, faults or failures with which an exploration would prove nothing. */
export function checkCount(name: string, count: number, { mayBeInfinite = false }: CountOptions = {}): void {
  if (count >= 1 && Number.isInteger(count)) return
  if (mayBeInfinite && count === Number.POSITIVE_INFINITY) return
  const infinite = mayBeInfinite ? ' or Infinity' : ''
  throw new TypeError(`${name} must be a whole number from 1${infinite}, got ${count}`)
}
