import type { Classified } from './classify.js'
import type { Compared } from './lockstep.js'

/** A difference that is known. */
interface Expected {
  /** Matches the key of its class. */
  readonly key: RegExp
  readonly why: string
}

/** What the embedded server knowingly does otherwise; `docs/embedded-apiserver.md` tells its users. */
const expected: readonly Expected[] = []

/** Why a difference is known; undefined when it is not. */
export function expectedDifference(_difference: Compared, { key }: Classified): string | undefined {
  return expected.find((each) => each.key.test(key))?.why
}
