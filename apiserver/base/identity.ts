import { randomBytes, randomUUID } from 'node:crypto'

/** Generates UIDs and the suffixes of generated names. */
export interface Identity {
  uid(): string
  /** Five characters to append to a `generateName`. */
  nameSuffix(): string
}

/** The characters of name suffixes, without vowels and digits that look like vowels, so that no suffix is a word. */
const suffixCharacters = 'bcdfghjklmnpqrstvwxz2456789'

function suffixFrom(bytes: Iterable<number>): string {
  let suffix = ''
  for (const byte of bytes) suffix += suffixCharacters.charAt(byte % suffixCharacters.length)
  return suffix
}

/** Unpredictable, as on a real server. */
const randomIdentity: Identity = {
  uid: () => randomUUID(),
  nameSuffix: () => suffixFrom(randomBytes(5)),
}

/** Creates an identity whose sequence depends only on the seed, for tests that replay. */
function seededIdentity(seed: number): Identity {
  let state = seed >>> 0
  const nextByte = () => {
    // A linear congruential generator (the constants of Numerical Recipes); its high bits are the good ones.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  const bytes = (count: number) => {
    const bytes = Buffer.allocUnsafe(count)
    for (let index = 0; index < count; index++) bytes[index] = nextByte()
    return bytes
  }
  return {
    uid() {
      const hex = bytes(16).toString('hex')
      const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
      return [...groups, hex.slice(20)].join('-')
    },
    nameSuffix: () => suffixFrom(bytes(5)),
  }
}

/** The identity of a server: repeatable with a seed, otherwise random. */
export function createIdentity(seed: number | undefined): Identity {
  return seed === undefined ? randomIdentity : seededIdentity(seed)
}
