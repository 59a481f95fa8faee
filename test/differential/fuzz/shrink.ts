import { classify } from './classify.js'
import type { FuzzRequest, FuzzSequence } from './fuzz-request.js'
import { playInLockstep } from './lockstep.js'
import type { Servers } from './servers.js'

/** The maximum number of shorter sequences to try for one difference. */
const maxTries = 80

/** The shortest sequence found that still shows a class of difference. */
export async function shrink(servers: Servers, sequence: FuzzSequence, key: string): Promise<FuzzSequence> {
  let best = sequence
  let tries = 0
  const shows = async (shorter: FuzzSequence) => {
    const { differences } = await playInLockstep(servers, shorter)
    return differences.some((difference) => classify(difference).key === key)
  }
  for (let next = await firstThat(best, shows, maxTries); next !== undefined; ) {
    best = next.found
    tries += next.tries
    next = tries >= maxTries ? undefined : await firstThat(best, shows, maxTries - tries)
  }
  return best
}

async function firstThat(
  sequence: FuzzSequence,
  shows: (shorter: FuzzSequence) => Promise<boolean>,
  limit: number,
): Promise<{ found: FuzzSequence; tries: number } | undefined> {
  let tries = 0
  for (const shorter of shorterThan(sequence)) {
    if (tries++ >= limit) return undefined
    if (await shows(shorter)) return { found: shorter, tries }
  }
  return undefined
}

/** Sequences without one request, or with a smaller one. */
function* shorterThan(sequence: FuzzSequence): Generator<FuzzSequence> {
  for (const at of sequence.keys()) yield sequence.toSpliced(at, 1)
  for (const [at, request] of sequence.entries()) {
    for (const smaller of smallerThan(request)) yield sequence.with(at, smaller)
  }
}

function* smallerThan(request: FuzzRequest): Generator<FuzzRequest> {
  for (const at of request.query.keys()) {
    if (request.query[at]?.[0] !== 'dryRun') yield { ...request, query: request.query.toSpliced(at, 1) }
  }
  for (const name of Object.keys(request.headers)) {
    if (name === 'content-type') continue
    const { [name]: _left, ...headers } = request.headers
    yield { ...request, headers }
  }
  if (typeof request.body !== 'object') return
  for (const body of withoutOne(request.body, 4)) yield { ...request, body }
}

/** Values without one of the members in the first `levels` levels. */
function* withoutOne(value: unknown, levels: number): Generator<unknown> {
  if (typeof value !== 'object' || value === null || levels === 0) return
  for (const name of Object.keys(value)) {
    yield without(value, name)
    const inner = (value as Record<string, unknown>)[name]
    for (const smaller of withoutOne(inner, levels - 1)) yield replaced(value, name, smaller)
  }
}

function without(value: object, name: string): unknown {
  if (Array.isArray(value)) return value.toSpliced(Number(name), 1)
  const { [name]: _left, ...rest } = value as Record<string, unknown>
  return rest
}

function replaced(value: object, name: string, member: unknown): unknown {
  return Array.isArray(value) ? value.with(Number(name), member) : { ...value, [name]: member }
}
