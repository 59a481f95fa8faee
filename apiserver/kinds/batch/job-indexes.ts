const notIncreasing = (before: number, at: number) =>
  `non-increasing order, previous: ${before}, current: ${at}`

/** The problem of a list of Job indexes such as `1,3-5`; `validateIndexesFormat` of Kubernetes v1.36.3. */
export function indexProblem(text: string, completions: unknown): string | undefined {
  if (text === '' || completions === undefined) return undefined
  let last: number | undefined
  for (const interval of text.split(',')) {
    const parts = interval.split('-')
    const problem = intervalProblem(interval, parts, Number(completions))
    if (problem !== undefined) return problem
    const first = Number(parts[0])
    if (last !== undefined && last >= first) return notIncreasing(last, first)
    last = Number(parts.at(-1))
  }
  return undefined
}

function intervalProblem(
  interval: string,
  parts: readonly string[],
  completions: number,
): string | undefined {
  if (parts.length > 2) {
    return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  for (const part of parts) {
    if (!/^[+-]?\d+$/.test(part)) return `cannot convert string to integer for index: ${JSON.stringify(part)}`
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`
  }
  const [from, to] = parts.map(Number)
  return from !== undefined && to !== undefined && from >= to ? notIncreasing(from, to) : undefined
}
