import { getHeapStatistics } from 'node:v8'

/** Options of {@link oldGenerationLimit}. */
export interface HeapLimitFacts {
  /** `heap_size_limit` of `v8.getHeapStatistics()`, in bytes. */
  heapSizeLimit: number
  /** Node's options, in the order in which V8 applies them. */
  options: string
  /** How much memory the machine or the container has, in bytes. */
  totalBytes: number
}

const mebibyte = 2 ** 20

/** The largest size of the young generation, as a share of the old generation, if V8 has no options. */
const youngShare = 3 / 64
/** The number of semi-spaces in the young generation. */
const semiSpaces = 3

/**
 * The size in bytes that the old generation of V8's heap may grow to. V8 ends the process when the old generation needs
 * more. The `heap_size_limit` that V8 reports also includes the young generation, which `--max-old-space-size` does not
 * make smaller: with 64 MiB of old space it is 112 MiB on Node 20 and 256 MiB on Node 24.
 */
export function oldGenerationLimit(facts: HeapLimitFacts): number {
  const { heapSizeLimit, options, totalBytes } = facts
  const oldSpace = lastOption(options, 'max-old-space-size')
  const percentage = lastOption(options, 'max-old-space-size-percentage')
  const semiSpace = lastOption(options, 'max-semi-space-size')
  if (oldSpace) return Math.min(oldSpace * mebibyte, heapSizeLimit)
  if (percentage) return Math.min((percentage / 100) * totalBytes, heapSizeLimit)
  if (semiSpace) return Math.max(heapSizeLimit - semiSpaces * semiSpace * mebibyte, 0.5 * heapSizeLimit)
  return heapSizeLimit / (1 + youngShare)
}

/** The {@link oldGenerationLimit} of this process. */
export function ownOldGenerationLimit(totalBytes: number): number {
  return oldGenerationLimit({
    heapSizeLimit: getHeapStatistics().heap_size_limit,
    // An option on the command line overrides the same option in NODE_OPTIONS.
    options: [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' '),
    totalBytes,
  })
}

/** The last value of a numeric option of V8; V8 accepts dashes and underscores in names. */
function lastOption(options: string, name: string): number | undefined {
  const pattern = new RegExp(`--${name.replaceAll('-', '[-_]')}[= ]"?(\\d+(?:\\.\\d+)?)`, 'g')
  const [, digits] = [...options.matchAll(pattern)].at(-1) ?? []
  return digits === undefined ? undefined : Number(digits)
}
