const notIncreasing = (before: number, current: number) =>
  `non-increasing order, previous: ${before}, current: ${current}`

/** The problem of a list of Job indexes such as `1,3-5`; `validateIndexesFormat` of Kubernetes v1.36.3. */
export function indexProblem(text: string, completions: unknown): string | undefined {
  if (text === '' || completions === undefined) return undefined
  let last: number | undefined
  for (const interval of text.split(',')) {
    const bounds = interval.split('-')
    const problem = intervalProblem(interval, bounds, Number(completions))
    if (problem !== undefined) return problem
    const first = Number(bounds[0])
    if (last !== undefined && last >= first) return notIncreasing(last, first)
    last = Number(bounds.at(-1))
  }
  return undefined
}

function intervalProblem(
  interval: string,
  bounds: readonly string[],
  completions: number,
): string | undefined {
  if (bounds.length > 2) {
    return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  for (const bound of bounds) {
    if (!/^[+-]?\d+$/.test(bound))
      return `cannot convert string to integer for index: ${JSON.stringify(bound)}`
    if (Number(bound) >= completions) return `too large index: ${JSON.stringify(bound)}`
  }
  const [from, to] = bounds.map(Number)
  return from !== undefined && to !== undefined && from >= to ? notIncreasing(from, to) : undefined
}
